import type { HookOutput } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type HookAnswer, joinAnswers, readReplacement } from './join-outputs.js';

const said = (output: HookOutput): HookAnswer => ({ kind: 'output', output });
const decided = (permissionDecision: 'allow' | 'deny' | 'ask', permissionDecisionReason: string = permissionDecision) =>
  said({ hookSpecificOutput: { permissionDecision, permissionDecisionReason } });
const fault: HookAnswer = { kind: 'fault', message: 'It failed.', isBlocking: true };

test('empty outputs change nothing', () => {
  expect(joinAnswers('PreToolUse', [said({}), said({ systemMessage: 'Hi' })])).toEqual({});
});

test.each([
  [['allow', 'ask', 'deny'], 'deny'],
  [['deny', 'allow'], 'deny'],
  [['allow', 'ask'], 'ask'],
  [['ask', 'allow'], 'ask'],
  [['allow', 'allow'], 'allow'],
] as const)('%j together are %s', (decisions, behavior) => {
  verifies('GAP-49');
  const verdict = joinAnswers(
    'PreToolUse',
    decisions.map((decision) => decided(decision)),
  );
  expect(verdict).toEqual({ permission: { behavior, reason: behavior } });
});

test("of equal decisions the first one's reason applies", () => {
  expect(joinAnswers('PreToolUse', [decided('deny', 'one'), decided('deny', 'two')]).permission?.reason).toBe('one');
});

test('older names of a decision are read', () => {
  const [approve, block] = [said({ decision: 'approve' }), said({ decision: 'block', reason: 'No.' })];
  expect(joinAnswers('PreToolUse', [approve]).permission?.behavior).toBe('allow');
  expect(joinAnswers('PreToolUse', [approve, block])).toEqual({ permission: { behavior: 'deny', reason: 'No.' } });
});

test('contexts are in the order of registration, and the last changed input applies', () => {
  const answers = [1, 2].map((n) =>
    said({ hookSpecificOutput: { additionalContext: `context ${n}`, updatedInput: { n } } }),
  );
  expect(joinAnswers('PreToolUse', answers)).toEqual({
    additionalContext: 'context 1\n\ncontext 2',
    updatedInput: { n: 2 },
  });
});

test.each(['PostToolUse', 'UserPromptSubmit', 'Stop', 'SubagentStop', 'PreCompact'] as const)('%s blocks', (event) => {
  const answers = [
    said({ decision: 'block', reason: 'Tests fail.' }),
    said({ decision: 'block', reason: 'So does lint.' }),
  ];
  expect(joinAnswers(event, answers)).toEqual({ block: { reason: 'Tests fail.\nSo does lint.' } });
});

test.each(['SessionStart', 'SessionEnd', 'Notification'] as const)('%s cannot be blocked', (event) => {
  expect(joinAnswers(event, [said({ decision: 'block', reason: 'No.' })])).toEqual({});
});

test('only its own decision applies; members of another event have no effect', () => {
  verifies('S89');
  const output = { hookSpecificOutput: { permissionDecision: 'allow' as const, updatedInput: { command: 'rm' } } };
  expect(joinAnswers('PostToolUse', [said(output)])).toEqual({});
  expect(joinAnswers('Stop', [said(output)])).toEqual({});
});

test('a hook with continue: false ends the turn', () => {
  expect(joinAnswers('PostToolUse', [said({}), said({ continue: false, stopReason: 'Enough.' })])).toEqual({
    stop: { reason: 'Enough.' },
  });
  expect(joinAnswers('Stop', [said({ continue: true })])).toEqual({});
});

test.each([
  ['PreToolUse', { permission: { behavior: 'deny', reason: 'It failed.' } }],
  ['UserPromptSubmit', { block: { reason: 'It failed.' } }],
  ['PostToolUse', { withhold: { reason: 'It failed.' } }],
  ['SessionStart', { stop: { reason: 'It failed.' } }],
] as const)('a blocking fault at %s', (event, verdict) => {
  verifies('FB5');
  expect(joinAnswers(event, [said({}), fault])).toEqual(verdict);
  expect(joinAnswers(event, [{ ...fault, isBlocking: false }])).toEqual({});
});

test('an allow does not override the failure of another hook', () => {
  verifies('FB5');
  expect(joinAnswers('PreToolUse', [decided('allow'), fault]).permission?.behavior).toBe('deny');
});

test('texts lose control sequences and are limited in length', () => {
  verifies('S89');
  const verdict = joinAnswers('UserPromptSubmit', [
    said({
      decision: 'block',
      reason: 'a\u001b[2J\u202eb\u0007',
      hookSpecificOutput: { additionalContext: `one\n\ttwo\u009b${'x'.repeat(1_000_000)}` },
    }),
  ]);
  expect(verdict.block?.reason).toBe('a[2Jb');
  const { block } = joinAnswers('UserPromptSubmit', [said({ decision: 'block', reason: 'x'.repeat(1_000_000) })]);
  expect(block?.reason).toMatch(/^x{4000}\n\(996000 more characters were left out\)$/);
  expect(verdict.additionalContext).toMatch(/^one\n\ttwox{9992}\n\(990008 more characters were left out\)$/);
});

test('additions of an approval are dropped if another hook objects or fails', () => {
  const update = { type: 'setMode', mode: 'yolo', destination: 'session' };
  const allow = said({
    hookSpecificOutput: { decision: { behavior: 'allow', updatedInput: { a: 1 }, updatedPermissions: [update] } },
  });
  const deny = said({ hookSpecificOutput: { decision: { behavior: 'deny', message: 'No.', interrupt: true } } });
  expect(joinAnswers('PermissionRequest', [allow])).toEqual({
    permission: { behavior: 'allow', reason: 'A hook allows it.' },
    updatedInput: { a: 1 },
    updatedPermissions: [update],
  });
  expect(joinAnswers('PermissionRequest', [allow, deny])).toEqual({
    permission: { behavior: 'deny', reason: 'No.' },
    interrupts: true,
  });
  expect(joinAnswers('PermissionRequest', [allow, { ...fault, isBlocking: false }])).toEqual({
    permission: { behavior: 'ask', reason: 'It failed.' },
  });
  expect(joinAnswers('PermissionRequest', [fault, allow]).permission?.behavior).toBe('deny');
});

test.each([
  ['of a command', { stdout: 'out', stderr: '', interrupted: false }, 'out'],
  ['of a command with errors', { stdout: 'out', stderr: 'err', interrupted: false }, 'out\nerr'],
  ['of a file', { type: 'text', file: { filePath: '/a', content: 'text', numLines: 1, startLine: 1 } }, 'text'],
  ['of an MCP server', { content: 'text', isError: true }, 'text'],
])('a changed result %s replaces the text for the model', (_what, updatedToolOutput, content) => {
  expect(readReplacement({ hookSpecificOutput: { updatedToolOutput } })).toEqual({ content });
});

test.each([{ stdout: 1 }, { file: 'a' }, { file: { content: 1 } }, { content: 'text', other: 1 }])(
  'a replacement that is no result of a tool is refused: %j',
  (updatedToolOutput) => {
    expect(() => readReplacement({ hookSpecificOutput: { updatedToolOutput } })).toThrow('expected text or a list');
  },
);
