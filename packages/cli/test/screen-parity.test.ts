import { startByteServer, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { BIN, type CliFixture, openCliFixture, textChunk } from './cli-fixture.js';
import { readBack } from './event-lists.js';
import { replay, screenOf } from './terminal-screen.js';

const SCRIPT = [
  {
    content: 'I change 日本語 😀 and look:\n\u001b[2J',
    toolCalls: [
      {
        id: 'c1',
        name: 'write_file',
        arguments: JSON.stringify({ file_path: 'größe.txt', content: 'eins\nzwei 👀\n' }),
      },
      { id: 'c2', name: 'run_shell_command', arguments: JSON.stringify({ command: 'echo gone >&2; exit 3' }) },
      { id: 'c3', name: 'no_such_tool', arguments: '{}' },
    ],
  },
  { content: 'Done' },
];

const OUTPUT = ['--approval-mode', 'yolo'];

/** What a person sees who runs this in a terminal: both streams, in the order in which they were written. */
async function inText(
  fixture: CliFixture,
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<string> {
  const args = ['-c', '"$0" "$@" 2>&1', process.execPath, BIN, ...OUTPUT, ...flags, 'go'];
  const program = await fixture.start([], {
    command: '/bin/sh',
    args,
    env: { ...fixture.env, FORCE_COLOR: '1', ...env },
  });
  program.endInput();
  await program.exited;
  return `${program.lines.map(({ text }) => text).join('\n')}\n`;
}

async function inLines(fixture: CliFixture, format: string): Promise<string> {
  const program = await fixture.start([...OUTPUT, '--output-format', format]);
  program.write('go');
  program.endInput();
  await program.exited;
  return program.lines.map(({ json }) => replay(readBack(Object(json)))).join('');
}

test('a terminal shows the same from text mode and from the lines of either format', async () => {
  verifies('A-21', 'D-03', 'D-14', 'D-45');
  const screens: (readonly string[])[] = [];
  for (const run of [
    (fixture: CliFixture) => inText(fixture),
    (fixture: CliFixture) => inLines(fixture, 'stream-json'),
    (fixture: CliFixture) => inLines(fixture, 'stream-chunk-json'),
  ]) {
    await using fixture = await openCliFixture(SCRIPT);
    const written = await run(fixture);
    expect(written).toContain('\u001b[32m+zwei 👀\u001b[0m');
    screens.push(await screenOf(written));
  }
  expect(screens[1]).toEqual(screens[0]);
  expect(screens[2]).toEqual(screens[0]);
});

test('text of the answer and outputs reach the terminal in order, through separate channels', async () => {
  const failure = `data: ${JSON.stringify({ error: { message: 'overloaded' } })}\n\n`;
  await using server = await startByteServer([{ chunks: [textChunk('Half an answer'), failure] }]);
  await using fixture = await openCliFixture();
  const written = await inText(fixture, { OPENAI_BASE_URL: `${server.url}/v1` }, ['--retry-time', '0']);
  expect(written).toMatch(/^Half an answer\n\u001b\[31mqwen: .*\n$/);
});
