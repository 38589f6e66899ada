import { expect, test } from 'vitest';
import { startByteServer } from './index.js';

test('sends bytes unchanged and records the requests', async () => {
  await using server = await startByteServer([
    { status: 418, headers: { 'x-a': 'b' }, chunks: ['da', Buffer.from('ta')] },
  ]);
  const response = await fetch(`${server.url}/path?q=1`, { method: 'POST', body: 'question' });
  expect(response.status).toBe(418);
  expect(response.headers.get('x-a')).toBe('b');
  expect(await response.text()).toBe('data');
  expect(server.requests).toMatchObject([{ method: 'POST', url: '/path?q=1', body: 'question' }]);
});

test('pauses within an answer until the test continues it', async () => {
  let release = (_text: string) => {};
  const second = new Promise<string>((resolve) => {
    release = resolve;
  });
  await using server = await startByteServer([{ chunks: ['first', second] }]);
  const { body } = await fetch(server.url);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  expect(await reader?.read()).toMatchObject({ value: 'first' });
  release('second');
  expect(await reader?.read()).toMatchObject({ value: 'second' });
  expect(await reader?.read()).toMatchObject({ done: true });
});

test('breaks connections in the requested ways', async () => {
  await using server = await startByteServer([
    { ending: 'reset' },
    { chunks: ['half'], ending: 'cut' },
    { chunks: ['half'], ending: 'reset' },
  ]);
  await expect(fetch(server.url)).rejects.toThrow('fetch failed');
  for (const _ of ['cut', 'reset']) {
    const response = await fetch(server.url);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  }
});

test('closing drops a pending answer', async () => {
  const server = await startByteServer([{ chunks: ['half'], ending: 'hang' }]);
  const response = await fetch(server.url);
  await server[Symbol.asyncDispose]();
  await expect(response.text()).rejects.toThrow('terminated');
});
