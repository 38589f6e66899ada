import { kill } from 'node:process';
import { resourceBaseline, verifies } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { failureOf } from '../../test/programs.js';
import { eventsOf, eventThat, openFake } from '../../test/sessions.js';
import type { QwenSession } from '../index.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const HASTY = { intervalMs: 20, timeoutMs: 200 };

/** What everything that can wait rejects with, when this happens. */
async function failuresOf(session: QwenSession, happens: () => unknown): Promise<unknown[]> {
  const turn = session.prompt('hang');
  const waiting = [
    turn.result,
    eventsOf(turn),
    session.hints({ trigger: 'at', text: '@never' }),
    eventsOf(session.events()),
  ].map(failureOf);
  // The turn runs once this is answered: the CLI reads its lines in order.
  await session.heartbeat();
  await happens();
  return Promise.all(waiting);
}

test('a stopped process is ended, and everything pending rejects once', async () => {
  verifies('H-06', 'H-08', 'O-55', 'GAP-33');
  const session = await openFake({}, { heartbeat: HASTY });
  const failures = await failuresOf(session, () => session.prompt('stop'));
  for (const failure of failures) expect(failure).toMatchObject({ code: 'timeout', data: { timeoutMs: 200 } });
  expect(new Set(failures).size).toBe(1);
  expect(await session.close()).toMatchObject({ signal: 'SIGKILL' });
  expect(await failureOf(session.prompt('echo late').result)).toMatchObject({ code: 'timeout' });
  expect(await failureOf(session.heartbeat())).toMatchObject({ code: 'timeout' });
});

test('replaces a stopped process if requested: its turns fail, later ones run in the new one', async () => {
  verifies('H-06', 'O-55');
  await using session = await openFake({}, { heartbeat: { ...HASTY, restart: true }, sessionId: 'kept' });
  const everything = session.events();
  const before = session.pid;
  const cut = session.prompt('hang');
  await session.heartbeat();
  void session.prompt('stop');
  expect(await failureOf(cut.result)).toMatchObject({ code: 'timeout' });
  expect(await session.prompt('echo again').result).toMatchObject({ sessionId: 'kept', text: 'again' });
  expect(session.pid).not.toBe(before);
  expect(await eventThat(everything, ({ kind }) => kind === 'restarted')).toMatchObject({
    reason: { code: 'timeout' },
  });
});

test('a killed process is reported with its signal, or replaced', async () => {
  const session = await openFake();
  const failures = await failuresOf(session, () => kill(session.pid ?? 0, 'SIGKILL'));
  for (const failure of failures)
    expect(failure).toMatchObject({ code: 'process_exited', data: { signal: 'SIGKILL' } });
  await session.close();

  await using lasting = await openFake({}, { heartbeat: { restart: true } });
  await lasting.heartbeat();
  expect(await failureOf(lasting.prompt('die').result)).toMatchObject({
    code: 'process_exited',
    data: { exitCode: 7 },
  });
  expect(await lasting.prompt('echo again').result).toMatchObject({ text: 'again' });
});

test('does not restart a process that exits before its first output', async () => {
  await using session = await openFake({ deaf: true }, { heartbeat: { restart: true } });
  const turn = session.prompt('die');
  expect(await failureOf(turn.result)).toMatchObject({ code: 'process_exited' });
  expect(session.isClosed()).toBe(true);
  expect(await failureOf(session.prompt('echo x').result)).toMatchObject({ code: 'process_exited' });
});

test('a busy host does not time out a heartbeat whose answer waits in the pipe', async () => {
  await using session = await openFake({}, { heartbeat: { intervalMs: 20, timeoutMs: 300 } });
  // The first heartbeat is out; this thread now sleeps past its deadline.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  await session.heartbeat();
  expect(await session.prompt('echo alive').result).toMatchObject({ text: 'alive' });
});

test('without heartbeats no process times out', async () => {
  await using quiet = await openFake({ deaf: true }, { heartbeat: false });
  expect(await failureOf(quiet.heartbeat({ timeoutMs: 50 }))).toMatchObject({ code: 'timeout' });
  expect(await quiet.prompt('echo alive').result).toMatchObject({ text: 'alive' });
  // A CLI that does not say that it answers them is not asked.
  await using foreign = await openFake({ deaf: true, capabilities: { heartbeat: false } }, { heartbeat: HASTY });
  expect(await failureOf(foreign.heartbeat())).toMatchObject({ code: 'unsupported_by_cli' });
  expect(await foreign.prompt('echo alive').result).toMatchObject({ text: 'alive' });
});

