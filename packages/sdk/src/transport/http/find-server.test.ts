import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, rename, symlink } from 'node:fs/promises';
import { type TemporaryFolder, temporaryFolder, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { findRunningServer, findServerToken } from './find-server.js';

const url = 'http://127.0.0.1:4321';
const token = 'a-token-of-a-server-that-runs';

async function startTimeOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** Writes the file as a server does. */
async function leave(folder: TemporaryFolder, facts: object): Promise<void> {
  const text = JSON.stringify({ url, token, pid: process.pid, start_time: null, ...facts });
  await folder.write('server/server.json', text);
  await chmod(folder.resolve('server/server.json'), 0o600);
}

describe('a server that runs on this machine', () => {
  test('is found, with its token, under each name of its address', async () => {
    verifies('S110', 'F138');
    await using folder = await temporaryFolder();
    const environment = { QWEN_HOME: folder.path };
    expect(await findRunningServer(environment)).toBeUndefined();
    await leave(folder, {});
    await folder.write('server/token', 'of-another-one');
    expect(await findRunningServer(environment)).toEqual({ url, token });
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      expect(await findServerToken({ url: `http://${name}:4321` }, environment)).toBe(token);
    }
    expect(await findServerToken({ url: 'http://127.0.0.1:4322' }, environment)).toBe('of-another-one');
    expect(await findServerToken({ url: 'http://agents.example:4321' }, environment)).toBeUndefined();
  });

  test('is not found after it exited or if its pid belongs to another process', async () => {
    verifies('S110');
    await using folder = await temporaryFolder();
    const environment = { QWEN_HOME: folder.path };
    const other = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(other, 'spawn');
    const pid = other.pid ?? 0;
    if (process.platform === 'linux') {
      await leave(folder, { pid, start_time: await startTimeOf(pid) });
      expect(await findRunningServer(environment)).toEqual({ url, token });
      await leave(folder, { pid, start_time: '1' });
      expect(await findRunningServer(environment)).toBeUndefined();
    }
    await leave(folder, { pid });
    expect(await findRunningServer(environment)).toEqual({ url, token });
    other.stdin.end();
    await once(other, 'exit');
    expect(await findRunningServer(environment)).toBeUndefined();
  });

  test.skipIf(process.platform === 'win32')('is not trusted if others could have written its file', async () => {
    verifies('S110');
    await using folder = await temporaryFolder();
    const environment = { QWEN_HOME: folder.path };
    const path = folder.resolve('server/server.json');
    await leave(folder, {});
    await chmod(path, 0o644);
    expect(await findRunningServer(environment)).toBeUndefined();
    await chmod(path, 0o600);
    await rename(path, folder.resolve('elsewhere.json'));
    await symlink(folder.resolve('elsewhere.json'), path);
    expect(await findRunningServer(environment)).toBeUndefined();
  });

  test.each(['', 'no JSON', '{}', '[]', JSON.stringify({ url: 'nowhere', token, pid: 1, start_time: null })])(
    'the file %j is ignored',
    async (text) => {
      verifies('S110');
      await using folder = await temporaryFolder();
      await folder.write('server/server.json', text);
      await chmod(folder.resolve('server/server.json'), 0o600);
      expect(await findRunningServer({ QWEN_HOME: folder.path })).toBeUndefined();
    },
  );
});

describe('the token of a server', () => {
  test('comes from the option, the environment or the local file, in this order', async () => {
    await using folder = await temporaryFolder();
    await folder.write('server/token', 'of-the-file\n');
    const environment = { QWEN_HOME: folder.path, QWEN_SERVER_TOKEN: 'of-the-environment' };
    expect(await findServerToken({ url, token: 'given' }, environment)).toBe('given');
    expect(await findServerToken({ url }, environment)).toBe('of-the-environment');
    expect(await findServerToken({ url }, { QWEN_HOME: folder.path })).toBe('of-the-file');
    expect(await findServerToken({ url }, { QWEN_HOME: folder.resolve('elsewhere') })).toBeUndefined();
  });

  test('is not sent to another machine', async () => {
    await using folder = await temporaryFolder();
    await folder.write('server/token', 'of-the-file');
    for (const host of ['agents.example', '127.0.0.1.example', 'localhost.example', '10.0.0.1']) {
      expect(await findServerToken({ url: `https://${host}` }, { QWEN_HOME: folder.path })).toBeUndefined();
    }
  });
});
