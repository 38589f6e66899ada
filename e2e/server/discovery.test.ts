import { stat } from 'node:fs/promises';
import { findRunningServer, query } from '@qwen/sdk';
import { says, verifies, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openServeFixture, type ServeFixture } from './serve-fixture.ts';

const own = 'a-token-of-at-least-16-characters';
const environmentOf = ({ home }: ServeFixture) => ({ QWEN_HOME: home.resolve('.qwen') });
const noticeOf = ({ home }: ServeFixture) => home.resolve('.qwen/server/server.json');

test('an app finds a running server of its user, until the server exits', async () => {
  verifies('S110');
  await using fixture = await openServeFixture({ replies: [says('found')], flags: ['--token', own] });
  const server = await findRunningServer(environmentOf(fixture));
  expect(server).toEqual({ url: fixture.url, token: own });
  expect((await stat(noticeOf(fixture))).mode & 0o777).toBe(0o600);
  const results: string[] = [];
  for await (const message of query({ prompt: 'hello', options: { server } })) {
    if (message.type === 'result' && message.subtype === 'success') results.push(message.result ?? '');
  }
  expect(results).toEqual(['found']);
  process.kill(fixture.pid, 'SIGTERM');
  await waitUntilGone(fixture.pid);
  await expect(stat(noticeOf(fixture))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('the file left by a killed server is ignored', async () => {
  verifies('S110');
  await using fixture = await openServeFixture({ replies: [] });
  expect(await findRunningServer(environmentOf(fixture))).toMatchObject({ url: fixture.url });
  process.kill(fixture.pid, 'SIGKILL');
  await waitUntilGone(fixture.pid);
  expect((await stat(noticeOf(fixture))).isFile()).toBe(true);
  expect(await findRunningServer(environmentOf(fixture))).toBeUndefined();
});
