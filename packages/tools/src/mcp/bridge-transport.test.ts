import type { JsonRpcMessage } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type BridgeSend, ControlBridgeTransport } from './bridge-transport.js';

const ping = (id: number) => ({ jsonrpc: '2.0' as const, id, method: 'ping' });

async function start(send: BridgeSend) {
  const transport = new ControlBridgeTransport(send);
  const messages: unknown[] = [];
  const errors: Error[] = [];
  transport.onmessage = (message) => messages.push(message);
  transport.onerror = (error) => errors.push(error);
  await transport.start();
  return { transport, messages, errors };
}

test('the answer to a request comes back as a message', async () => {
  verifies('O-31', 'M-66');
  const { transport, messages } = await start((message) =>
    Promise.resolve({ jsonrpc: '2.0', id: message.id, result: {} }),
  );
  await transport.send(ping(7));
  expect(messages).toEqual([{ jsonrpc: '2.0', id: 7, result: {} }]);
});

test('an error of the bridge fails the request', async () => {
  verifies('M-66');
  const { transport } = await start(() => Promise.reject(new Error('no such server')));
  await expect(transport.send(ping(1))).rejects.toThrow('no such server');
});

test('a notification needs no answer, a request does', async () => {
  const { transport, messages } = await start(() => Promise.resolve(undefined));
  await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await expect(transport.send(ping(1))).rejects.toMatchObject({ code: 'mcp_failed' });
  expect(messages).toEqual([]);
});

test('a cancelled request is withdrawn, even with the ID 0', async () => {
  verifies('T9');
  const withdrawn = Promise.withResolvers<void>();
  const { transport } = await start((message, signal) => {
    if (message.id === undefined) return Promise.resolve(undefined);
    return new Promise<JsonRpcMessage>((_, reject) => {
      signal.addEventListener('abort', () => {
        withdrawn.resolve();
        reject(new Error('withdrawn'));
      });
    });
  });
  const request = expect(transport.send(ping(0))).rejects.toThrow('withdrawn');
  await transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } });
  await withdrawn.promise;
  await request;
});

test('invalid JSON-RPC is reported and dropped', async () => {
  verifies('T25');
  const { transport, messages, errors } = await start(() => Promise.resolve(undefined));
  for (const nonsense of [null, 'x', { jsonrpc: '1.0' }, { jsonrpc: '2.0', id: {} }]) transport.deliver(nonsense);
  expect(messages).toEqual([]);
  expect(errors).toHaveLength(4);
});

test('close notifies once, aborts pending requests and drops later messages', async () => {
  verifies('T5', 'T30');
  const { transport, messages } = await start(
    (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('ended')))),
  );
  let closes = 0;
  transport.onclose = () => {
    closes += 1;
  };
  const request = expect(transport.send(ping(1))).rejects.toThrow('ended');
  await transport.close();
  await transport.close();
  await request;
  transport.deliver({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  await expect(transport.send(ping(2))).rejects.toMatchObject({ code: 'channel_closed' });
  expect({ closes, messages }).toEqual({ closes: 1, messages: [] });
});
