import type { PermissionUpdate } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createControlFixture, QUESTION } from '../../../test/control-fixture.js';

test('a dry run returns the decision in wire format', async () => {
  verifies('CF-36');
  const { app } = createControlFixture();
  expect(await app.request('explain_permission', { tool_name: 'edit', input: {} })).toEqual({
    behavior: 'ask',
    decided_by: 'ask_rule',
    rule: 'Edit',
    reason: 'The rule Edit asks before edit.',
    blocked_path: null,
    shadowed: [{ rule: 'Edit(/src/**)', behavior: 'allow' }],
  });
});

test('rules in an answer reach the agent', async () => {
  verifies('M-52');
  const update: PermissionUpdate = { type: 'addRules', behavior: 'allow', rules: ['Edit'], destination: 'session' };
  for (const behavior of ['allow', 'deny'] as const) {
    const answer = () => ({ behavior, updatedPermissions: [update] });
    const { service } = createControlFixture({ app: { can_use_tool: answer } });
    const settled = await service.permission.ask(QUESTION, { signal: new AbortController().signal });
    expect(settled).toMatchObject({ behavior, updatedPermissions: [update] });
  }
});

test('suggestions match the kind of tool, and invalid input has none', async () => {
  verifies('N-11', 'GAP-23');
  const { service } = createControlFixture();
  const { permission } = service;
  expect(await permission.buildPermissionSuggestions({ kind: 'edit', input: { a: 1 } })).toMatchObject([
    { type: 'allow' },
    { type: 'deny' },
    { type: 'modify', modifiedInput: { a: 1 } },
  ]);
  const rules = ['Bash(npm test)'];
  expect((await permission.buildPermissionSuggestions({ kind: 'execute', input: {}, rules }))?.at(-1)).toMatchObject({
    type: 'allow',
    rules,
    destination: 'session',
  });
  expect(await permission.buildPermissionSuggestions({ kind: 'edit', input: 'x' })).toBeNull();
});
