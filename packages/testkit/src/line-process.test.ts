import { expect, test } from 'vitest';
import { processGone, startLineProcess } from './index.js';

const node = (script: string, reads: 'at-once' | 'later' = 'at-once') =>
  startLineProcess({ command: process.execPath, args: ['-e', script], reads, deadlineMs: 10_000 });

const ECHO = 'process.stdin.pipe(process.stdout)';

test('returns the next matching line and skips others', async () => {
  await using program = await node(ECHO);
  program.send('not json');
  program.send({ type: 'noise' });
  program.send({ type: 'answer', inner: { list: [1, { a: 2 }], more: true } });
  expect(await program.next({ type: 'answer', inner: { list: [1, { a: 2 }] } })).toMatchObject({ type: 'answer' });
  program.send({ type: 'answer', number: 2 });
  expect(await program.next((line) => line['type'] === 'answer')).toEqual({ type: 'answer', number: 2 });
  expect(program.lines.map((line) => line.text)[0]).toBe('not json');
});

test('cuts lines at LF only and joins split characters', async () => {
  await using program = await node(ECHO);
  const line = Buffer.from('{"text":"ü\u2028\u0085ü"}\n');
  program.write(line.subarray(0, 10));
  program.write(line.subarray(10));
  expect(await program.next({})).toEqual({ text: 'ü\u2028\u0085ü' });
});

test('fails with the transcript when stdout ends first', async () => {
  await using program = await node('console.log(`{"seen":1}`); console.error("why"); process.exit(3)');
  const failure = await program.next({ wanted: true }).catch(String);
  expect(failure).toContain('stdout ended first');
  expect(failure).toContain('{"seen":1}');
  expect(await program.exited).toEqual({ code: 3, signal: null });
  expect(program.stderr).toBe('why\n');
});

test('fails when nothing matches before the deadline', async () => {
  await using program = await startLineProcess({ command: process.execPath, args: ['-e', ECHO], deadlineMs: 1 });
  await expect(program.next({ wanted: true })).rejects.toThrow('nothing matched within 1 ms');
});

test('leaves the pipe full until reading starts', async () => {
  const script = 'process.stdout.write("x".repeat(4e6) + "\\n", () => console.error("flushed"))';
  await using program = await node(script, 'later');
  expect(program.lines).toHaveLength(0);
  program.startReading();
  await program.exited;
  expect(program.lines[0]?.text).toHaveLength(4_000_000);
  expect(program.stderr).toBe('flushed\n');
});

test('leaving the scope ends the program', async () => {
  let pid = 0;
  {
    await using program = await node(ECHO);
    pid = program.pid;
    expect(processGone(pid)).toBe(false);
  }
  expect(processGone(pid)).toBe(true);
});

test('a program that does not exist is an error of the start', async () => {
  await expect(startLineProcess({ command: '/does/not/exist' })).rejects.toThrow('ENOENT');
});
