import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { listenForRedirect } from './redirect-listener.js';

test('only the right path with the right state is accepted, and only once', async () => {
  verifies('S100', 'S102');
  const listener = await listenForRedirect({ state: 'right' });
  const ask = (target: string) => fetch(new URL(target, listener.redirectUrl)).then(({ status }) => status);
  expect(await ask('/callback/more?code=x&state=right')).toBe(404);
  expect(await ask('/callback?code=x')).toBe(400);
  expect(await ask('/callback?code=x&state=wrong')).toBe(400);
  expect(await ask('/callback?code=good&state=right&iss=https%3A%2F%2Fa.example')).toBe(200);
  expect(await listener.answer).toEqual({ code: 'good', issuer: 'https://a.example' });
  await expect(ask('/callback?code=again&state=right')).rejects.toThrow('fetch failed');
});

test('it listens on this machine only', async () => {
  verifies('S102');
  const listener = await listenForRedirect({ state: 's' });
  expect(listener.redirectUrl.hostname).toBe('127.0.0.1');
  const outward = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  for (const { address } of outward) {
    const socket = connect({ host: address, port: Number(listener.redirectUrl.port) });
    const error = await new Promise((resolve) => socket.once('error', resolve).once('connect', () => resolve('open')));
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  }
  listener.close();
  await expect(listener.answer).rejects.toMatchObject({ code: 'mcp_auth_required' });
});

test('a refusal is reported with its code; other text is not repeated', async () => {
  for (const [error, expected] of [
    ['access_denied', 'access_denied'],
    ['<b>x\ny', 'the response contains no code'],
  ] as const) {
    const listener = await listenForRedirect({ state: 's' });
    await fetch(new URL(`?state=s&error=${encodeURIComponent(error)}`, listener.redirectUrl));
    await expect(listener.answer).rejects.toThrow(expected);
  }
});

test('a redirect address on another machine is refused', async () => {
  verifies('S102');
  const elsewhere = listenForRedirect({ state: 's', redirectUri: 'http://0.0.0.0:8080/x' });
  await expect(elsewhere).rejects.toMatchObject({ code: 'invalid_options' });
});
