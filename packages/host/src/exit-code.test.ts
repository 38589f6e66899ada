import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { toExitCode } from './exit-code.js';

test.each([
  [new AgentError('usage', ''), 2],
  [new AgentError('unsupported_protocol', ''), 3],
  [new AgentError('missing_credentials', ''), 1],
  [new AgentError('channel_closed', ''), 1],
  [new AgentError('interrupted', ''), 130],
  [new Error('anything'), 1],
  ['text', 1],
])('%s', (thrown, exitCode) => {
  verifies('GAP-11');
  expect(toExitCode(thrown)).toBe(exitCode);
});
