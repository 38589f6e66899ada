import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { says, startByteServer } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type CliFixture, openCliFixture, STOP, textChunk } from './cli-fixture.js';

const KEY = 'sk-secret-of-the-test';
const LIST = {
  chunks: [JSON.stringify({ data: [{ id: 'some-model' }] })],
  headers: { 'content-type': 'application/json' },
};

/** Without the provider of the fixture. */
const withoutProvider = ({ env }: CliFixture, more: Readonly<Record<string, string>> = {}) => {
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, OPENAI_MODEL: _model, ...others } = env;
  return { ...others, ...more };
};

async function run(fixture: CliFixture, words: readonly string[], { input = '', env = withoutProvider(fixture) } = {}) {
  const program = await fixture.start(words, { env });
  program.write(input);
  program.endInput();
  const { code } = await program.exited;
  return { code, text: program.lines.map(({ text }) => text).join('\n'), stderr: program.stderr };
}

async function contentsBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'credentials.json');
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))).join('\n');
}

test('a key from stdin is checked, stored, used, reported and removed', async () => {
  await using server = await startByteServer([LIST, { chunks: [textChunk('Hello.'), STOP] }]);
  await using fixture = await openCliFixture();
  const before = await run(fixture, ['-p', 'go']);
  expect(before).toMatchObject({ code: 1, stderr: expect.stringContaining('Run "qwen auth login"') });
  const endpoint = ['--provider', 'work', '--base-url', `${server.url}/v1`, '--default'];
  const login = await run(fixture, ['auth', 'login', ...endpoint], { input: `export WORK_KEY="${KEY}"\n` });
  expect(login).toMatchObject({ code: 0, stderr: '' });
  expect(login.text).toContain('In use: openai at 127.0.0.1');
  expect(server.requests[0]).toMatchObject({ url: '/v1/models', headers: { authorization: `Bearer ${KEY}` } });

  const answered = await run(fixture, ['-p', 'go']);
  expect(answered).toMatchObject({ code: 0, text: 'Hello.' });
  expect(server.requests[1]).toMatchObject({
    url: '/v1/chat/completions',
    headers: { authorization: `Bearer ${KEY}` },
  });
  const status = await run(fixture, ['auth', 'status', '--json']);
  expect(JSON.parse(status.text)).toMatchObject({
    account: { credentialSource: 'the stored key of work' },
    model: 'some-model',
    stored: [{ provider: 'work', place: 'file' }],
  });
  const doctor = await run(fixture, ['doctor']);
  expect(doctor.text).toContain('the stored key of work');
  // The key is in one private file and nowhere else.
  const home = fixture.workspace.resolve('home');
  expect((await stat(join(home, '.qwen/credentials.json'))).mode & 0o777).toBe(0o600);
  expect(await contentsBelow(fixture.workspace.path)).not.toContain(KEY);
  expect([login, status, doctor, answered].map(({ text, stderr }) => text + stderr).join('')).not.toContain(KEY);

  expect(await run(fixture, ['auth', 'logout', '--provider', 'work'])).toMatchObject({ code: 0 });
  expect(await run(fixture, ['auth', 'logout', '--provider', 'work'])).toMatchObject({ code: 1 });
  expect(await run(fixture, ['auth', 'status'])).toMatchObject({ text: expect.not.stringContaining('stored key') });
}, 60_000);

