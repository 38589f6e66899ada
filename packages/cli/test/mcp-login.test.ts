import { readFile, stat } from 'node:fs/promises';
import { openOAuthWorld, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { control, openCliFixture } from './cli-fixture.js';

const NOTICE = { type: 'system', subtype: 'notice', data: { code: 'mcp_auth_required' } };

test('login waits for the user, keeps the token private, and logout forgets it', async () => {
  verifies('O-40', 'GAP-43', 'S105');
  await using world = await openOAuthWorld();
  await using fixture = await openCliFixture();
  const settings = { mcpServers: { guarded: { httpUrl: world.serverUrl.href } } };
  await fixture.workspace.write('home/.qwen/settings.json', JSON.stringify(settings));
  const login = await fixture.start(['mcp', 'login', 'guarded']);
  await fetch(await login.said(/sign in at (\S+)/));
  expect(await login.exited).toMatchObject({ code: 0 });
  expect(login.lines.map(({ text }) => text)).toEqual(['Signed in to guarded; it has 1 tools.']);
  const file = fixture.workspace.resolve('home/.qwen/mcp-tokens.json');
  const [token = ''] = world.tokens;
  expect(await readFile(file, 'utf8')).toContain(token);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(login.stderr).not.toContain(token);
  const logout = await fixture.start(['mcp', 'logout', 'guarded']);
  await logout.exited;
  expect(await readFile(file, 'utf8')).not.toContain(token);
});

test('in a session, a notice contains the address, the turn continues, and the tools appear after the sign-in', async () => {
  verifies('GAP-43', 'O-40', 'GAP-44');
  await using world = await openOAuthWorld();
  await using fixture = await openCliFixture([]);
  const agent = await fixture.startMachine();
  agent.send(
    control('init', {
      subtype: 'initialize',
      protocol_version: 1,
      mcpServers: { guarded: { type: 'http', url: world.serverUrl.href } },
    }),
  );
  const { data } = await agent.next(NOTICE);
  const { url, server_name: name } = Object(data);
  expect(name).toBe('guarded');
  await agent.next({ type: 'system', subtype: 'notice', data: { code: 'mcp_server_failed' } });
  agent.send(control('before', { subtype: 'mcp_server_status' }));
  expect(await agent.next({ type: 'control_response', response: { request_id: 'before' } })).toMatchObject({
    response: {
      response: { status: { guarded: 'disconnected' }, errors: { guarded: expect.stringContaining('sign-in') } },
    },
  });
  await fetch(url);
  await agent.next({ type: 'system', subtype: 'notice', data: { code: 'mcp_server_connected' } });
  agent.send(control('after', { subtype: 'mcp_server_status' }));
  expect(await agent.next({ type: 'control_response', response: { request_id: 'after' } })).toMatchObject({
    response: { response: { status: { guarded: 'connected' } } },
  });
  agent.endInput();
  expect(await agent.exited).toMatchObject({ code: 0 });
  expect(JSON.stringify(agent.lines)).not.toContain(world.tokens[0]);
});
