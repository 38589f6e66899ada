import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@qwen/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decide } from '../../src/permission/decide.js';
import { ruleSet, runs } from '../calls.js';
import { CARRIERS, PUSHES, SPELLINGS, UNTOUCHED } from './denied-commands.js';

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const spelled = (pattern: string): string[] =>
  /%[sq]/.test(pattern)
    ? SPELLINGS.map((command) => pattern.replaceAll('%s', () => command).replaceAll('%q', () => quote(command)))
    : [pattern];
const inYolo = (rule: string, command: string) =>
  decide({ mode: 'yolo', rules: ruleSet({ deny: [rule] }), call: runs(command) }).behavior;

let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'qwen-denied-')));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Whether the command removes the file `victim` of a fresh folder. */
async function removes(command: string, index: number): Promise<boolean> {
  const folder = join(root, String(index));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'victim'), '');
  await writeFile(join(folder, 'file.txt'), 'a\nb\n');
  const env = { PATH: '/usr/bin:/bin', HOME: folder };
  spawnSync('/bin/bash', ['-c', command], { cwd: folder, env, stdio: 'ignore', timeout: 5000, killSignal: 'SIGKILL' });
  return !existsSync(join(folder, 'victim'));
}

test.each(Object.entries(CARRIERS))('no wrapper runs a denied command: %s', async (_, patterns) => {
  verifies('S17');
  const all = patterns.flatMap(spelled);
  const allowed = all.filter((command) => inYolo('Bash(rm *)', command) === 'allow');
  const judged = await Promise.all(
    allowed.map(async (command, index) => ({ command, is: await removes(command, index) })),
  );
  expect(judged.filter(({ is }) => is)).toEqual([]);
  // What has no effect here may have one where its program is installed.
  expect(allowed).toEqual([]);
});

test('the effect happens if nothing is denied', async () => {
  const commands = [
    "env -S'rm victim'",
    "sed '1{e r\\m victim\n}' file.txt",
    "perl -e'unlink q(victim)'",
    'unlink victim',
    'mawk \'BEGIN{system("r" "m victim")}\'',
  ];
  const seen = await Promise.all(commands.map((command, index) => removes(command, 1000 + index)));
  expect(seen).toEqual(commands.map(() => true));
  expect(await removes('echo rm victim', 2000)).toBe(false);
});

test('git push is found under each of its names', () => {
  verifies('S17');
  expect(PUSHES.filter((command) => inYolo('Bash(git push *)', command) === 'allow')).toEqual([]);
});

test('a denied command that can be parsed anywhere is denied without a question', () => {
  const readable = [
    "env -S'rm victim'",
    "script -qc'rm victim' /dev/null",
    "sh -c 'r\\m victim'",
    "find . -exec sh -c 'rm x' \\;",
    'busybox rm x',
    "mapfile -C'rm x' <<< y",
  ];
  expect(readable.filter((command) => inYolo('Bash(rm *)', command) !== 'deny')).toEqual([]);
  expect(inYolo('Bash(git push *)', '/usr/lib/git-core/git-push origin')).toBe('deny');
});

test('deny rules do not affect everyday commands', () => {
  verifies('S17');
  const rules = ruleSet({ deny: ['Bash(rm *)', 'Bash(shutdown *)', 'Bash(git push *)'] });
  const asked = UNTOUCHED.filter(
    (command) => decide({ mode: 'yolo', rules, call: runs(command) }).behavior !== 'allow',
  );
  expect(asked).toEqual([]);
});