test('a refused key, an endpoint that is no provider and a dead one store nothing', async () => {
  await using refusing = await startByteServer([{ status: 401, chunks: ['{"error":{"message":"bad key"}}'] }]);
  await using page = await startByteServer([{ chunks: ['<html>Hello</html>'] }]);
  await using listing = await startByteServer([LIST]);
  await using fixture = await openCliFixture();
  const login = (url: string, ...more: string[]) =>
    run(fixture, ['auth', 'login', '--provider', 'work', '--base-url', url, ...more], { input: KEY });
  const cases = [
    [await login(refusing.url), 'Check that the key is complete and belongs to work.'],
    [await login(page.url), 'did not return a list of models'],
    [await login('http://127.0.0.1:9'), '--no-check'],
    [await run(fixture, ['auth', 'login', '--provider', 'openai'], { input: 'sk-or-v1-x' }), 'key of OpenRouter'],
    [await run(fixture, ['auth', 'login', '--provider', 'openai'], { input: ' \n' }), 'The key is empty.'],
    [await run(fixture, ['auth', 'login', '--provider', 'opnai'], { input: KEY }), 'is not one of openrouter'],
    [await run(fixture, ['auth', 'login'], { input: KEY }), '--provider'],
  ] as const;
  for (const [{ code, stderr, text }, message] of cases) {
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
    expect(text + stderr).not.toContain(KEY);
  }
  await expect(stat(fixture.workspace.resolve('home/.qwen/credentials.json'))).rejects.toThrow('ENOENT');
  expect(await login('http://127.0.0.1:9', '--no-check')).toMatchObject({ code: 0 });
  const unlisted = await login(listing.url, '--model', 'sone-model');
  expect(unlisted).toMatchObject({ code: 0, stderr: expect.stringContaining('such as: some-model') });
}, 60_000);

test('variables win over stored keys, and a key only goes to its own address', async () => {
  await using server = await startByteServer([{ chunks: [textChunk('Hello.'), STOP] }]);
  await using fixture = await openCliFixture([says('Of the variables.')]);
  const store = ['auth', 'login', '--provider', 'openai', '--no-check', '--store', 'file'];
  expect(await run(fixture, store, { input: KEY })).toMatchObject({ code: 0 });
  const { env } = fixture;
  expect(await run(fixture, ['-p', 'go'], { env })).toMatchObject({ text: 'Of the variables.' });
  const status = await run(fixture, ['auth', 'status'], { env });
  expect(status.text).toContain('with OPENAI_API_KEY');
  expect(status.text).toContain('OPENAI_API_KEY is set and takes precedence');
  // The same name, but another address.
  const providers = { openai: { baseUrl: `${server.url}/v1`, models: ['m'] } };
  const moved = await run(fixture, ['-p', 'go', '--settings', JSON.stringify({ providers }), '--provider', 'openai']);
  expect(moved).toMatchObject({ code: 0, text: 'Hello.' });
  expect(JSON.stringify(server.requests)).not.toContain(KEY);
}, 60_000);

test('a broken file of keys is a notice; the tools never see a key', async () => {
  await using fixture = await openCliFixture([says('Hello.')]);
  const file = fixture.workspace.resolve('home/.qwen/credentials.json');
  await fixture.workspace.write('home/.qwen/x', '');
  await writeFile(fixture.workspace.resolve('elsewhere'), '{}');
  await symlink(fixture.workspace.resolve('elsewhere'), file);
  const answered = await run(fixture, ['-p', 'go'], { env: fixture.env });
  expect(answered).toMatchObject({ code: 0, text: 'Hello.', stderr: expect.stringContaining('is a link') });
  const doctor = await run(fixture, ['doctor'], { env: fixture.env });
  expect(doctor.text + doctor.stderr).toContain('is a link');
  const refused = await run(fixture, ['auth', 'login', '--provider', 'openai', '--no-check'], { input: KEY });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is a link') });
  expect(await readFile(fixture.workspace.resolve('elsewhere'), 'utf8')).toBe('{}');
}, 60_000);

test.skipIf(process.getuid?.() === 0)('a home that cannot be written is reported', async () => {
  await using fixture = await openCliFixture();
  await fixture.workspace.write('home/x', '');
  const home = fixture.workspace.resolve('home');
  await chmod(home, 0o500);
  const refused = await run(fixture, ['auth', 'login', '--provider', 'openai', '--no-check'], { input: KEY });
  await chmod(home, 0o700);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('.qwen cannot be created') });
});
