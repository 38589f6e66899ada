import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { edits, reads, ruleSet, runs, uses } from '../../test/calls.js';
import { EVERYDAY } from '../../test/shell-commands.js';
import { decide } from './decide.js';
import { explainCall } from './explain.js';

const all = [...EVERYDAY.allow, ...EVERYDAY.ask];

test('everyday commands ask only if they may do more than read', () => {
  verifies('S11', 'S12', 'S13', 'S22');
  const behaviour = (command: string) => decide({ mode: 'default', rules: ruleSet({}), call: runs(command) }).behavior;
  expect(EVERYDAY.allow.filter((command) => behaviour(command) !== 'allow')).toEqual([]);
  expect(EVERYDAY.ask.filter((command) => behaviour(command) !== 'ask')).toEqual([]);
  expect(all.length).toBeGreaterThan(250);
});

test('plan mode runs only read-only commands', () => {
  verifies('M-47');
  const behaviour = (command: string) => decide({ mode: 'plan', rules: ruleSet({}), call: runs(command) }).behavior;
  expect(EVERYDAY.allow.filter((command) => behaviour(command) !== 'allow')).toEqual([]);
  expect(EVERYDAY.ask.filter((command) => behaviour(command) !== 'deny')).toEqual([]);
});

test('an explanation returns the decision and every rule that lost', () => {
  verifies('CF-47', 'CF-48');
  const rules = ruleSet({
    allow: ['Bash(git *)', 'Bash(npm test)', 'Edit(/src/**)', 'mcp__db__*'],
    ask: ['Bash(git push:*)', 'Edit(/src/secret/**)'],
    deny: ['Bash(rm:*)', 'Read(.env)'],
  });
  const calls = [
    ...all.map((command) => runs(command)),
    reads('.env'),
    edits('src/a'),
    edits('src/secret/a'),
    uses('mcp__db__x'),
  ];
  let compared = 0;
  for (const mode of ['default', 'plan', 'auto-edit', 'yolo'] as const) {
    for (const call of calls) {
      const { shadowed, parts, ...decision } = explainCall({ mode, rules, call });
      expect(decision).toEqual(decide({ mode, rules, call }));
      expect(parts.length > 0).toBe(call.command !== undefined);
      expect(shadowed.map(({ rule }) => rule)).not.toContain(decision.rule);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(200);
  expect(explainCall({ mode: 'default', rules, call: runs('git push && rm x') })).toMatchObject({
    behavior: 'deny',
    rule: 'Bash(rm:*)',
    shadowed: [
      { rule: 'Bash(git push:*)', behavior: 'ask' },
      { rule: 'Bash(git *)', behavior: 'allow' },
    ],
    parts: [
      { text: 'git push', behavior: 'allow', rule: 'Bash(git *)' },
      { text: 'rm x', behavior: 'ask' },
    ],
  });
});
