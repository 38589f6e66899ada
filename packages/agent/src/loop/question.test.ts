import { expect, test } from 'vitest';
import {
  call,
  calling,
  createTestSession,
  DENY_ALL,
  results,
  runAll,
  ScriptedPermissions,
  saying,
  tool,
} from '../../test/scripted-engine.js';
import { ScriptedHooks } from '../../test/scripted-hooks.js';
import type { AgentSessionOptions } from '../session/options.js';

/** A question tool that returns the input as the answer changed it. */
const question = tool('question', {
  isQuestion: true,
  execute: (_input, { changedInput }) => Promise.resolve({ content: JSON.stringify(changedInput ?? 'as it was') }),
});

const run = async (options: Partial<AgentSessionOptions>) => {
  const { session } = createTestSession([calling(call('c1', 'question', { forged: 1 })), saying('ok')], {
    tools: [question],
    ...options,
  });
  const [result] = results(await runAll(session, 'go'));
  return result;
};

test('a question to the user is asked in every mode, whatever rules and hooks allow', async () => {
  const permissions = new ScriptedPermissions(() => ({ behavior: 'allow', updatedInput: { answers: { a: 'b' } } }));
  const answered = 'question: {"answers":{"a":"b"}}';
  const hooks = new ScriptedHooks({ PreToolUse: () => ({ permission: { behavior: 'allow', reason: 'fine' } }) });
  const rules = { allow: ['question'], ask: [], deny: [] };
  for (const permissionMode of ['default', 'plan', 'auto-edit', 'yolo'] as const) {
    expect(await run({ permissions, permissionMode, rules, hooks })).toBe(answered);
  }
  expect(permissions.questions).toHaveLength(4);
  expect(permissions.questions[0]?.suggestions.every(({ rules: offered }) => offered === undefined)).toBe(true);
});

test('text of the model is not an answer; denials and deny rules apply as usual', async () => {
  const passed = new ScriptedPermissions(() => ({ behavior: 'allow' }));
  expect(await run({ permissions: passed })).toBe('question: "as it was"');
  expect(await run({ permissions: DENY_ALL })).toContain('nobody is here');
  expect(await run({ permissions: passed, rules: { allow: [], ask: [], deny: ['question'] } })).toContain('forbids it');
});
