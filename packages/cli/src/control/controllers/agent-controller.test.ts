import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createControlFixture } from '../../../test/control-fixture.js';

const FILE = { name: 'reviewer', filePath: '/agents/reviewer.md' };

test.each([
  ['a list', [{ name: 'helper' }]],
  ['a map', { helper: { prompt: 'Help.' } }],
])('the answer to initialize lists the subagents of %s and those of files', async (_form, agents) => {
  verifies('O-42', 'M-21');
  const { app } = createControlFixture({ fileAgents: [FILE] });
  expect(await app.request('initialize', {})).toMatchObject({ agents: ['reviewer'] });
  expect(await app.request('initialize', { agents })).toMatchObject({ agents: ['helper', 'reviewer'] });
  expect(await app.request('initialize', {})).toMatchObject({ agents: ['helper', 'reviewer'] });
  expect(await app.request('initialize', { agents: null })).toMatchObject({ agents: ['reviewer'] });
});

test("of two with the same name, the app's applies", async () => {
  const { app, service } = createControlFixture({ fileAgents: [FILE] });
  await app.request('initialize', { agents: [{ name: 'reviewer', systemPrompt: 'Mine.' }] });
  expect(service.agent.agents).toEqual([{ name: 'reviewer', systemPrompt: 'Mine.' }]);
});

test('an invalid one is refused before anything changes', async () => {
  verifies('S54');
  const { app, service } = createControlFixture();
  const hooks = [{ event: 'Stop', callback_id: 'h1' }];
  const agents = [{ name: 'x,Bash(*)' }];
  await expect(app.request('initialize', { hooks, agents })).rejects.toMatchObject({ code: 'invalid_payload' });
  expect(service.hook.hooks).toEqual([]);
});
