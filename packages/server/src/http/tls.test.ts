import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import type { SecureVersion } from 'node:tls';
import { promisify } from 'node:util';
import { hasPrograms, type TemporaryFolder, temporaryFolder, verifies } from '@qwen/testkit';
import { describe, expect, test, vi } from 'vitest';
import { rawExchange } from '../../test/raw-exchange.js';
import { createServer } from '../app/create-server.js';

const run = promisify(execFile);
const token = 'a-token-of-at-least-16-characters';

/** A self-signed certificate for this machine, and its key. */
async function makeCertificate(folder: TemporaryFolder) {
  const [certFile, keyFile] = [folder.resolve('cert.pem'), folder.resolve('key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  await run('openssl', ['req', '-x509', ...kind, '-keyout', keyFile, '-out', certFile, ...subject]);
  await chmod(keyFile, 0o600);
  return { certFile, keyFile };
}

interface AskOptions {
  readonly certFile: string;
  readonly maxVersion?: SecureVersion;
}

/** Status and protocol of an answer to a client that trusts the certificate. */
async function ask(url: string, { certFile, maxVersion }: AskOptions) {
  const ca = await readFile(certFile);
  // Old versions are not spoken at all without a lower level.
  const old = maxVersion === undefined ? {} : { maxVersion, minVersion: maxVersion, ciphers: 'DEFAULT@SECLEVEL=0' };
  return new Promise<{ readonly status: number | undefined; readonly body: string }>((resolve, reject) => {
    const asked = request(`${url}/health`, { ca, agent: false, ...old }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      answer.on('end', () => resolve({ status: answer.statusCode, body }));
    });
    asked.on('error', reject).end();
  });
}

describe.runIf(hasPrograms('openssl'))('TLS', () => {
  test('a changed certificate is used without a restart, an invalid one is not', async () => {
    await using folder = await temporaryFolder();
    const tls = await makeCertificate(folder);
    const noticed = Promise.withResolvers<string>();
    await using server = await createServer({ store: 'memory:', token, onNotice: noticed.resolve });
    const { url } = await server.listen({ port: 0, tls });
    const firstCertificate = await readFile(tls.certFile);
    await makeCertificate(folder);
    await vi.waitFor(async () => expect(await ask(url, tls)).toMatchObject({ status: 200 }), {
      timeout: 20_000,
      interval: 200,
    });
    await writeFile(tls.certFile, firstCertificate);
    expect(await noticed.promise).toContain('keeping the previous certificate');
  });

  test('accepts TLS 1.2 and newer, with the same guards', async () => {
    verifies('S80');
    await using folder = await temporaryFolder();
    const tls = await makeCertificate(folder);
    await using server = await createServer({ store: 'memory:', token });
    const { url, port } = await server.listen({ port: 0, tls });
    expect(url).toBe(`https://127.0.0.1:${port}`);
    expect(await ask(url, tls)).toMatchObject({ status: 200, body: expect.stringContaining('"ok"') });
    expect(await ask(url, { ...tls, maxVersion: 'TLSv1.2' })).toMatchObject({ status: 200 });
    await expect(ask(url, { ...tls, maxVersion: 'TLSv1.1' })).rejects.toMatchObject({
      code: /^E(?:SSL|CONNRESET|PROTO)/,
    });
    expect(await ask(`https://localhost:${port}`, tls)).toMatchObject({ status: 200 });
    // Plain words are not answered by an app.
    expect(await rawExchange(port, ['GET /health HTTP/1.1', `Host: 127.0.0.1:${port}`])).not.toContain('200');
  });

  test.each([
    ['a certificate that is not there', { certFile: 'missing.pem' }, /TLS certificate.*missing\.pem/],
    ['a key that is not there', { keyFile: 'missing.pem' }, /TLS key.*missing\.pem/],
    ['a key of another certificate', { keyFile: 'other/key.pem' }, /Cannot use the certificate/],
    ['a file that is not a certificate', { certFile: 'words.txt' }, /Cannot use the certificate/],
  ])('%s: the server does not listen', async (_, files, message) => {
    verifies('S80');
    await using folder = await temporaryFolder();
    await using other = await temporaryFolder();
    const { keyFile } = await makeCertificate(other);
    await folder.write('other/key.pem', await readFile(keyFile, 'utf8'));
    await chmod(folder.resolve('other/key.pem'), 0o600);
    await folder.write('words.txt', 'no certificate');
    const wrong = Object.fromEntries(Object.entries(files).map(([name, path]) => [name, folder.resolve(path)]));
    const tls = { ...(await makeCertificate(folder)), ...wrong };
    await using server = await createServer({ store: 'memory:', token });
    await expect(server.listen({ port: 0, tls })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(message),
    });
  });

  test('a private key that others can read is refused; one readable by its group is accepted, as clusters mount them', async () => {
    verifies('S80');
    await using folder = await temporaryFolder();
    const tls = await makeCertificate(folder);
    await using server = await createServer({ store: 'memory:', token });
    for (const mode of [0o604, 0o660, 0o644]) {
      await chmod(tls.keyFile, mode);
      await expect(server.listen({ port: 0, tls })).rejects.toMatchObject({ code: 'usage' });
    }
    await chmod(tls.keyFile, 0o440);
    expect(await ask((await server.listen({ port: 0, tls })).url, tls)).toMatchObject({ status: 200 });
  });
});

test('forwarded headers of a proxy change nothing', async () => {
  verifies('S80', 'S61');
  await using server = await createServer({ store: 'memory:', token, requireAuth: true });
  const { port } = await server.listen({ port: 0 });
  const asks = async (path: string, host: string) =>
    (
      await rawExchange(port, [
        `GET ${path} HTTP/1.1`,
        `Host: ${host}`,
        'X-Forwarded-Host: 127.0.0.1',
        `X-Forwarded-Host: 127.0.0.1:${port}`,
        'X-Forwarded-For: 127.0.0.1',
        'X-Forwarded-Proto: https',
        'X-Real-IP: 127.0.0.1',
        `Forwarded: for=127.0.0.1;host=127.0.0.1:${port};proto=https`,
      ])
    ).slice(9, 12);
  expect(await asks('/health', 'evil.test')).toBe('403');
  expect(await asks('/api/sessions/list', `127.0.0.1:${port}`)).toBe('401');
  expect(await asks('/health', `127.0.0.1:${port}`)).toBe('200');
});
