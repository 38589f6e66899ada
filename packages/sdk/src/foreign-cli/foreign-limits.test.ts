import { expect, test } from 'vitest';
import { fitForeignTimeouts } from './foreign-limits.js';

const wants = { timeouts: {}, answersPermissions: true, hostsMcpServers: true };

test('timeouts that qwen-code accepts stay unchanged', () => {
  const timeouts = { canUseTool: 600_000, mcpRequest: 30_000 };
  expect(fitForeignTimeouts({ ...wants, timeouts })).toEqual({ shortfalls: [] });
  expect(fitForeignTimeouts(wants)).toEqual({ shortfalls: [] });
});

test.each([600_001, 0])('a permission timeout of %d is clipped and reported', (canUseTool) => {
  const fitted = fitForeignTimeouts({ ...wants, timeouts: { canUseTool } });
  expect(fitted).toMatchObject({
    canUseTool: 600_000,
    shortfalls: [{ code: 'unsupported_by_cli', data: { option: 'timeout.canUseTool', limitMs: 600_000 } }],
  });
});

test.each([30_001, 0])('a timeout of %d for in-process tools is reported', (mcpRequest) => {
  const { shortfalls, canUseTool } = fitForeignTimeouts({ ...wants, timeouts: { mcpRequest } });
  expect(canUseTool).toBeUndefined();
  expect(shortfalls).toMatchObject([{ code: 'unsupported_by_cli', data: { option: 'timeout.mcpRequest' } }]);
});

test('unused timeouts are not reported', () => {
  const timeouts = { canUseTool: 0, mcpRequest: 0 };
  expect(fitForeignTimeouts({ timeouts, answersPermissions: false, hostsMcpServers: false })).toEqual({
    shortfalls: [],
  });
});
