import { readFile } from 'node:fs/promises';
import { loadSettings } from '@qwen/host/config/load-settings.js';
import { findSecrets } from '@qwen/host/config/secret-settings.js';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runMcpAdd } from './add.js';

test.each([
  { apiKey: 'x' },
  { security: { auth: { apiKey: 'x' } } },
  { env: { OPENAI_API_KEY: 'x' } },
  { mcpServers: { a: { env: { GITHUB_TOKEN: 'x' } } } },
  { mcpServers: { a: { headers: { Authorization: 'Bearer x' } } } },
  { mcpServers: { a: { headers: { 'X-Api-Key': 'x' } } } },
  { mcpServers: { a: { oauth: { clientSecret: 'x' } } } },
  { mcpServers: { a: { oauth: { privateKey: 'x' } } } },
  { mcpServers: { a: { oauth: { assertion: 'x' } } } },
  { mcpServers: { a: { env: { DB_PASSWORD: 'x' } } } },
  { mcpServers: { a: { args: ['--key', 'ghp_0123456789012345678901234567890123456'] } } },
])('%j contains a secret', (settings) => {
  expect(findSecrets(settings)).toHaveLength(1);
});

test.each([
  { mcpServers: { a: { oauth: { tokenUrl: 'https://a', tokenParamName: 'access_token', privateKeyFile: '/k' } } } },
  { mcpServers: { token: { command: 'x' } } },
  { mcpServers: { a: { env: { GITHUB_TOKEN: '$GITHUB_TOKEN', OTHER_TOKEN: '', MAX_TOKENS: '100' } } } },
  { mcpServers: { a: { headers: { Authorization: 'Bearer $TOKEN' } } } },
  { permissions: { deny: ['Read(secret)'] } },
])('%j contains no secret', (settings) => {
  expect(findSecrets(settings)).toEqual([]);
});

test("a secret in a project's shared file prevents the start; in the user's files it is accepted", async () => {
  await using folder = await temporaryFolder();
  const [configDir, cwd] = [folder.resolve('home'), folder.resolve('repo')];
  const settings = '{\n  "mcpServers": {\n    "a": { "command": "x", "env": { "A_TOKEN": "hunter2" } }\n  }\n}\n';
  await folder.write('home/settings.json', settings);
  await folder.write('repo/.qwen/settings.local.json', settings);
  const load = () => loadSettings({ configDir, cwd, flags: {} });
  await expect(load()).resolves.toMatchObject({ mcpServers: [{ name: 'a' }] });
  const path = await folder.write('repo/.qwen/settings.json', settings);
  const told: unknown = await load().catch((thrown: unknown) => thrown);
  expect(told).toMatchObject({
    code: 'invalid_settings',
    message: expect.stringMatching(/line 3, column 37: .*mcpServers\.a\.env\.A_TOKEN: .*your own settings/),
    data: { path, key: 'mcpServers.a.env.A_TOKEN', line: 3, column: 37 },
  });
  expect(JSON.stringify([told, String(told)])).not.toContain('hunter2');
});

test('a server with a secret is not written into the file of a project', async () => {
  await using folder = await temporaryFolder();
  const before = '{} // mine\n';
  const path = await folder.write('repo/.qwen/settings.json', before);
  const add = (...words: string[]) =>
    runMcpAdd({
      words,
      environment: { QWEN_HOME: folder.resolve('home') },
      cwd: folder.resolve('repo'),
      print: async () => undefined,
      printError: () => undefined,
    });
  const words = ['docs', 'https://docs.example/mcp', '-H', 'Authorization: Bearer x'];
  await expect(add('--scope', 'project', ...words)).rejects.toMatchObject({ code: 'invalid_settings' });
  expect(await readFile(path, 'utf8')).toBe(before);
  await expect(add(...words)).resolves.toBe(0);
});
