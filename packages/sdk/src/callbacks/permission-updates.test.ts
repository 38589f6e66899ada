import { readPermissionUpdates, toPermissionUpdates } from '@qwen/protocol';
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

test.each(['rule_content', 'content', 'pattern', 'ruleContents'])('a rule with the member %s is refused', (name) => {
  const rules = [{ toolName: 'Bash', [name]: 'npm test' }];
  expect(() => readPermissionUpdates([{ type: 'addRules', behavior: 'allow', rules }])).toThrow(
    `updatedPermissions.0.rules.0.${name} is not supported; a rule has toolName and ruleContent`,
  );
});

test('a rule with an empty content is refused, and one without any stands for the tool', () => {
  const update = (rule: object) => [{ type: 'addRules', behavior: 'allow', rules: [rule], destination: 'session' }];
  expect(() => readPermissionUpdates(update({ toolName: 'Bash', ruleContent: '' }))).toThrow('expected text');
  expect(readPermissionUpdates(update({ toolName: 'Read' }))).toEqual(update({ toolName: 'Read' }));
  // As the Agent SDK for Python writes it.
  expect(readPermissionUpdates(update({ toolName: 'Read', ruleContent: null }))).toEqual(update({ toolName: 'Read' }));
  expect(() => readPermissionUpdates(update({ toolName: 'Bash', ruleContent: 7 }))).toThrow('rules.0');
});
