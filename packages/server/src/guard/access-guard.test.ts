import { chmod, lstat, readFile, symlink, writeFile } from 'node:fs/promises';
import { createFakeClock, temporaryFolder, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { startGuardedServer } from '../../test/guarded-server.js';
import { upTo } from '../../test/log-readers.js';
import { RawClient } from '../../test/raw-client.js';
import { accessGuard } from './access-guard.js';
import { readOrMintToken } from './token-file.js';

const TOKEN = 'a-token-of-some-length';
const start = (nowMs?: () => number) =>
  startGuardedServer(() => [accessGuard({ token: TOKEN, isTokenNeeded: () => true, nowMs })]);

describe('tokens', () => {
  test('every route requires it and states how', async () => {
    await using server = await start();
    for (const path of ['/echo', '/no-such-route']) {
      const answer = await fetch(server.url + path, { method: 'POST' });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="qwen"']);
      expect(await answer.json()).toMatchObject({ error: { code: 'unauthorized' } });
    }
    expect(server.reached).toEqual([]);
  });

  test.each([
    'Authorization: ',
    'Authorization: Bearer',
    'Authorization: Bearer ',
    `Authorization: Basic ${TOKEN}`,
    `Authorization: ${TOKEN}`,
    `Authorization: Bearer ${TOKEN.slice(0, -1)}`,
    `Authorization: Bearer ${TOKEN}x`,
    `Authorization: Bearer ${TOKEN} ${TOKEN}`,
    `Authorization: Bearer ${TOKEN.toUpperCase()}`,
    `Authorization: Bearer ${'x'.repeat(10_000)}`,
    `Authorization: Bearer ${TOKEN}\r\nAuthorization: Bearer ${TOKEN}`,
    `X-Token: ${TOKEN}`,
  ])('%s is wrong', async (line) => {
    verifies('S56');
    await using server = await start();
    using client = await RawClient.connect(server.port);
    client.get(`/echo?token=${TOKEN}`, line);
    expect(await client.status()).toBe(401);
    expect(client.received).not.toContain(TOKEN);
    expect(server.reached).toEqual([]);
  });

  test.each([`Bearer ${TOKEN}`, `bearer  ${TOKEN}`])('%s is right', async (authorization) => {
    await using server = await start();
    expect((await fetch(`${server.url}/echo`, { headers: { authorization } })).status).toBe(200);
  });

  test('wrong tokens are delayed; right ones and missing ones are not', async () => {
    verifies('S57');
    const clock = createFakeClock();
    await using server = await start(() => clock.nowMs());
    const statusOf = async (token?: string) =>
      (await fetch(`${server.url}/echo`, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }))
        .status;
    for (const n of upTo(100)) expect(await statusOf(`guess-${n}`)).toBe(401);
    expect([await statusOf('guess-101'), await statusOf(TOKEN), await statusOf()]).toEqual([429, 200, 401]);
    clock.advance(60_000);
    expect(await statusOf('guess-102')).toBe(401);
  });
});

describe('the token file', () => {
  test('is created once, readable only by its owner, with 256 random bits', async () => {
    verifies('S57', 'S63');
    await using folder = await temporaryFolder();
    const path = folder.resolve('qwen/server-token');
    const tokens = await Promise.all(upTo(20).map(() => readOrMintToken(path)));
    expect(new Set(tokens).size).toBe(1);
    expect(Buffer.from(tokens[0] ?? '', 'base64url')).toHaveLength(32);
    expect((await lstat(path)).mode & 0o777).toBe(0o600);
    expect((await lstat(folder.resolve('qwen'))).mode & 0o777).toBe(0o700);
    expect(await readOrMintToken(path)).toBe(tokens[0]);
    expect(await readOrMintToken(folder.resolve('other/token'))).not.toBe(tokens[0]);
  });

  test('a file that others can read, that is a link, or that contains something else is refused', async () => {
    verifies('S63');
    await using folder = await temporaryFolder();
    const refused = { code: 'storage_unwritable' };
    const path = folder.resolve('token');
    const token = await readOrMintToken(path);
    await chmod(path, 0o644);
    await expect(readOrMintToken(path)).rejects.toMatchObject(refused);
    await chmod(path, 0o600);
    await symlink(path, folder.resolve('link'));
    await expect(readOrMintToken(folder.resolve('link'))).rejects.toMatchObject(refused);
    await writeFile(folder.resolve('short'), 'secret\n', { mode: 0o600 });
    await expect(readOrMintToken(folder.resolve('short'))).rejects.toMatchObject(refused);
    await expect(readOrMintToken(`${path}/below`)).rejects.toMatchObject(refused);
    expect((await readFile(path, 'utf8')).trim()).toBe(token);
  });
});
