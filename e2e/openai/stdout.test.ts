import { execFile } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { calls, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { chat, expectOnlyProtocol, FORMATS, isReceipt, isSummary, openLinesFixture } from './fixture.ts';

const run = promisify(execFile);

/** A library that prints whenever it likes. It is loaded before the program, so it waits until that has begun. */
const LOUD = `
setImmediate(() => {
  console.log('loud: first');
  process.stdout.write('loud: raw ');
  console.error('loud: error');
});
const timer = setInterval(() => {
  console.log('loud: %s', 'again');
  console.warn('loud: warning');
  process.stdout.write(Buffer.from('loud: bytes without an end'));
}, 5);
timer.unref();
`;

test.each(FORMATS)('a library that prints reaches stdout only as an annotation, in %s', async (format) => {
  verifies('A-16', 'A-21', 'L-07', 'D-18');
  await using fixture = await openLinesFixture([
    calls({ name: 'run_shell_command', input: { command: 'sleep 0.1; echo done' } }),
    says('Said.'),
  ]);
  const loud = await fixture.workspace.write('loud.cjs', LOUD);
  const program = await fixture.start(format, {
    args: ['--approval-mode', 'yolo'],
    env: { ...fixture.env, NODE_OPTIONS: `--require=${loud}` },
  });
  program.send(chat('speak'));
  await program.next(isSummary);
  program.endInput();
  expect((await program.exited).code).toBe(0);
  expectOnlyProtocol(program.lines);
  const { annotations } = annotationsOf(program.lines);
  const console = annotations.filter((annotation) => annotation['source'] === 'console');
  expect(console.some(({ text }) => String(text).includes('loud: again'))).toBe(true);
  expect(console.some(({ console_level: level }) => level === 'warn')).toBe(true);
  expect(console.some(({ text }) => String(text).includes('loud: bytes'))).toBe(true);
});

test('the protocol uses only stdin and stdout: no listener and no further pipe', async () => {
  verifies('A-08');
  await using fixture = await openLinesFixture([says('hi')]);
  const program = await fixture.start('stream-json');
  await program.next(isReceipt);
  program.send({ type: 'heartbeat_request' });
  await program.next({ type: 'result/heartbeat' });
  // The parent gives its child sockets or pipes, as 0, 1 and 2.
  const channels = readdirSync(`/proc/${program.pid}/fd`)
    .filter((descriptor) => Number(descriptor) > 2)
    .map((descriptor) => readlinkSync(`/proc/${program.pid}/fd/${descriptor}`))
    .filter((target) => target.startsWith('socket:'));
  expect(channels).toEqual([]);
});

test('the last line arrives complete, however slow the reader', async () => {
  verifies('A-19', 'F32');
  const text = 'x'.repeat(512 * 1024);
  await using fixture = await openLinesFixture([says(text)]);
  await fixture.workspace.write('line.json', `${JSON.stringify(chat('speak'))}\n`);
  const command = 'qwen --input-format stream-json --output-format stream-json < line.json | { sleep 0.3; tail -n 1; }';
  const { stdout } = await run('sh', ['-c', command], {
    env: fixture.env,
    cwd: fixture.workspace.path,
    maxBuffer: 64 * 1024 * 1024,
  });
  expect(stdout.endsWith('}\n')).toBe(true);
  expect(JSON.parse(stdout)).toMatchObject({ object: 'chat.completion' });
});

test('typed text produces lines', async () => {
  verifies('A-13', 'A-17');
  await using fixture = await openLinesFixture([says('Hello.')]);
  for (const [typed, expected] of [
    ['/stats', '"type":"result/command"'],
    ['?', '"path":["help"]'],
    ['{"not":"a request"}', '"content":"Hello."'],
  ]) {
    const command = `printf '%s\\n' '${typed}' | qwen --input-format text --output-format stream-json`;
    const { stdout } = await run('sh', ['-c', command], { env: fixture.env, cwd: fixture.workspace.path });
    const lines = stdout.trimEnd().split('\n');
    expectOnlyProtocol(lines.map((text) => ({ text, json: JSON.parse(text) })));
    expect(stdout).toContain(expected);
  }
});

function annotationsOf(lines: readonly { readonly json: Record<string, unknown> | undefined }[]) {
  const annotations = lines.flatMap(({ json }) => {
    const choices: { message?: object; delta?: object }[] = Object(json).choices ?? [];
    return choices.flatMap(
      ({ message, delta }): Record<string, unknown>[] => Object(message ?? delta).annotations ?? [],
    );
  });
  return { annotations };
}
