import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { readMcpConfig } from './mcp-servers.js';

const CONFIG = { mcpServers: { mine: { type: 'sdk', name: 'mine' }, theirs: { command: 'server', args: ['-x'] } } };

test('servers are classified by transport, from JSON and from files', async () => {
  await using folder = await temporaryFolder();
  const file = await folder.write('mcp.json', JSON.stringify({ mcpServers: { web: { url: 'http://127.0.0.1:1' } } }));
  expect(readMcpConfig([` ${JSON.stringify(CONFIG)}`, file])).toEqual({
    inApp: ['mine'],
    outside: {
      theirs: { origin: 'flag', config: { command: 'server', args: ['-x'] } },
      web: { origin: 'flag', config: { url: 'http://127.0.0.1:1' } },
    },
  });
  expect(readMcpConfig([])).toEqual({ inApp: [], outside: {} });
});

test.each(['{', '{}', '{"mcpServers":{"a":{"env":{"TOKEN":5}}}}', '/no/such/file', '{"mcpServers":"token"}'])(
  '%s is refused without showing JSON, which may hold tokens',
  (source) => {
    expect(() => readMcpConfig([source])).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(() => readMcpConfig([source])).not.toThrow(/TOKEN|"token"/);
  },
);
