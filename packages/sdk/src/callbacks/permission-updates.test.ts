import { toPermissionUpdates } from '@qwen/protocol';
import { expect, test } from 'vitest';

test('a suggestion with rules becomes an update with its destination', () => {
  const rules = ['Bash(npm test)'];
  expect(toPermissionUpdates({ type: 'allow', label: 'Always', rules, destination: 'projectSettings' })).toEqual([
    { type: 'addRules', rules, behavior: 'allow', destination: 'projectSettings' },
  ]);
  expect(toPermissionUpdates({ type: 'deny', label: 'Never', rules })).toEqual([
    { type: 'addRules', rules, behavior: 'deny', destination: 'session' },
  ]);
});

test('a suggestion without rules, or to modify the input, becomes no update', () => {
  expect(toPermissionUpdates({ type: 'allow', label: 'Once' })).toEqual([]);
  expect(toPermissionUpdates({ type: 'modify', label: 'Change it', rules: ['Edit'] })).toEqual([]);
});
