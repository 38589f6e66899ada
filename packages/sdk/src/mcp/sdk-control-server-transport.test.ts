import type { JsonRpcMessage } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createSdkMcpServer } from './create-sdk-mcp-server.js';
import { SdkControlServerTransport } from './sdk-control-server-transport.js';
import { tool } from './tool.js';

const never = new AbortController().signal;

/** A transport, and what the server behind it was given. */
function open(notified: JsonRpcMessage[] = []) {
  const transport = new SdkControlServerTransport({
    notify: (message) => {
      notified.push(message);
      return Promise.resolve();
    },
  });
  const given: JsonRpcMessage[] = [];
  transport.onmessage = (message) => given.push(message);
  return { transport, given, notified };
}

test('matches answers to requests in any order and distinguishes the ids 0 and "0"', async () => {
  verifies('T9', 'O-31', 'O-12');
  const { transport, given } = open();
  const first = transport.receive({ id: 0, method: 'a' }, never);
  const second = transport.receive({ id: '0', method: 'b' }, never);
  await transport.send({ id: '0', result: 'of b' });
  await transport.send({ id: 0, result: 'of a' });
  expect(await Promise.all([first, second])).toEqual([
    { id: 0, result: 'of a' },
    { id: '0', result: 'of b' },
  ]);
  expect(given).toHaveLength(2);
});

test('notifications need no answer, in either direction', async () => {
  const { transport, given, notified } = open();
  expect(await transport.receive({ method: 'notifications/initialized' }, never)).toBeUndefined();
  await transport.send({ method: 'notifications/message', params: {} });
  expect(given).toEqual([{ method: 'notifications/initialized' }]);
  expect(notified).toEqual([{ method: 'notifications/message', params: {} }]);
});

test('answers requests of the server immediately with "method not found"', async () => {
  const { transport, given } = open();
  await transport.send({ id: 7, method: 'sampling/createMessage' });
  await expect.poll(() => given).toMatchObject([{ id: 7, error: { code: -32_601 } }]);
});

test('a withdrawn call aborts its handler, and its late answer is dropped', async () => {
  verifies('F115');
  const server = createSdkMcpServer({
    name: 'local',
    tools: [
      tool('wait', '', {}, async (_args, { signal }) => {
        calling.abort();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        seen.push('aborted');
        return { content: [] };
      }),
    ],
  });
  const calling = new AbortController();
  const seen: string[] = [];
  const { transport } = open();
  await server.instance.connect(transport);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait', arguments: {} } };
  await expect(transport.receive(call, calling.signal)).rejects.toMatchObject({ code: 'cancelled' });
  await expect.poll(() => seen).toEqual(['aborted']);
  await transport.close();
});

test('closing rejects pending requests, notifies the server once, and stops all messages', async () => {
  verifies('T5', 'T8', 'T29', 'T30');
  const { transport } = open();
  let closed = 0;
  transport.onclose = () => {
    closed += 1;
    throw new Error('a server that fails to close');
  };
  const errors: string[] = [];
  transport.onerror = (error) => errors.push(error.message);
  const waiting = expect(transport.receive({ id: 1, method: 'a' }, never)).rejects.toMatchObject({
    code: 'channel_closed',
  });
  await transport.close();
  await transport.close();
  await waiting;
  expect([closed, errors]).toEqual([1, ['a server that fails to close']]);
  await expect(transport.send({ method: 'x' })).rejects.toMatchObject({ code: 'channel_closed' });
  await expect(transport.receive({ id: 2, method: 'a' }, never)).rejects.toMatchObject({ code: 'channel_closed' });
});

test('rejects an id in use and accepts it again after the answer', async () => {
  const { transport } = open();
  const first = transport.receive({ id: 1, method: 'a' }, never);
  await expect(transport.receive({ id: 1, method: 'b' }, never)).rejects.toMatchObject({ code: 'duplicate_request' });
  await transport.send({ id: 1, result: 1 });
  await first;
  const again = transport.receive({ id: 1, method: 'c' }, never);
  await transport.send({ id: 1, result: 2 });
  expect(await again).toMatchObject({ result: 2 });
});

test('two tools of one name, a bad name and a nameless server are refused', () => {
  const named = (name: string) => tool(name, '', {}, () => ({ content: [] }));
  expect(() => createSdkMcpServer({ name: 'x', tools: [named('a'), named('a')] })).toThrow(/two tools called a/);
  for (const options of [{ name: '' }, {}, { name: 'x', tools: 'now' }]) {
    expect(() => createSdkMcpServer(options as never)).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  }
  // @ts-expect-error -- a JavaScript app forgets the handler.
  expect(() => tool('now', 'The time.', {})).toThrow('the handler, the fourth argument, is not a function');
  for (const name of ['', 'two words', 'x'.repeat(129)]) {
    expect(() => named(name)).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  }
  for (const name of ['1st', 'get-weather', 'shop.search', 'x'.repeat(128)])
    expect(named(name)).toMatchObject({ name });
});
