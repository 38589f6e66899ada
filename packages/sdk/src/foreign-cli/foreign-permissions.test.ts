import type { ControlPayload, ControlResult } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { adaptPermissions } from './foreign-permissions.js';

const question = { tool_name: 'write_file', tool_use_id: 'c', input: { path: 'a', lines: [1, 2] } };

async function answerOf(
  own: ControlResult<'can_use_tool'>,
  { isForeignCli = true, asked = question }: { isForeignCli?: boolean; asked?: ControlPayload<'can_use_tool'> } = {},
) {
  let interrupts = 0;
  const handler = adaptPermissions(() => own, { isForeignCli: () => isForeignCli, interrupt: () => (interrupts += 1) });
  const answer = await handler(asked, { signal: new AbortController().signal, requestId: 'r' });
  return { answer, interrupts };
}

test('a changed input is a denial: qwen-code would ignore the change', async () => {
  const changed = { behavior: 'allow', updatedInput: { path: 'b', lines: [1, 2] } } as const;
  expect(await answerOf(changed)).toMatchObject({ answer: { behavior: 'deny', message: expect.any(String) } });
  expect(await answerOf(changed, { isForeignCli: false })).toEqual({ answer: changed, interrupts: 0 });
});

test('an unchanged input and user answers are allowed', async () => {
  const same = { behavior: 'allow', updatedInput: { lines: [1, 2], path: 'a' } } as const;
  expect(await answerOf(same)).toEqual({ answer: same, interrupts: 0 });
  const asked = { ...question, tool_name: 'ask_user_question' };
  const answers = { behavior: 'allow', updatedInput: { answers: { 'Which?': 'this' } } } as const;
  expect(await answerOf(answers, { asked })).toEqual({ answer: answers, interrupts: 0 });
});

test('a denial with interrupt also interrupts the turn', async () => {
  const deny = { behavior: 'deny', message: 'stop', interrupt: true } as const;
  expect(await answerOf(deny)).toEqual({ answer: deny, interrupts: 1 });
  expect(await answerOf(deny, { isForeignCli: false })).toEqual({ answer: deny, interrupts: 0 });
  expect(await answerOf({ behavior: 'deny', message: 'no' })).toMatchObject({ interrupts: 0 });
});
