import { realpath } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openServeFixture } from './serve-fixture.ts';

test('--workspace-root limits the folders in requests, commands and settings', async () => {
  verifies('S42');
  await using other = await temporaryFolder();
  await using root = await temporaryFolder();
  const elsewhere = await realpath(other.path);
  await root.write('project/a.txt', 'a');
  await root.write('more/b.txt', 'b');
  const base = await realpath(root.path);
  const flags = ['--workspace', `${base}/project`, '--workspace-root', base, '--workspace-root', `${base}/more`];
  await using fixture = await openServeFixture({ replies: [], flags });
  const ask = async (path: string, body: object) => {
    const answer = await fixture.post(path, body);
    return { status: answer.status, ...Object(await answer.json()) };
  };
  const { sessionId } = await ask('/api/session', {});
  for (const path of [elsewhere, '/tmp/..', `${base}/..`, fixture.home.path]) {
    expect(await ask('/api/session', { workspaceRoot: path })).toMatchObject({ status: 400, code: 'path_refused' });
  }
  const run = (command: string, args: string) => ask('/api/commands/execute', { sessionId, command, args });
  expect(await run('/directory', `add ${base}/more`)).toMatchObject({ status: 200 });
  const refused = JSON.stringify(await run('/directory', `add ${elsewhere}`));
  expect(refused).toContain('outside the allowed folders');
  expect(JSON.stringify(await run('/directory', 'show'))).not.toContain(elsewhere);

  await root.write('project/.qwen/settings.json', '{}');
  await fixture.home.write(
    '.qwen/settings.json',
    JSON.stringify({ permissions: { additionalDirectories: [elsewhere] } }),
  );
  const next = await ask('/api/session', {});
  const started = await ask('/api/commands/execute', {
    sessionId: next.sessionId,
    command: '/directory',
    args: 'show',
  });
  expect(JSON.stringify(started)).not.toContain('"success":true');
});

test('without a valid default workspace, each session must choose one', async () => {
  verifies('S42');
  await using root = await temporaryFolder();
  const base = await realpath(root.path);
  await expect(openServeFixture({ replies: [], flags: ['--workspace', '/'] })).rejects.toThrow(
    'The workspace / is refused: it is the root of a file system.',
  );
  await expect(openServeFixture({ replies: [], flags: ['--workspace-root', `${base}/missing`] })).rejects.toThrow(
    'does not exist or is not a folder',
  );
});
