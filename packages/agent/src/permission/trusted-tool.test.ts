import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { ruleSet, uses } from '../../test/calls.js';
import { decide } from './decide.js';

test('a tool of a trusted server needs no question, but rules and plan mode take precedence', () => {
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

test('a tool that its server changed asks again, whatever allowed it', () => {
  verifies('S94');
  const verdict = (state: 'approved' | 'new' | 'changed', rules: Parameters<typeof ruleSet>[0], isTrusted = false) => {
    const call = { ...uses('mcp__db__query'), isTrusted, definition: { state: () => state } };
    const { behavior, decidedBy } = decide({ mode: 'default', rules: ruleSet(rules), call });
    return `${behavior} ${decidedBy}`;
  };
  for (const allow of [['mcp__db__query'], ['mcp__db__*'], ['mcp__db'], ['*'], ['mcp__*']]) {
    expect(verdict('approved', { allow })).toBe('allow allow_rule');
    expect(verdict('changed', { allow })).toBe('ask changed_tool');
  }
  expect(verdict('approved', {}, true)).toBe('allow trusted_tool');
  expect(verdict('changed', {}, true)).toBe('ask changed_tool');
  expect(verdict('changed', { deny: ['mcp__db'] })).toBe('deny deny_rule');
  // A user who names a tool knows it; a pattern may be older than the tool.
  expect(verdict('new', { allow: ['mcp__db__*', 'mcp__db__query'] })).toBe('allow allow_rule');
  expect(verdict('new', { allow: ['mcp__db__*'] })).toBe('ask changed_tool');
  expect(verdict('new', { allow: ['mcp__db'] }, true)).toBe('ask changed_tool');
});

test('a rule allows the tools of one MCP server, not of another whose name differs in case', () => {
  const judge = (kind: 'allow' | 'deny', rule: string, name: string) =>
    decide({ mode: 'default', rules: ruleSet({ [kind]: [rule] }), call: uses(name) }).behavior;
  for (const rule of ['mcp__db__query', 'mcp__db', 'mcp__db__*', 'mcp__db__que*']) {
    expect(judge('allow', rule, 'mcp__db__query')).toBe('allow');
    for (const other of ['mcp__DB__query', 'mcp__Db__query', 'mcp__db2__query']) {
      expect([rule, other, judge('allow', rule, other)]).toEqual([rule, other, 'ask']);
    }
    expect(judge('deny', rule, 'mcp__DB__query')).toBe('deny');
  }
  expect(judge('allow', 'MCP__DB__query', 'mcp__db__query')).toBe('ask');
});
