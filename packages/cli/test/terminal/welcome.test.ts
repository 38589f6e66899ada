import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { STOP, textChunk } from '../cli-fixture.js';
import { READY, TerminalFixture } from './terminal-fixture.js';

const KEY = 'sk-pasted-into-the-welcome';
/** Empty variables count as unset. */
const NO_PROVIDER = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', OPENAI_MODEL: '' };

interface ProviderOptions {
  readonly port?: number;
  readonly key?: string;
  readonly models?: readonly string[];
}

/** Lists models and answers `Hello from MODEL.`; without `models`, a program that answers every request with HTML. */
async function startProvider({ port = 0, key, models }: ProviderOptions) {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      if (key !== undefined && request.headers.authorization !== `Bearer ${key}`) {
        response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"invalid key"}}');
      } else if (models === undefined) response.end('<html>Some other program</html>');
      else if (request.method === 'GET') response.end(JSON.stringify({ data: models.map((id) => ({ id })) }));
      else response.end(textChunk(`Hello from ${(JSON.parse(body) as { model: string }).model}.`) + STOP);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function contentsOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'credentials.json');
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))).join('\n');
}

test('a newcomer without a key gets an answer of a local server that starts after the program', async () => {
  await using _other = await startProvider({ port: 8000 });
  await using terminal = await TerminalFixture.open({ env: NO_PROVIDER, rows: 30 });
  await terminal.until('no model server answers');
  await using _ollama = await startProvider({ port: 11434, models: ['qwen3:8b'] });
  terminal.press('enter');
  await terminal.until('❯ 1. Ollama');
  expect(terminal.written).not.toContain('vLLM');
  terminal.press('enter');
  await terminal.until(READY);
  await terminal.send('hello');
  await terminal.until('Hello from qwen3:8b.');
  const settings = JSON.parse(await readFile(terminal.workspace.resolve('home/.qwen/settings.json'), 'utf8'));
  expect(settings).toMatchObject({
    provider: 'ollama',
    model: 'qwen3:8b',
    providers: { ollama: { baseUrl: 'http://127.0.0.1:11434/v1', models: ['qwen3:8b'] } },
  });
}, 60_000);

test('a pasted key of another endpoint is checked, used and never shown', async () => {
  await using provider = await startProvider({ key: KEY, models: ['large', 'small'] });
  await using terminal = await TerminalFixture.open({ env: NO_PROVIDER, rows: 30 });
  await terminal.until('Another endpoint');
  terminal.press('up', 'enter');
  await terminal.until('Base URL');
  terminal.type(`${provider.url}/v1`);
  terminal.press('enter');
  await terminal.until('Key for');
  terminal.paste('sk-of-another-account');
  terminal.press('enter');
  await terminal.until('invalid key');
  terminal.paste(`LLM_KEY="${KEY}"\n`);
  terminal.press('enter');
  await terminal.until('Choose a model');
  terminal.press('down', 'enter');
  await terminal.until(READY);
  await terminal.send('hello');
  await terminal.until('Hello from small.');
  expect(terminal.written).not.toContain(KEY);
  expect(await contentsOf(terminal.workspace.path)).not.toContain(KEY);
}, 60_000);

test('Esc continues without a model, Ctrl-C quits, and both store nothing', async () => {
  await using skipped = await TerminalFixture.open({ env: NO_PROVIDER, rows: 30 });
  await skipped.until('Another endpoint');
  skipped.press('escape');
  await skipped.until('No model is configured.');
  await using left = await TerminalFixture.open({ env: NO_PROVIDER, rows: 30 });
  await left.until('Another endpoint');
  left.press('down', 'enter');
  await left.until('Key for');
  left.type('sk-half');
  left.press('ctrl-c');
  expect(await left.exited()).toMatchObject({ exitCode: 0 });
  expect(await contentsOf(left.workspace.path)).not.toContain('sk-half');
}, 60_000);

test('/auth switches the provider of the running session, and /model remembers it', async () => {
  await using provider = await startProvider({ key: KEY, models: ['other-model'] });
  await using terminal = await TerminalFixture.open({ rows: 30 });
  await terminal.until(READY);
  await terminal.send('/auth');
  await terminal.until('Choose another provider');
  terminal.press('down', 'enter');
  await terminal.until('Another endpoint');
  terminal.press('up', 'enter');
  await terminal.until('Base URL');
  terminal.type(`${provider.url}/v1`);
  terminal.press('enter');
  await terminal.until('Key for');
  terminal.paste(KEY);
  terminal.press('enter');
  await terminal.until('Only in this session');
  terminal.press('enter');
  await terminal.until(/Switched to the model 127\.0\.0\.1-\d+\/other-model/);
  await terminal.send('hello');
  await terminal.until('Hello from other-model.');
  const file = terminal.workspace.resolve('home/.qwen/settings.json');
  expect(JSON.parse(await readFile(file, 'utf8'))).not.toHaveProperty('provider');
  await terminal.send('/model');
  await terminal.until('in new sessions');
  terminal.type('new sessions');
  await terminal.until('Search: new sessions');
  terminal.press('enter');
  await terminal.until('New sessions use');
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    provider: expect.stringContaining('127.0.0.1-'),
    model: 'other-model',
  });
}, 60_000);
