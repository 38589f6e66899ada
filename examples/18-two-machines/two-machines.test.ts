import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hasRedisServer, programOnPath, RedisServer, says, startScriptedModel, temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';

const CLI = fileURLToPath(new URL('../../packages/cli/bin/qwen.js', import.meta.url));

test.runIf(hasRedisServer)('a conversation on one machine is known on the other', async () => {
  await using redis = await RedisServer.start();
  await using workspace = await temporaryFolder();
  await using home = await temporaryFolder();
  const replies = [says('Noted.'), says('2.40 EUR, as you said.')];
  await using model = await startScriptedModel(replies);
  const PATH = await programOnPath(workspace, 'qwen', CLI);
  const env = { PATH, HOME: home.path, QWEN_SERVER_STORE: redis.url, ...model.env };
  const main = join(import.meta.dirname, 'main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [main], { cwd: workspace.path, env });
  expect(stdout).toBe('one: Noted.\ntwo: 2.40 EUR, as you said.\n');
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('The espresso costs 2.40 EUR.');
});
