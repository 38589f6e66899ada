import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { ruleSet, uses } from '../../test/calls.js';
import { decide } from './decide.js';

test('a tool of a trusted server needs no question, but rules and plan mode win', () => {
  verifies('O-38');
  const call = { ...uses('mcp__db__query'), isTrusted: true };
  const verdict = (mode: 'default' | 'plan', rules: Parameters<typeof ruleSet>[0]) => {
    const { behavior, decidedBy } = decide({ mode, rules: ruleSet(rules), call });
    return `${behavior} ${decidedBy}`;
  };
  expect(verdict('default', {})).toBe('allow trusted_tool');
  expect(verdict('default', { ask: ['mcp__db__*'] })).toBe('ask ask_rule');
  expect(verdict('default', { deny: ['mcp__db__*'] })).toBe('deny deny_rule');
  expect(verdict('plan', {})).toBe('deny plan');
});
