import { stat } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { TokenFile } from './token-file.js';

const signedIn = (token: string) => ({ tokens: { access_token: token, token_type: 'Bearer', issuer: 'https://i' } });

test('concurrent sign-ins of several servers are all stored, separately, in a private file', async () => {
  verifies('S104', 'S105', 'S107');
  await using folder = await temporaryFolder();
  const file = new TokenFile(folder.path);
  const urls = Array.from({ length: 20 }, (_, at) => new URL(`https://a.example/${at}`));
  await Promise.all(urls.map((url) => file.of(url).save(signedIn(url.pathname))));
  const again = new TokenFile(folder.path);
  for (const url of urls) expect(await again.of(url).load()).toEqual(signedIn(url.pathname));
  expect(await again.of(new URL('https://b.example/1')).load()).toBeUndefined();
  expect(await again.of(new URL('https://a.example/1?session=2#x')).load()).toEqual(signedIn('/1'));
  expect((await stat(folder.resolve('mcp-tokens.json'))).mode & 0o777).toBe(0o600);
  await again.of(new URL('https://a.example/1')).save(undefined);
  expect(await again.of(new URL('https://a.example/1')).load()).toBeUndefined();
});

test('programs that renew tokens at the same time lose none', async () => {
  await using folder = await temporaryFolder();
  // Each of them reads and writes as if it were alone, like several processes.
  const saves = Array.from({ length: 12 }, (_, at) =>
    new TokenFile(folder.path).of(new URL(`https://a.example/${at}`)).save(signedIn(`${at}`)),
  );
  await Promise.all(saves);
  const again = new TokenFile(folder.path);
  for (const at of saves.keys()) {
    expect(await again.of(new URL(`https://a.example/${at}`)).load()).toEqual(signedIn(`${at}`));
  }
});

test.each(['{', '[]', '{"version":2}'])(
  'a file that contains %s has no sign-in and is replaced by the next one',
  async (text) => {
    await using folder = await temporaryFolder();
    await folder.write('mcp-tokens.json', text);
    const storage = new TokenFile(folder.path).of(new URL('https://a.example'));
    expect(await storage.load()).toBeUndefined();
    await storage.save(signedIn('x'));
    expect(await storage.load()).toEqual(signedIn('x'));
  },
);
