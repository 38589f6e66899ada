import { query, type SDKMessage } from '@qwen/sdk';
import { childrenOf, says, startLineProcess, verifies, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CLI, collect, openFixture, results } from '../spine/fixture.ts';

/** `qwen serve` as a user starts it. */
async function serve(env: Record<string, string>, cwd: string, port = '0') {
  const server = await startLineProcess({
    command: process.execPath,
    args: [CLI, 'serve', '--port', port, '--store', 'memory:'],
    env,
    cwd,
  });
  return { server, url: await server.printed(/http:\/\/\S+/) };
}

test('a killed server ends its CLIs; a new server at the same address resumes the session', async () => {
  verifies('FB18');
  await using fixture = await openFixture([says('first'), says('slow '.repeat(4_000)), says('second')], {
    tokensPerSecond: 200,
  });
  const { env, workspace } = fixture;
  // The folder of the fixture contains the home folder, so it cannot be a workspace.
  await workspace.write('served/README.md', '');
  const folder = workspace.resolve('served');
  const { server: first, url } = await serve(env, folder);
  await using _first = first;
  const token = (await workspace.read('home/.qwen/server/token')).trim();
  const place = { url, token };
  const opening = query({ prompt: 'one', options: { server: place } });
  const { sessionId } = opening;
  expect(results(await collect(opening))).toMatchObject([{ result: 'first' }]);

  const cutOff = query({ prompt: 'two', options: { server: place, resume: sessionId, includePartialMessages: true } });
  const streams = Promise.withResolvers<void>();
  const run = (async () => {
    const messages: SDKMessage[] = [];
    for await (const message of cutOff) {
      messages.push(message);
      if (message.type === 'stream_event') streams.resolve();
    }
    return messages;
  })();
  await streams.promise;
  const family = childrenOf(first.pid);
  expect(family.length).toBeGreaterThan(0);
  first.kill('SIGKILL');
  for (const pid of family) await waitUntilGone(pid);
  const { server: second } = await serve(env, folder, new URL(url).port);
  await using _second = second;
  await expect(run).rejects.toMatchObject({ code: 'process_exited', data: { sessionId } });
  const again = query({ prompt: 'three', options: { server: place, resume: sessionId } });
  expect(results(await collect(again))).toMatchObject([{ result: 'second', session_id: sessionId }]);
});
