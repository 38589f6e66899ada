import { stat } from 'node:fs/promises';
import { findRunningServer, query } from '@qwen/sdk';
import { says, verifies, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openServeStage, type ServeStage } from './serve-stage.ts';

const own = 'a-token-of-at-least-16-characters';
const environmentOf = ({ home }: ServeStage) => ({ QWEN_HOME: home.resolve('.qwen') });
const noticeOf = ({ home }: ServeStage) => home.resolve('.qwen/server/server.json');

test('a server that runs is found by an app of its user, and no more once it has ended', async () => {
  verifies('S110');
  await using stage = await openServeStage({ replies: [says('found')], flags: ['--token', own] });
  const server = await findRunningServer(environmentOf(stage));
  expect(server).toEqual({ url: stage.url, token: own });
  expect((await stat(noticeOf(stage))).mode & 0o777).toBe(0o600);
  const results: string[] = [];
  for await (const message of query({ prompt: 'hello', options: { server } })) {
    if (message.type === 'result' && message.subtype === 'success') results.push(message.result ?? '');
  }
  expect(results).toEqual(['found']);
  process.kill(stage.pid, 'SIGTERM');
  await waitUntilGone(stage.pid);
  await expect(stat(noticeOf(stage))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('what a killed server has left is not believed', async () => {
  verifies('S110');
  await using stage = await openServeStage({ replies: [] });
  expect(await findRunningServer(environmentOf(stage))).toMatchObject({ url: stage.url });
  process.kill(stage.pid, 'SIGKILL');
  await waitUntilGone(stage.pid);
  expect((await stat(noticeOf(stage))).isFile()).toBe(true);
  expect(await findRunningServer(environmentOf(stage))).toBeUndefined();
});
