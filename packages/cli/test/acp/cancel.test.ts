import { type ByteServer, calls, processGone, says, startByteServer, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { STOP, textChunk } from '../cli-fixture.js';
import { type AcpFixture, failure, openAcpFixture, shareEditor } from './acp-fixture.js';

const share = shareEditor();

const CANCELLED = { stopReason: 'cancelled' };
const at = (fixture: AcpFixture, server: ByteServer) => ({ ...fixture.env, OPENAI_BASE_URL: `${server.url}/v1` });

test.each([
  ['session/cancel', (sessionId: string) => ({ sessionId })],
  ['$/cancel_request', () => ({ requestId: 'p' })],
])('a %s in the same packet as its prompt is not lost', async (method, paramsFor) => {
  const { editor, folder } = await share([says('hello again')]);
  const sessionId = await editor.newSession(folder.path);
  const prompt = { jsonrpc: '2.0', id: 'p', method: 'session/prompt' };
  const params = { sessionId, prompt: [{ type: 'text', text: 'never mind' }] };
  const cancel = { jsonrpc: '2.0', method, params: paramsFor(sessionId) };
  editor.send(`${JSON.stringify({ ...prompt, params })}\n${JSON.stringify(cancel)}`);
  await expect.poll(() => editor.lines.find(({ id }) => id === 'p')).toMatchObject({ result: CANCELLED });
  expect(await editor.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' });
  expect(editor.text()).toBe('hello again');
});

test('before the first token and while text streams, once or twice', async () => {
  await using server = await startByteServer([
    // The list of models, for the options of the session.
    { chunks: ['{"data":[]}'] },
    { chunks: [], ending: 'hang' },
    { chunks: [textChunk('Once upon')], ending: 'hang' },
    { chunks: [textChunk('Hello again.'), STOP] },
  ]);
  await using fixture = await openAcpFixture();
  const editor = await fixture.open({ env: at(fixture, server) });
  const sessionId = await editor.newSession(fixture.workspace.path);
  await expect.poll(() => server.requests.length).toBe(1);
  const cancel = () => editor.agent.notify('session/cancel', { sessionId });
  await cancel();
  const first = editor.prompt(sessionId, 'tell');
  await expect.poll(() => server.requests.length).toBe(2);
  await Promise.all([cancel(), cancel()]);
  expect(await first).toEqual(CANCELLED);
  const second = editor.prompt(sessionId, 'tell');
  await editor.until(() => editor.text() === 'Once upon');
  await Promise.all([cancel(), cancel()]);
  expect(await second).toEqual(CANCELLED);
  await cancel();
  expect(await editor.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' });
  expect(editor.text()).toBe('Once uponHello again.');
});

test('while a question waits: the question is withdrawn and the tool does not run', async () => {
  await using fixture = await openAcpFixture([
    calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'x' } }),
    says('hello again'),
  ]);
  let isWithdrawn = false;
  const editor = await fixture.open({
    asked: (_request, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          isWithdrawn = true;
          resolve('yes');
        });
      }),
  });
  const sessionId = await editor.newSession(fixture.workspace.path);
  const answer = editor.prompt(sessionId, 'write');
  await editor.until(() => editor.questions.length === 1);
  await editor.agent.notify('session/cancel', { sessionId });
  expect(await answer).toEqual(CANCELLED);
  await expect.poll(() => isWithdrawn).toBe(true);
  expect(editor.of('tool_call_update').at(-1)).toMatchObject({ status: 'failed' });
  expect(await editor.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' });
  await expect(fixture.workspace.read('a.txt')).rejects.toThrow(/ENOENT/);
});

test('a question that the client cancels ends the turn', async () => {
  const { editor, folder, requests } = await share(
    [calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'x' } }), says('not reached')],
    () => 'cancelled',
  );
  const sessionId = await editor.newSession(folder.path);
  expect(await editor.prompt(sessionId, 'write')).toEqual(CANCELLED);
  expect(requests()).toHaveLength(1);
});

const SLEEP = calls({ name: 'run_shell_command', input: { command: 'echo $$ > pid; sleep 1000' } });

async function sleeping(fixture: AcpFixture): Promise<number> {
  await expect.poll(() => fixture.workspace.read('pid').catch(() => ''), { timeout: 10_000 }).toMatch(/\d+\n/);
  return Number(await fixture.workspace.read('pid'));
}

test('while a command runs: its processes end, and so they do with session/close and $/cancel_request', async () => {
  await using fixture = await openAcpFixture([SLEEP]);
  const editor = await fixture.open({ args: ['--acp', '--yolo'] });
  const stop = new AbortController();
  const ways: ((sessionId: string) => unknown)[] = [
    (sessionId) => editor.agent.notify('session/cancel', { sessionId }),
    (sessionId) => editor.agent.request('session/close', { sessionId }),
    () => stop.abort(),
  ];
  for (const end of ways) {
    await fixture.workspace.write('pid', '');
    const sessionId = await editor.newSession(fixture.workspace.path);
    const prompt = [{ type: 'text' as const, text: 'sleep' }];
    const options = { cancellationSignal: stop.signal };
    const answer = editor.agent.request('session/prompt', { sessionId, prompt }, options);
    const pid = await sleeping(fixture);
    await end(sessionId);
    expect(await answer).toEqual(CANCELLED);
    await waitUntilGone(pid);
  }
});

test('a prompt during another one is refused, and the first one continues', async () => {
  const { editor, folder } = await share(
    [calls({ name: 'write_file', input: { file_path: 'a', content: '' } }), says('done')],
    () => promise,
  );
  const { promise, resolve } = Promise.withResolvers<string>();
  const sessionId = await editor.newSession(folder.path);
  const first = editor.prompt(sessionId, 'write');
  await editor.until(() => editor.questions.length === 1);
  expect(await failure(editor.prompt(sessionId, 'me too'))).toMatchObject({ code: -32600, message: /already running/ });
  resolve('yes');
  expect(await first).toEqual({ stopReason: 'end_turn' });
});

test.each([
  ['ends its input', (editor: { endInput(): void }) => editor.endInput()],
  ['closes both pipes', (editor: { vanish(): void }) => editor.vanish()],
])('when the client %s during a command, the program exits with 0 and leaves no process', async (_name, leave) => {
  await using fixture = await openAcpFixture([SLEEP]);
  const editor = await fixture.open({ args: ['--acp', '--yolo'] });
  const sessionId = await editor.newSession(fixture.workspace.path);
  editor.prompt(sessionId, 'sleep').catch(() => undefined);
  const pid = await sleeping(fixture);
  leave(editor);
  expect(await editor.exited).toBe(0);
  await expect.poll(() => processGone(pid)).toBe(true);
});

test('when the client leaves during a question, the tool does not run', async () => {
  await using fixture = await openAcpFixture([
    calls({ name: 'write_file', input: { file_path: 'a.txt', content: '' } }),
  ]);
  const editor = await fixture.open({ asked: () => new Promise(() => undefined) });
  const sessionId = await editor.newSession(fixture.workspace.path);
  editor.prompt(sessionId, 'write').catch(() => undefined);
  await editor.until(() => editor.questions.length === 1);
  editor.endInput();
  expect(await editor.exited).toBe(0);
  await expect(fixture.workspace.read('a.txt')).rejects.toThrow(/ENOENT/);
});
