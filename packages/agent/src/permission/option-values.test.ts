import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { ruleSet, runs } from '../../test/calls.js';
import { decide } from './decide.js';

const judged = (command: string) => decide({ mode: 'default', rules: ruleSet({}), call: runs(command) }).behavior;
const filesOf = (command: string) => runs(command).shell?.reading.commands.flatMap((part) => part.readOnlyFiles ?? []);

test('an option in the place of a value is a question, because programs may read it as an option', () => {
  verifies('S12');
  const commands = [
    'git log --format --output=a.txt',
    'git show --format --output=a.txt',
    'git diff -L --output=a.txt',
    'git diff-files -L --output=a.txt',
    'git diff-tree --format --output=a.txt HEAD',
    'git stash show --format --output=a.txt',
    'sort -k --output=a.txt b.txt',
    'xxd a.txt -b',
    'xxd a.txt -l',
  ];
  expect(commands.filter((command) => judged(command) !== 'ask')).toEqual([]);
  const usual = ['head -n -5 a.txt', 'cut -d - -f 1 a.txt', 'grep -e --format a.txt', 'git log -n 3 --format=%h'];
  expect(usual.filter((command) => judged(command) !== 'allow')).toEqual([]);
});

test('after --, jq reads every word as a file', () => {
  verifies('S17');
  expect(judged('jq --arg x 1 . a.json')).toBe('allow');
  expect(judged('jq . -- --arg x ../outside.json')).toBe('ask');
  expect(judged('jq . a.json -- --argjson ../outside.json 1')).toBe('ask');
});

test('a program for compressed files also opens names with a suffix', () => {
  verifies('S17');
  for (const command of ['zcat d', 'gunzip -c d', 'gzip -l d', 'gzip -lv d']) {
    expect(filesOf(command)).toEqual(['d', 'd.gz', 'd.z', 'd-z', 'd.Z'].map((name) => `/real/app/${name}`));
  }
  expect(filesOf('unzip -l z')).toEqual(['z', 'z.zip', 'z.ZIP'].map((name) => `/real/app/${name}`));
  const patternsOf = (command: string) => runs(command).shell?.reading.commands[0]?.readOnlyPatterns;
  expect(patternsOf('zcat logs/*.gz')).toEqual(['/real/app/logs/*.gz']);
  expect(patternsOf('zcat logs/d?')).toBeUndefined();
});

test.each<[rules: readonly string[], asked: readonly string[], allowed: readonly string[]]>([
  [
    ['Bash(npm run test*)', 'Bash(pnpm *)', 'Bash(yarn *)'],
    [
      'npm run test --script-shell=./e',
      'npm run test --scr=./e',
      'npm run test -script-shell=./e',
      'npm run test ---script-shell ./e',
      'npm run test --node-opt=--require=./e.js',
      'npm run test -C ../other',
      'npm run test -prefix ../other',
      'npm run test --logs-dir=../other',
      'pnpm --config.script-shell=./e test',
      'pnpm exec ./e',
      'pnpm dlx e',
      'yarn dlx e',
      'yarn --cwd ../other test',
    ],
    ['npm run test:unit', 'npm run test -w app', 'npm run test -- --prefix x -C y', 'pnpm add e', 'yarn run test'],
  ],
  [
    ['Bash(git *)', 'Bash(xxd *)', 'Bash(awk *)'],
    [
      "git remote-ext x './e'",
      'git submodule--helper foreach ./e',
      'git credential-store get',
      'git credential-osxkeychain get',
      'git maintenance start',
      'git mailinfo ../a ../b',
      'git merge-file ../a b c',
      'git pack-objects ../a',
      'git apply --unsafe-paths a.patch',
      'git apply --unsafe a.patch',
      'xxd a.txt -b',
      'awk -o../a 1',
      'awk --profile=../a 1',
    ],
    ['git add .', 'git commit -m "pack objects"', 'git apply a.patch', 'git remote update', 'xxd -b a.txt'],
  ],
])('rules %j do not allow what starts programs or writes elsewhere', (allow, asked, allowed) => {
  verifies('S13');
  const decided = (command: string) => decide({ mode: 'default', rules: ruleSet({ allow }), call: runs(command) });
  expect(asked.filter((command) => decided(command).behavior !== 'ask')).toEqual([]);
  expect(allowed.filter((command) => decided(command).behavior !== 'allow')).toEqual([]);
});