test('reports invalid lines and passes on unknown ones unchanged', async () => {
  verifies('S-07');
  const reported: string[] = [];
  await using session = await openFake({ noise: 'Welcome!\n' }, { stderr: (line) => reported.push(line) });
  const everything = session.events();
  expect(await session.prompt('garbage').result).toMatchObject({ text: 'still here' });
  await session.close();
  const events = await eventsOf(everything);
  expect(events.filter(({ kind }) => kind === 'invalid')).toHaveLength(4);
  expect(events).toContainEqual({ kind: 'unknown', value: { type: 'from_the_future', x: 1 } });
  expect(reported.join('\n')).toContain('npm WARN noise');
});

test('with a strict protocol a line that cannot be read ends the session', async () => {
  await using session = await openFake({}, { strictProtocol: true });
  expect(await failureOf(session.prompt('garbage').result)).toMatchObject({ code: 'invalid_json' });
});

test('a line of 15 MiB arrives complete, and the result does not need a reader of events', async () => {
  await using session = await openFake();
  const turn = session.prompt('long 15');
  expect((await turn.result).text).toHaveLength(15 * 1024 * 1024);
  // Its events were dropped, which a later reader gets as an error.
  expect(await failureOf(eventsOf(turn))).toMatchObject({ code: 'overloaded' });
});

test('a slow reader gets every byte', async () => {
  await using session = await openFake({}, { format: 'chunk' });
  const turn = session.prompt('much 160');
  let length = 0;
  for await (const event of turn) {
    if (event.kind === 'text') length += event.text.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(length).toBe(160 * 64 * 1024 + 'that was much'.length);
});

test('does not wait for a CLI that sends no receipt', async () => {
  const opening = openFake({ silent: true }, { timeout: { initialize: 100 } });
  expect(await failureOf(opening)).toMatchObject({ code: 'timeout' });
});

test('a CLI of another version, without chunks or without a control channel is refused by name', async () => {
  verifies('K-01', 'K-02');
  expect(await failureOf(openFake({ version: 99 }))).toMatchObject({
    code: 'unsupported_protocol',
    data: { theirs: 99 },
  });
  const noChunks = openFake({ capabilities: { chatCompletionChunk: false } }, { format: 'chunk' });
  expect(await failureOf(noChunks)).toMatchObject({ code: 'unsupported_by_cli' });
  const noChannel = { capabilities: { controlChannel: false } };
  const asks = openFake(noChannel, { canUseTool: () => ({ behavior: 'deny', message: '' }) });
  expect(await failureOf(asks)).toMatchObject({
    code: 'unsupported_by_cli',
    message: expect.stringContaining('options.canUseTool'),
  });
  await using plain = await openFake(noChannel);
  expect(await plain.prompt('echo ok').result).toMatchObject({ text: 'ok' });
});

test("reports the CLI's last line as the reason of its exit", async () => {
  verifies('K-06');
  expect(await failureOf(openFake({ fatal: true }))).toMatchObject({
    code: 'model_not_found',
    message: 'no such model',
  });
});

test('abort and close leave nothing pending and no process', async () => {
  const abortController = new AbortController();
  const aborted = await openFake({}, { abortController });
  const failures = await failuresOf(aborted, () => abortController.abort());
  for (const failure of failures) expect(failure).toMatchObject({ code: 'aborted' });
  await aborted.close();

  const early = new AbortController();
  const opening = openFake({ silent: true }, { abortController: early });
  early.abort();
  expect(await failureOf(opening)).toMatchObject({ code: 'aborted' });

  const closed = await openFake();
  const turn = closed.prompt('hang');
  const stream = closed.events();
  await closed.heartbeat();
  await closed.close();
  expect(await failureOf(turn.result)).toMatchObject({ code: 'channel_closed' });
  expect((await eventsOf(stream)).at(-1)).toMatchObject({ kind: 'heartbeat' });
  expect(await failureOf(closed.hints({ trigger: 'at', text: '@' }))).toMatchObject({ code: 'channel_closed' });
  await closed.close();
});

test('rejects invalid options by name', async () => {
  const wrong: readonly (readonly [object, string])[] = [
    [{ fromat: 'chunk' }, 'options.fromat does not exist'],
    [{ format: 'xml' }, 'options.format'],
    [{ resume: 'x' }, 'options.resume is an option of query()'],
    [{ heartbeat: { intervalMs: 0 } }, 'options.heartbeat'],
    [{ tools: [{ name: 'a b', description: '', parameters: {}, run: () => '' }] }, 'options.tools.0.name'],
  ];
  for (const [options, words] of wrong) {
    expect(await failureOf(openFake({}, options))).toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(words),
    });
  }
});
