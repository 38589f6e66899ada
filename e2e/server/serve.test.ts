import { stat } from 'node:fs/promises';
import type { ServeModule } from '@qwen/cli/serve-module.js';
import { openCliFixture } from '@qwen/cli/test/cli-fixture.js';
import * as server from '@qwen/server';
import { calls, childrenOf, lastText, says, verifies, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { startServe } from './serve-client.js';

const slowly = [says('word '.repeat(2000)), says('fine')];
const ofType = (type: string) => (event: { readonly type: string }) => event.type === type;

test('the server package matches what the CLI loads at run time', () => {
  const serveModule: ServeModule = server;
  expect(Object.keys(serveModule)).toEqual(expect.arrayContaining(['createServer', 'readOrMintToken', 'ServerFile']));
});

test('the first line is the address, and the token is in a file that only its user can read', async () => {
  verifies('GAP-61', 'S63', 'Q-17');
  await using fixture = await openCliFixture([says('hello')]);
  const { url, program } = await startServe(fixture);
  expect(await program.said(/the token is in ([^"]+)/)).toBe(fixture.workspace.resolve('home/.qwen/server/token'));
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  const folder = fixture.workspace.resolve('home/.qwen/server');
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  for (const file of ['token', 'sessions.sqlite', 'events.sqlite']) {
    expect([file, (await stat(`${folder}/${file}`)).mode & 0o777]).toEqual([file, 0o600]);
  }
  const token = (await fixture.workspace.read('home/.qwen/server/token')).trim();
  expect(program.stderr).not.toContain(token);
});

test('after a kill during a turn the next start finds the same events, marks the turn, and runs the next one', async () => {
  verifies('F119', 'GAP-98');
  await using fixture = await openCliFixture(slowly, { tokensPerSecond: 50 });
  const first = await startServe(fixture);
  const { sessionId } = await first.say(undefined, 'talk');
  const before = await first.follow(sessionId, ofType('agent.content_block_delta'));
  const agents = childrenOf(first.program.pid);
  expect(agents.length).toBeGreaterThan(0);
  first.program.kill('SIGKILL');
  await first.program.exited;

  const second = await startServe(fixture);
  const marked = await second.follow(sessionId, ofType('session.status_idle'));
  expect(marked.slice(0, before.length)).toEqual(before);
  expect(marked.map(({ seq }) => seq)).toEqual(marked.map((_, index) => index + 1));
  expect(marked.slice(-6).map(({ type }) => type)).toEqual([
    'agent.content_block_stop',
    'agent.message_delta',
    'agent.message_stop',
    'agent.message',
    'turn.interrupted',
    'session.status_idle',
  ]);
  expect(marked.at(-2)).toMatchObject({ reason: 'server_crash' });
  for (const pid of agents) await waitUntilGone(pid);

  await second.say(sessionId, 'again');
  const after = await second.follow(sessionId, ofType('turn.ended'));
  expect(after.slice(0, marked.length)).toEqual(marked);
  expect(after.at(-1)).toMatchObject({ outcome: 'success', result: 'fine' });
  // The agent remembers what was said before the crash.
  expect(JSON.stringify(fixture.model.requests.at(-1)?.messages)).toContain('talk');
});

test('SIGTERM marks the running turn and ends the server with its agents; a second one ends it immediately', async () => {
  verifies('F132', 'GAP-11');
  await using fixture = await openCliFixture(slowly, { tokensPerSecond: 50 });
  const { program, say, follow } = await startServe(fixture);
  const { sessionId } = await say(undefined, 'talk');
  let agents: readonly number[] = [];
  const told = await follow(sessionId, ({ type }) => {
    if (type === 'agent.content_block_delta' && agents.length === 0) {
      agents = childrenOf(program.pid);
      program.kill('SIGTERM');
    }
    return type === 'turn.interrupted';
  });
  expect(agents.length).toBeGreaterThan(0);
  expect(told.at(-1)).toMatchObject({ reason: 'server_shutdown' });
  expect(await program.exited).toEqual({ code: 143, signal: null });
  for (const pid of agents) await waitUntilGone(pid);

  const again = await startServe(fixture);
  const more = await again.say(sessionId, 'more');
  expect(more.sessionId).toBe(sessionId);
  again.program.kill('SIGINT');
  await again.program.said(/shutting down/);
  again.program.kill('SIGINT');
  expect(await again.program.exited).toEqual({ code: 130, signal: null });
});

test("the programs that agents run do not inherit the server's token", async () => {
  verifies('S78');
  await using fixture = await openCliFixture([
    calls({ name: 'run_shell_command', input: { command: 'env' } }),
    (request) => says(lastText(request)),
  ]);
  const token = 'a-token-of-at-least-16-characters';
  await fixture.workspace.write('served/README.md', '');
  const workspace = fixture.workspace.resolve('served');
  const program = await fixture.start(['serve', '--port', '0', '--workspace', workspace, '--approval-mode', 'yolo'], {
    env: { ...fixture.env, QWEN_SERVER_TOKEN: token },
  });
  const url = await program.printed(/^http:.+$/);
  await program.said(/run everything without asking/);
  const answer = await fetch(`${url}/api/chat/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'what is in there?' }),
  });
  const text = await answer.text();
  expect(text).toContain('OPENAI_MODEL');
  expect(text).not.toContain(token);
});

test.each([
  [['--port', '70000'], 2, /--port needs a whole number from 0 to 65535/],
  [['--port', 'x'], 2, /--port/],
  [['--host', '0.0.0.0'], 2, /set QWEN_SERVER_TOKEN or --token/],
  [['--token', 'short'], 2, /at least 16/],
  [['--approval-mode', 'sometimes'], 2, /default, plan, auto-edit, yolo/],
  [['--no-such-flag'], 2, /no-such-flag/],
  [['--idle-timeout', '0'], 2, /--idle-timeout/],
  [['--tls-cert', 'cert.pem'], 2, /--tls-cert and --tls-key must be used together/],
  [['--tls-cert', 'missing.pem', '--tls-key', 'missing.pem'], 2, /missing\.pem/],
])('%j is refused by name', async (flags, code, message) => {
  await using fixture = await openCliFixture();
  const program = await fixture.start(['serve', ...flags]);
  expect((await program.exited).code).toBe(code);
  expect(program.stderr).toMatch(message);
});

test('an address in use and a store of another server end it with the reason', async () => {
  verifies('F131');
  await using fixture = await openCliFixture();
  const { url } = await startServe(fixture);
  const { port } = new URL(url);
  const samePort = await fixture.start(['serve', '--port', port, '--store', 'memory:']);
  expect(await samePort.exited).toEqual({ code: 1, signal: null });
  expect(samePort.stderr).toContain(`port ${port}`);
  const sameFolder = await fixture.start(['serve', '--port', '0']);
  expect(await sameFolder.exited).toEqual({ code: 1, signal: null });
  expect(sameFolder.stderr).toContain('Stop the other qwen serve');
});
