import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { promisify } from 'node:util';
import { startByteServer } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type CliFixture, openCliFixture } from './cli-fixture.js';

const ANSWER = ['{"choices":[{"index":0,"delta":{"content":"Hello."},"finish_reason":"stop"}]}', '[DONE]']
  .map((payload) => `data: ${payload}\n\n`)
  .join('');
const AUTH = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A proxy that tunnels everything to one port. */
async function startTunnel(target: number) {
  const seen: { readonly place: string | undefined; readonly auth: string | undefined }[] = [];
  const server = createServer();
  server.on('connect', ({ url, headers }, socket) => {
    seen.push({ place: url, auth: headers['proxy-authorization'] });
    if (headers['proxy-authorization'] !== AUTH) return void socket.end('HTTP/1.1 407 Who are you\r\n\r\n');
    const upstream = connect(target, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    socket.pipe(upstream).pipe(socket);
    socket.on('error', () => upstream.destroy());
    upstream.on('error', () => socket.destroy());
  });
  const port = await listen(server);
  return { port, seen, close: () => void server.close() };
}

async function startSecureModel({ workspace }: CliFixture) {
  const [certFile, keyFile] = [workspace.resolve('cert.pem'), workspace.resolve('key.pem')];
  const subject = ['-subj', '/CN=model.example', '-addext', 'subjectAltName=DNS:model.example'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  await promisify(execFile)('openssl', ['req', '-x509', ...kind, '-keyout', keyFile, '-out', certFile, ...subject]);
  const server = createSecureServer(
    { cert: await readFile(certFile), key: await readFile(keyFile) },
    (_request, response) => response.end(ANSWER),
  );
  return { port: await listen(server), certFile, close: () => void server.close() };
}

async function ask(fixture: CliFixture, env: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const program = await fixture.start(['-p', 'go', '--model', 'm', '--retry-time', '0', ...args], {
    env: { ...fixture.env, OPENAI_API_KEY: 'k', ...env },
  });
  program.endInput();
  const { code } = await program.exited;
  return { code, stdout: program.lines.map(({ text }) => text).join('\n'), stderr: program.stderr };
}

test('https uses the tunnel of HTTPS_PROXY, with its user and password', async () => {
  await using fixture = await openCliFixture();
  const model = await startSecureModel(fixture);
  const tunnel = await startTunnel(model.port);
  const env = { OPENAI_BASE_URL: 'https://model.example/v1', NODE_EXTRA_CA_CERTS: model.certFile };
  const proxy = `http://user:p%40ss@127.0.0.1:${tunnel.port}`;
  expect(await ask(fixture, { ...env, https_proxy: proxy })).toMatchObject({ code: 0, stdout: 'Hello.' });
  expect(tunnel.seen).toEqual([{ place: 'model.example:443', auth: AUTH }]);
  const refused = await ask(fixture, { ...env, HTTPS_PROXY: `http://127.0.0.1:${tunnel.port}` });
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('The proxy returned 407');
  tunnel.close();
  model.close();
});

test('http sends the complete URL to the proxy; NO_PROXY and an empty flag bypass it', async () => {
  await using fixture = await openCliFixture();
  await using proxy = await startByteServer([{ chunks: [ANSWER] }]);
  await using model = await startByteServer([{ chunks: [ANSWER] }]);
  const env = { OPENAI_BASE_URL: 'http://model.example/v1' };
  expect(await ask(fixture, { ...env, HTTP_PROXY: proxy.url })).toMatchObject({ code: 0, stdout: 'Hello.' });
  expect(proxy.requests).toMatchObject([{ url: 'http://model.example/v1/chat/completions' }]);
  expect(proxy.requests[0]?.headers).toMatchObject({ host: 'model.example', authorization: 'Bearer k' });
  const here = { OPENAI_BASE_URL: `${model.url}/v1`, NO_PROXY: '' };
  await ask(fixture, here, ['--proxy', proxy.url]);
  expect(proxy.requests).toHaveLength(2);
  await ask(fixture, { ...here, HTTP_PROXY: proxy.url });
  await ask(fixture, { ...here, NO_PROXY: '127.0.0.1' }, ['--proxy', proxy.url]);
  await ask(fixture, here, ['--settings', JSON.stringify({ proxy: proxy.url }), '--proxy', '']);
  expect(proxy.requests).toHaveLength(2);
  expect(model.requests).toHaveLength(3);
});

test('the error for an unreachable proxy names it', async () => {
  await using fixture = await openCliFixture();
  const gone = await startByteServer([]);
  await gone[Symbol.asyncDispose]();
  const { code, stderr } = await ask(fixture, { OPENAI_BASE_URL: 'https://model.example/v1', HTTPS_PROXY: gone.url });
  expect(code).toBe(1);
  expect(stderr).toContain(`through the proxy ${gone.url.slice('http://'.length)} (ECONNREFUSED). Check --proxy`);
  expect(stderr).not.toContain('OPENAI_BASE_URL');
});
