import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { isClaudeAgentSdk, isSdkChannel } from './channel.js';

test.each([
  [{ channel: 'SDK' }, {}, true],
  [{}, { QWEN_CHANNEL: 'SDK' }, true],
  [{}, { GEMINI_CHANNEL: 'SDK' }, true],
  [{}, { CLAUDE_CODE_ENTRYPOINT: 'sdk-py' }, true],
  [{}, { CLAUDE_CODE_ENTRYPOINT: 'cli' }, false],
  [{ channel: 'web' }, { QWEN_CHANNEL: 'SDK' }, false],
  [{}, {}, false],
])('%j with %j: %s', (flags, environment, expected) => {
  verifies('A-24', 'M-76', 'CF-02');
  expect(isSdkChannel(flags, environment)).toBe(expected);
});

test('only the Claude Agent SDK is recognized as one', () => {
  expect(isClaudeAgentSdk({ CLAUDE_CODE_ENTRYPOINT: 'sdk-ts' })).toBe(true);
  expect(isClaudeAgentSdk({ QWEN_CHANNEL: 'SDK' })).toBe(false);
});
