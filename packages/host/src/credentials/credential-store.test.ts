import { chmod, readFile, stat, symlink } from 'node:fs/promises';
import { delimiter } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '@qwen/testkit';
import { describe, expect, test, vi } from 'vitest';
import { CREDENTIALS_FILE } from '../config/config-dir.js';
import { CredentialStore } from './credential-store.js';

const KEY = 'sk-or-secret';

test('keys are in a private file, and processes that save at once lose none', async () => {
  await using folder = await temporaryFolder();
  const names = ['a', 'b', 'c', 'd', 'e'];
  const openStore = () => new CredentialStore(folder.resolve('config'), undefined);
  await Promise.all(names.map((provider) => openStore().save({ provider, key: `${KEY}-${provider}` })));
  const store = openStore();
  const listed = await store.list();
  const sorted = listed.toSorted((a, b) => a.provider.localeCompare(b.provider));
  expect(sorted.map(({ provider, key, place }) => [provider, key, place])).toEqual(
    names.map((name) => [name, `${KEY}-${name}`, 'file']),
  );
  expect((await stat(folder.resolve('config', CREDENTIALS_FILE))).mode & 0o777).toBe(0o600);
  expect((await stat(folder.resolve('config'))).mode & 0o777).toBe(0o700);
  expect(await store.remove('a')).toBe(true);
  expect(await store.remove('a')).toBe(false);
});

describe('a file that must not be used', () => {
  test.each<[string, (folder: TemporaryFolder) => Promise<unknown>, string]>([
    [
      'a link',
      async (folder) => symlink(await folder.write('other', '{}'), folder.resolve(CREDENTIALS_FILE)),
      'is a link',
    ],
    ['a folder', (folder) => folder.write(`${CREDENTIALS_FILE}/x`, ''), 'is not a file of qwen'],
    ['not JSON', (folder) => folder.write(CREDENTIALS_FILE, `{"key":"${KEY}`), 'does not have the expected format'],
    ['another version', (folder) => folder.write(CREDENTIALS_FILE, '{"version":2}'), 'the expected format'],
  ])('%s is neither read nor replaced', async (_name, prepare, message) => {
    await using folder = await temporaryFolder();
    await prepare(folder);
    const store = new CredentialStore(folder.path, undefined);
    const refusal = expect.objectContaining({ code: 'storage_unwritable', message: expect.stringContaining(message) });
    await expect(store.list()).rejects.toEqual(refusal);
    await expect(store.save({ provider: 'openai', key: KEY })).rejects.toEqual(refusal);
    await expect(store.list()).rejects.not.toMatchObject({ message: expect.stringContaining(KEY) });
  });
});

describe.skipIf(process.platform !== 'linux')('with a Secret Service', () => {
  /** Stores secrets in files and records its arguments. */
  const PROGRAM = `#!/bin/sh
here=$(dirname "$0")
echo "$@" >> "$here/arguments"
verb=$1
for account; do :; done
case $verb in
  store) [ -e "$here/locked" ] && { echo 'The keyring is locked' >&2; exit 1; }; cat > "$here/secret-$account" ;;
  lookup) [ -e "$here/secret-$account" ] || exit 1; cat "$here/secret-$account" ;;
  clear) rm "$here/secret-$account" 2>/dev/null || exit 1 ;;
esac
`;

  async function openKeychain(folder: TemporaryFolder): Promise<CredentialStore> {
    await chmod(await folder.write('bin/secret-tool', PROGRAM), 0o755);
    vi.stubEnv('PATH', `${folder.resolve('bin')}${delimiter}${process.env['PATH'] ?? ''}`);
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', 'unix:path=/nowhere');
    return new CredentialStore(folder.resolve('config'));
  }

  test('the key is in the keychain only and never an argument', async () => {
    await using folder = await temporaryFolder();
    const store = await openKeychain(folder);
    expect(await store.save({ provider: 'openrouter', key: KEY })).toMatchObject({ place: 'keychain' });
    expect(await store.list()).toMatchObject([{ provider: 'openrouter', place: 'keychain', key: KEY }]);
    expect(await readFile(folder.resolve('config', CREDENTIALS_FILE), 'utf8')).not.toContain(KEY);
    expect(await readFile(folder.resolve('bin/arguments'), 'utf8')).not.toContain(KEY);
    // A file replaces it everywhere.
    expect(await store.save({ provider: 'openrouter', key: `${KEY}-2`, place: 'file' })).toMatchObject({
      place: 'file',
    });
    expect(await store.list()).toMatchObject([{ place: 'file', key: `${KEY}-2` }]);
    await store.save({ provider: 'openrouter', key: KEY, place: 'keychain' });
    expect(await store.remove('openrouter')).toBe(true);
    expect(await store.list()).toEqual([]);
  });

  test('a keychain that refuses is reported, and a lost entry has a reason', async () => {
    await using folder = await temporaryFolder();
    const store = await openKeychain(folder);
    await store.save({ provider: 'openai', key: KEY });
    await folder.write('bin/locked', '');
    expect(await store.save({ provider: 'gemini', key: KEY })).toMatchObject({
      place: 'file',
      problem: expect.stringContaining('The keyring is locked'),
    });
    await expect(store.save({ provider: 'gemini', key: KEY, place: 'keychain' })).rejects.toMatchObject({
      code: 'storage_unwritable',
    });
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', '');
    expect(await new CredentialStore(folder.resolve('config')).list()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ provider: 'openai', problem: 'The keychain is not available in this session.' }),
      ]),
    );
  });
});
