import { expect, test } from 'vitest';
import { fitPeerClocks } from './peer-limits.js';

const wants = { timeouts: {}, answersPermissions: true, hostsMcpServers: true };

test('what the peer can meet is not touched', () => {
  const timeouts = { canUseTool: 600_000, mcpRequest: 30_000 };
  expect(fitPeerClocks({ ...wants, timeouts })).toEqual({ shortfalls: [] });
  expect(fitPeerClocks(wants)).toEqual({ shortfalls: [] });
});

test.each([600_001, 0])('a permission answer may not take %d: it is clipped, and that is told', (canUseTool) => {
  const fitted = fitPeerClocks({ ...wants, timeouts: { canUseTool } });
  expect(fitted).toMatchObject({
    canUseTool: 600_000,
    shortfalls: [{ code: 'unsupported_by_cli', data: { option: 'timeout.canUseTool', limitMs: 600_000 } }],
  });
});

test.each([30_001, 0])('a call of an in-process tool may not take %d: that is told', (mcpRequest) => {
  const { shortfalls, canUseTool } = fitPeerClocks({ ...wants, timeouts: { mcpRequest } });
  expect(canUseTool).toBeUndefined();
  expect(shortfalls).toMatchObject([{ code: 'unsupported_by_cli', data: { option: 'timeout.mcpRequest' } }]);
});

test('clocks that nobody uses are not mentioned', () => {
  const timeouts = { canUseTool: 0, mcpRequest: 0 };
  expect(fitPeerClocks({ timeouts, answersPermissions: false, hostsMcpServers: false })).toEqual({ shortfalls: [] });
});
