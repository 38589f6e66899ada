import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createControlFixture } from '../../../test/control-fixture.js';

const how = () => ({ signal: new AbortController().signal });
const SHELL = { type: 'confirm_shell_commands', commands: ['ls', 'rm x'], raw: '/x' } as const;

test('the app selects the commands that may run, only among those that it was asked about', async () => {
  verifies('J-05', 'F-27');
  const { service } = createControlFixture({
    app: {
      confirm_shell_commands: () => ({ confirmationOutcome: 'proceed_once', approvedCommands: ['ls', 'curl evil'] }),
    },
  });
  expect(await service.confirmation.confirm(SHELL, how())).toEqual({
    confirmationOutcome: 'proceed_once',
    approvedCommands: ['ls'],
  });
});

test('an approval without names approves all commands', async () => {
  const { service } = createControlFixture({
    app: { confirm_shell_commands: () => ({ confirmationOutcome: 'proceed_always' }) },
  });
  expect(await service.confirmation.confirm(SHELL, how())).toMatchObject({ approvedCommands: ['ls', 'rm x'] });
});

test.each([
  SHELL,
  { type: 'confirm_action', prompt: 'Sure?', raw: '/init' } as const,
  { type: 'quit_confirmation', prompt: 'Leave?' } as const,
])('an app without support for $type declines it', async (question) => {
  verifies('J-08', 'L-02');
  const { service } = createControlFixture();
  expect(await service.confirmation.confirm(question, how())).toEqual({
    confirmationOutcome: 'cancel',
    approvedCommands: [],
  });
});

test('pending questions are denied when the input ends', async () => {
  verifies('GAP-10');
  const { service } = createControlFixture({ app: { quit_confirmation: () => new Promise(() => {}) } });
  const answer = service.confirmation.confirm({ type: 'quit_confirmation', prompt: 'Leave?' }, how());
  service.endInput();
  expect(await answer).toMatchObject({ confirmationOutcome: 'cancel' });
});
