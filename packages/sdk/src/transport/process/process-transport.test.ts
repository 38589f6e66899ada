import { chmod } from 'node:fs/promises';
import { processGone, resourceBaseline, temporaryFolder, verifies } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { program } from '../../../test/programs.js';
import { childEnvironment } from '../create-transport.js';
import { ProcessTransport } from './process-transport.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const transportTo = (name: string, options: { readonly graceMs?: number } = {}) =>
  new ProcessTransport({ command: process.execPath, args: [program(name)], env: childEnvironment(), ...options });

const MIB = 1024 * 1024;

test('the constructor starts nothing, and an unstarted transport can be closed and rejects lines', async () => {
  verifies('T36', 'O-25');
  const transport = transportTo('echoes');
  expect(transport.pid).toBeUndefined();
  await expect(transport.send('x\n')).rejects.toMatchObject({ code: 'channel_closed' });
  await transport.close();
  expect(await transport.closed).toEqual({ exitCode: null, signal: null, stderrTail: '' });
});

test('a second start is refused and leaves the first program alone', async () => {
  const transport = transportTo('echoes');
  await transport.start(() => undefined);
  const { pid } = transport;
  await expect(transport.start(() => undefined)).rejects.toMatchObject({ code: 'already_reading' });
  expect(transport.pid).toBe(pid);
  await transport.close();
});

test.each([
  ['a program that is not there', async () => '/does/not/exist', 'cli_not_found'],
  ['a program that may not be run', async (path: string) => path, 'spawn_failed'],
])('%s is a typed error that names it', async (_name, commandFor, code) => {
  verifies('F44');
  await using folder = await temporaryFolder();
  const file = await folder.write('program', 'no program');
  await chmod(file, 0o644);
  const command = await commandFor(file);
  const transport = new ProcessTransport({ command, args: [], env: {} });
  await expect(transport.start(() => undefined)).rejects.toMatchObject({ code, data: { command } });
  expect(await transport.closed).toMatchObject({ exitCode: null, signal: null });
});

test('an argument list that the system rejects is a typed error', async () => {
  verifies('F44');
  const transport = new ProcessTransport({ command: process.execPath, args: ['x'.repeat(4 * MIB)], env: {} });
  await expect(transport.start(() => undefined)).rejects.toMatchObject({ code: 'spawn_failed' });
});

test('send waits for a full pipe to drain or the process to exit', async () => {
  verifies('O-19', 'T21', 'T22');
  const transport = transportTo('never-reads');
  await transport.start(() => undefined);
  const waiting = transport.send(`${'x'.repeat(4 * MIB)}\n`);
  const state = await Promise.race([
    waiting.then(() => 'sent'),
    new Promise((resolve) => setImmediate(resolve, 'waits')),
  ]);
  expect(state).toBe('waits');
  const refused = expect(waiting).rejects.toMatchObject({ code: 'channel_closed' });
  await transport.close({ graceMs: 0 });
  await refused;
});

test('send resolves once the reader has caught up', async () => {
  verifies('O-19');
  const transport = transportTo('echoes');
  const lines: unknown[] = [];
  await transport.start((line) => lines.push(line));
  await transport.send(`${JSON.stringify({ type: 'user', message: { content: 'x'.repeat(4 * MIB) } })}\n`);
  transport.endInput();
  expect(await transport.closed).toMatchObject({ exitCode: 0 });
  expect(lines).toHaveLength(3);
});

test('close() ends the input, then sends SIGTERM and SIGKILL, and waits for the exit', async () => {
  verifies('F39', 'T3', 'O-22');
  const transport = transportTo('ignores-sigterm', { graceMs: 60 });
  const started = new Promise<void>((resolve) => void transport.start(() => resolve()));
  await transport.send('{"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}\n');
  await started;
  await transport.close();
  expect(await transport.closed).toEqual({
    exitCode: null,
    signal: 'SIGKILL',
    stderrTail: 'end of input ignored\nSIGTERM ignored',
  });
  expect(processGone(transport.pid ?? -1)).toBe(true);
});

test('an immediate close overrides a patient one', async () => {
  verifies('F39');
  const transport = transportTo('never-reads');
  await transport.start(() => undefined);
  const patient = transport.close({ graceMs: 60_000 });
  await transport.close({ graceMs: 0 });
  await patient;
  expect(await transport.closed).toMatchObject({ signal: 'SIGKILL' });
});

test('fifty processes share one exit listener, which is removed at the end', async () => {
  verifies('F57');
  const warnings: string[] = [];
  const onWarning = (warning: Error) => warnings.push(warning.name);
  process.on('warning', onWarning);
  const before = process.listenerCount('exit');
  const transports = Array.from({ length: 50 }, () => transportTo('never-answers-initialize'));
  await Promise.all(transports.map((transport) => transport.start(() => undefined)));
  expect(process.listenerCount('exit')).toBe(before + 1);
  await Promise.all(transports.map((transport) => transport.close()));
  expect(process.listenerCount('exit')).toBe(before);
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});
