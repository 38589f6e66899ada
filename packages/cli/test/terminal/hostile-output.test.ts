import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { calls, isolatedEnvironment, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { BIN } from '../cli-fixture.js';
import { READY, TerminalFixture } from './terminal-fixture.js';

/** What a terminal obeys or hides: clipboard, title, reset, C1, changes of direction, zero width. */
const HOSTILE =
  '\u001b]52;c;cHduZWQ=\u0007 \u001b]0;pwned\u0007 \u001bc \u001b[2J \u009b31m \u009d0;x\u009c \u202egnp.exe\u202c \u2066x\u2069 a\u200bb\u2060\ufeff pay\u200dpal \u0085end \u007f';
const OBEYED = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;
const SEQUENCES = /\u001b(?:\]52|\]0;pwned|c|\[2J)/;

/** A reply that calls a tool of an unknown name, one that names a file, and one that prints it all. */
const REPLIES = [
  calls({ name: `tool${HOSTILE}`, input: { path: HOSTILE } }),
  calls({ name: 'read_file', input: { file_path: `missing${HOSTILE}` } }),
  calls({ name: 'run_shell_command', input: { command: 'cat hostile.txt' } }),
  says(`The answer is ${HOSTILE} done.`),
];

const parse = (line: string): unknown => JSON.parse(line);

const prepare = async (workspace: TerminalFixture['workspace']) => {
  await workspace.write('project/hostile.txt', `${HOSTILE}\n`);
  await workspace.write(`project/${HOSTILE.replaceAll('/', '')}`, '');
};

const q = (text: string) => `'${text}'`;
const qwen = (...words: readonly string[]) => [process.execPath, BIN, ...words].map(q).join(' ');

test('no output of the model, tools or files reaches a terminal unescaped, in text mode and in subcommands', async () => {
  verifies('S84');
  const script = [
    qwen('-p', `look ${HOSTILE}`),
    qwen('sessions', 'list'),
    `ID=$(${qwen('sessions', 'list', '--json')} | grep -o '[0-9a-f]\\{8\\}-[0-9a-f-]*' | head -1)`,
    `${qwen('sessions', 'show')} "$ID"`,
    `${qwen('sessions', 'show', '--json')} "$ID"`,
    `${qwen('sessions', 'export')} "$ID"`,
    `${qwen('sessions', 'export', '--format', 'json')} "$ID"`,
    qwen('sessions', 'show', HOSTILE),
    qwen('permissions', 'explain', 'Bash', `cat ${HOSTILE}`),
    qwen(`--unknown${HOSTILE}`, '-p', 'x'),
    qwen('--output-format', 'json', '-p', `again ${HOSTILE}`),
    'echo finished',
  ].join('\n');
  await using fixture = await TerminalFixture.open({
    model: [...REPLIES, says('x'), says(HOSTILE)],
    command: ['/bin/bash', '-c', script],
    prepare,
    columns: 200,
  });
  await fixture.exited();
  expect(fixture.written).toContain('finished');
  expect(fixture.written).toContain('\\u202egnp.exe');
  expect(OBEYED.exec(fixture.written)).toBeNull();
  expect(fixture.written).not.toContain('\u200d');
  expect(SEQUENCES.exec(fixture.written)).toBeNull();
}, 120_000);

test('no such output reaches the screen of the terminal UI', async () => {
  verifies('S84');
  await using fixture = await TerminalFixture.open({ model: REPLIES, prepare, columns: 120, rows: 40 });
  await fixture.until(READY);
  await fixture.send('look');
  await fixture.untilPrinted('done.');
  expect(fixture.written).toContain('\\u202egnp.exe');
  expect(OBEYED.exec(fixture.written)).toBeNull();
  expect(/\u001b(?:\]52|\]0;pwned|c(?![A-Za-z])|\[2J)/.exec(fixture.written)).toBeNull();
});

test('JSON output escapes control characters and keeps its meaning', async () => {
  verifies('S84');
  await using fixture = await TerminalFixture.open({
    model: [...REPLIES, ...REPLIES],
    command: ['/bin/sleep', '1000'],
    prepare,
  });
  const { model, workspace } = fixture;
  const run = async (...words: readonly string[]) => {
    const options = {
      cwd: workspace.resolve('project'),
      env: isolatedEnvironment(workspace.resolve('home'), model.env),
    };
    return promisify(execFile)(process.execPath, [BIN, ...words], options).catch(
      (failed: { stdout: string }) => failed,
    );
  };
  for (const format of ['json', 'stream-json']) {
    const { stdout } = await run('--output-format', format, '-p', `look ${HOSTILE}`);
    expect(OBEYED.exec(stdout)).toBeNull();
    expect(stdout).not.toContain('\u001b');
    const messages: unknown[] = format === 'json' ? JSON.parse(stdout) : stdout.trim().split('\n').map(parse);
    const last = JSON.stringify(messages.slice(format === 'json' ? -1 : 0));
    expect(last).toContain(JSON.stringify(HOSTILE.slice(-30)).slice(1, -1));
  }
  const listed = await run('sessions', 'list', '--json');
  const [session] = JSON.parse(listed.stdout).sessions;
  const shown = await run('sessions', 'show', '--json', session.session_id);
  expect(JSON.stringify(JSON.parse(shown.stdout))).toContain('gnp.exe');
  for (const { stdout } of [listed, shown, await run('permissions', 'explain', '--json', 'Bash', `cat ${HOSTILE}`)]) {
    expect(stdout.length).toBeGreaterThan(2);
    expect(OBEYED.exec(stdout)).toBeNull();
  }
});
