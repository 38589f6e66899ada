import type { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import type { ConfirmQuestion, OnConfirm } from './confirm.js';
import { createConfirmHandlers } from './confirm.js';

const context = { requestId: 'r', signal: new AbortController().signal };
const COMMANDS = { commands: ['ls', 'rm x'], raw: '/tidy' };

function serve(onConfirm?: OnConfirm) {
  const problems: AgentError[] = [];
  return { problems, handlers: createConfirmHandlers(onConfirm, (problem) => problems.push(problem)) };
}

test('without a callback every confirmation is cancelled', async () => {
  verifies('J-09', 'F-27', 'F-28');
  const { handlers, problems } = serve();
  const no = { confirmationOutcome: 'cancel' };
  expect(await handlers.confirm_shell_commands(COMMANDS, context)).toEqual(no);
  expect(await handlers.confirm_action({ prompt: 'Sure?', raw: '/x' }, context)).toEqual(no);
  expect(await handlers.quit_confirmation({ prompt: 'Leave?' }, context)).toEqual(no);
  expect(problems).toEqual([]);
});

test('approval of some commands lists them', async () => {
  verifies('F-27', 'J-05');
  const asked: ConfirmQuestion[] = [];
  const { handlers } = serve((question) => {
    asked.push(question);
    return { outcome: 'proceed_once', approvedCommands: ['ls'] };
  });
  expect(await handlers.confirm_shell_commands(COMMANDS, context)).toEqual({
    confirmationOutcome: 'proceed_once',
    approvedCommands: ['ls'],
  });
  expect(await handlers.quit_confirmation({ prompt: 'Leave?' }, context)).toEqual({
    confirmationOutcome: 'proceed_once',
  });
  expect(asked).toEqual([
    { kind: 'shell', commands: ['ls', 'rm x'], raw: '/tidy' },
    { kind: 'quit', prompt: 'Leave?' },
  ]);
});

test('a throw or a malformed answer cancels and is reported', async () => {
  verifies('J-10');
  const wrong: readonly OnConfirm[] = [() => Promise.reject(new Error('no dialog')), () => JSON.parse('"yes"')];
  for (const onConfirm of wrong) {
    const { handlers, problems } = serve(onConfirm);
    expect(await handlers.confirm_action({ prompt: 'Sure?', raw: '/x' }, context)).toEqual({
      confirmationOutcome: 'cancel',
    });
    expect(problems).toHaveLength(1);
  }
});
