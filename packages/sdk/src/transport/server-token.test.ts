import { temporaryFolder } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { findServerToken } from './server-token.js';

describe('the token of a server', () => {
  test('given, of the environment, of the file of this machine: in this order', async () => {
    await using folder = await temporaryFolder();
    await folder.write('server/token', 'of-the-file\n');
    const environment = { QWEN_HOME: folder.path, QWEN_SERVER_TOKEN: 'of-the-environment' };
    const url = 'http://127.0.0.1:3000';
    expect(await findServerToken({ url, token: 'given' }, environment)).toBe('given');
    expect(await findServerToken({ url }, environment)).toBe('of-the-environment');
    expect(await findServerToken({ url }, { QWEN_HOME: folder.path })).toBe('of-the-file');
    expect(await findServerToken({ url }, { QWEN_HOME: folder.resolve('elsewhere') })).toBeUndefined();
  });

  test('the token of this machine goes to no other', async () => {
    await using folder = await temporaryFolder();
    await folder.write('server/token', 'of-the-file');
    for (const host of ['agents.example', '127.0.0.1.example', 'localhost.example', '10.0.0.1']) {
      expect(await findServerToken({ url: `https://${host}` }, { QWEN_HOME: folder.path })).toBeUndefined();
    }
  });
});
