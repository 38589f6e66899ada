import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openServeFixture } from './serve-fixture.ts';

const settings = {
  permissions: { deny: ['Read(**/*.secret)', 'Read(vault/**)', 'Edit(locked.txt)', 'Edit(locked/**)'] },
};

test('deny rules of the settings also apply to the file routes', async () => {
  verifies('S68', 'S33');
  await using fixture = await openServeFixture({ replies: [], settings });
  await fixture.workspace.write('open.txt', 'needle for everybody');
  await fixture.workspace.write('a/key.secret', 'needle of a key');
  await fixture.workspace.write('vault/plan.txt', 'needle of a plan');
  await fixture.workspace.write('locked.txt', 'as it was');
  const { sessionId } = Object(await (await fixture.post('/api/session', {})).json());
  const ask = async (path: string, body: object) => {
    const answer = await fixture.post(path, { sessionId, ...body });
    return { status: answer.status, ...Object(await answer.json()) };
  };
  const read = (path: string) => ask('/api/files/read', { path });
  expect(await read('open.txt')).toMatchObject({ status: 200, content: 'needle for everybody' });
  for (const path of ['a/key.secret', 'vault/plan.txt', './vault/../vault/plan.txt', 'vault/missing.txt']) {
    expect(await read(path)).toMatchObject({ status: 403, code: 'permission_denied' });
  }
  expect(await ask('/api/files/search', { pattern: 'needle' })).toMatchObject({
    status: 200,
    results: 'open.txt:1:needle for everybody',
  });
  expect((await ask('/api/files/list', { path: 'a' })).contents).toBe('');
  expect(await ask('/api/files/write', { path: 'locked.txt', content: 'x' })).toMatchObject({ status: 403 });
  expect(await ask('/api/files/write', { path: 'locked/new.txt', content: 'x' })).toMatchObject({ status: 403 });
  expect(await ask('/api/files/write', { path: 'open.txt', content: 'x' })).toMatchObject({ status: 200 });
  expect(await fixture.workspace.read('locked.txt')).toBe('as it was');
  const hints = await ask('/api/hints', { trigger: 'at', text: '@ke', cursor: 3 });
  expect(JSON.stringify(hints.suggestions)).not.toContain('key.secret');
});

test('they apply to the files of a command file, and an untrusted project can still deny', async () => {
  await using fixture = await openServeFixture({ replies: [says('never')], settings });
  await fixture.workspace.write('.qwen/settings.json', JSON.stringify({ permissions: { deny: ['Read(own.txt)'] } }));
  await fixture.workspace.write('a/key.secret', 'needle of a key');
  await fixture.workspace.write('own.txt', 'needle of the project');
  await fixture.workspace.write('.qwen/commands/show.toml', 'prompt = "see @{a/key.secret}"\n');
  await fixture.workspace.write('.qwen/commands/own.toml', 'prompt = "see @{own.txt}"\n');
  const { sessionId } = Object(await (await fixture.post('/api/session', {})).json());
  for (const command of ['show', 'own']) {
    const answer = await fixture.post('/api/commands/execute', { sessionId, command: `/${command}` });
    expect(answer.status).not.toBe(200);
    expect(await answer.text()).not.toContain('needle');
  }
  expect(fixture.model.requests).toEqual([]);
});

test('unreadable settings allow no file', async () => {
  verifies('S51');
  await using fixture = await openServeFixture({ replies: [] });
  await fixture.workspace.write('open.txt', 'words');
  const { sessionId } = Object(await (await fixture.post('/api/session', {})).json());
  await fixture.workspace.write('.qwen/settings.json', '{ no JSON');
  const answer = await fixture.post('/api/files/read', { sessionId, path: 'open.txt' });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: 'invalid_settings' });
});
