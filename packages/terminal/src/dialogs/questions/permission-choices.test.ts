import type { PermissionRequest } from '@qwen/agent';
import { expect, test } from 'vitest';
import { denyWith, permissionChoices, STOP } from './permission-choices.js';

const request = (parts: Partial<PermissionRequest> = {}): PermissionRequest => ({
  toolName: 'run_shell_command',
  callId: 'call_1',
  input: { command: 'npm test' },
  suggestions: [
    { type: 'allow', label: 'Allow this command' },
    { type: 'deny', label: 'Do not run it' },
    { type: 'allow', label: 'Always', rules: ['Bash(npm test)'], destination: 'session' },
  ],
  blockedPath: null,
  reason: 'Commands ask.',
  preview: { type: 'exec', command: 'npm test', rootCommand: 'npm' },
  ...parts,
});

const answersOf = (asked: PermissionRequest) =>
  permissionChoices(asked).map(({ label, value }) => [label, value.kind === 'answer' ? value.answer : value.prompt]);

test('offers once, session, project rule, denial with a reason, and denial with stop for a command', () => {
  const rule = (destination: string) => [
    { type: 'addRules', behavior: 'allow', rules: ['Bash(npm test)'], destination },
  ];
  expect(answersOf(request())).toEqual([
    ['Yes', { behavior: 'allow' }],
    ['Yes, always for this session', { behavior: 'allow', updatedPermissions: rule('session') }],
    ['Yes, always for this project', { behavior: 'allow', updatedPermissions: rule('localSettings') }],
    ['No, and say what to do instead', 'What should qwen do instead?'],
    ['No, and stop', STOP],
  ]);
});

test('offers no permanent approval if no rule covers exactly this call', () => {
  const labels = permissionChoices(request({ suggestions: [{ type: 'allow', label: 'Allow' }] })).map(
    ({ label }) => label,
  );
  expect(labels).toEqual(['Yes', 'No, and say what to do instead', 'No, and stop']);
});

test('offers to accept all edits', () => {
  const preview = { type: 'edit', path: '/a', diff: '' } as const;
  expect(answersOf(request({ suggestions: [], preview }))).toContainEqual([
    'Yes, and auto-accept edits from now on',
    {
      behavior: 'allow',
      updatedPermissions: [{ type: 'setMode', mode: 'auto-edit', destination: 'session' }],
    },
  ]);
});

test('offers to approve, revise or stop a plan', () => {
  const preview = { type: 'plan', plan: '1. Look' } as const;
  expect(permissionChoices(request({ preview })).map(({ label }) => label)).toEqual([
    'Yes, and ask before changes',
    'Yes, and auto-accept edits from now on',
    'No, keep planning',
    'No, and stop',
  ]);
});

test('each approval of a plan sets its mode, whatever mode came before', () => {
  const preview = { type: 'plan', plan: '1. Look' } as const;
  const setMode = (mode: string) => [{ type: 'setMode', mode, destination: 'session' }];
  expect(answersOf(request({ preview })).slice(0, 2)).toEqual([
    ['Yes, and ask before changes', { behavior: 'allow', updatedPermissions: setMode('default') }],
    ['Yes, and auto-accept edits from now on', { behavior: 'allow', updatedPermissions: setMode('auto-edit') }],
  ]);
});

test('the last choice always denies', () => {
  for (const asked of [request(), request({ preview: { type: 'plan', plan: '' } })]) {
    expect(permissionChoices(asked).at(-1)?.value).toMatchObject({ answer: { behavior: 'deny', interrupt: true } });
  }
});

test('passes the reason of a denial to the model', () => {
  expect(denyWith(' use pnpm ')).toEqual({ behavior: 'deny', message: 'The user declined. They said: use pnpm' });
  expect(denyWith('  ')).toEqual({ behavior: 'deny', message: 'The user declined.' });
});
