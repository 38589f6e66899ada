import { expect, test } from 'vitest';
import { createSdkMcpServer } from './create-sdk-mcp-server.js';
import { createMcpMessageHandler } from './mcp-message-handler.js';
import { McpServerHost } from './mcp-server-host.js';
import { tool } from './tool.js';

function fixture(callLimitMs: number | undefined) {
  const withdrawn = Promise.withResolvers<void>();
  const { instance } = createSdkMcpServer({
    name: 'slow',
    tools: [
      tool('wait', 'Waits until it is withdrawn.', {}, (_input, { signal }) => {
        signal.addEventListener('abort', () => withdrawn.resolve(), { once: true });
        return new Promise<never>(() => undefined);
      }),
    ],
  });
  const host = new McpServerHost({
    servers: new Map([['slow', instance]]),
    notify: async () => undefined,
    onProblem: () => undefined,
  });
  host.start();
  const handler = createMcpMessageHandler(host, { callLimitMs: () => callLimitMs });
  const controller = new AbortController();
  const context = { signal: controller.signal, requestId: 'r' };
  const ask = (message: object) => handler({ server_name: 'slow', message: { jsonrpc: '2.0', ...message } }, context);
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  return { withdrawn, controller, host, ask, begin: () => ask({ id: 0, method: 'initialize', params }) };
}

test('withdraws a call shortly before the CLI times out and tells the model why', async () => {
  const { withdrawn, host, ask, begin } = fixture(200);
  await begin();
  const answer = await ask({ id: 1, method: 'tools/call', params: { name: 'wait', arguments: {} } });
  expect(answer).toEqual({
    error: null,
    mcp_response: {
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32001, message: 'The call was cancelled: this CLI allows at most 200 ms per call.' },
    },
  });
  await withdrawn.promise;
  await host.close();
});

test('a call that the CLI withdraws rejects', async () => {
  const { controller, host, ask, begin } = fixture(undefined);
  await begin();
  const answer = ask({ id: 1, method: 'tools/call', params: { name: 'wait', arguments: {} } });
  controller.abort();
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  await host.close();
});
