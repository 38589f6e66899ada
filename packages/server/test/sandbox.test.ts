import { existsSync } from 'node:fs';
import { calls, hasPrograms, isolatedEnvironment, says, startScriptedModel, temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createServer } from '../src/app/create-server.js';

const canRun = process.platform === 'linux' && hasPrograms('bwrap');

test.runIf(canRun)('commands of a session run in the sandbox of the settings or in a stricter one', async () => {
  const command = 'echo made > made; echo x > ../escaped';
  const turn = [calls({ name: 'run_shell_command', input: { command } }), says('done')];
  await using model = await startScriptedModel([...turn, ...turn]);
  await using folder = await temporaryFolder();
  await folder.write('home/.qwen/settings.json', JSON.stringify({ sandbox: { enabled: true } }));
  await folder.write('work/README.md', '');
  await using server = await createServer({
    store: 'memory:',
    token: 'a-token-of-this-test',
    workspace: folder.resolve('work'),
    launch: { env: isolatedEnvironment(folder.resolve('home'), model.env) },
  });
  const { url } = await server.listen({ port: 0 });
  const post = async (path: string, body: object) =>
    (
      await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).text();
  const ask = async (path: string, body: object) => JSON.parse(await post(path, body));
  const say = (sessionId: string) => post('/api/chat/stream', { sessionId, message: 'go' });

  const { sessionId: strict } = await ask('/api/session', { sandbox: 'read-only' });
  await say(strict);
  expect(existsSync(folder.resolve('work/made'))).toBe(false);

  const { sessionId } = await ask('/api/session', {});
  await say(sessionId);
  expect(await folder.read('work/made')).toBe('made\n');
  expect(existsSync(folder.resolve('escaped'))).toBe(false);
  const authorization = 'Bearer a-token-of-this-test';
  const listed = await fetch(`${url}/api/v1/cloud/sessions`, { headers: { authorization } });
  expect(await listed.json()).toMatchObject({ data: [{ sandbox: 'workspace-write' }, { sandbox: 'read-only' }] });
  const { events } = await ask('/api/chat/events', { sessionId });
  expect(events).toContainEqual(expect.objectContaining({ type: 'session.sandbox', sandbox: 'workspace-write' }));

  const { sessionId: loose } = await ask('/api/session', { sandbox: 'off' });
  expect(await say(loose)).toContain('The sandbox off is looser than workspace-write');
  expect(model.requests).toHaveLength(4);
});
