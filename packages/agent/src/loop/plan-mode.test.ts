import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import {
  call,
  calling,
  createTestSession,
  ofType,
  results,
  runAll,
  ScriptedPermissions,
  saying,
  tool,
} from '../../test/scripted-engine.js';

/** As the built-in one is made. */
const exit = tool('exit_plan_mode', {
  isQuestion: true,
  onlyIn: 'plan',
  preview: ({ plan: wanted }: { plan: string }) => Promise.resolve({ type: 'plan', plan: wanted }),
  execute: (_input, { leavePlanMode }) => Promise.resolve({ content: `now ${leavePlanMode?.()}` }),
});
const change = tool('change', { kind: 'edit' });
const plan = calling(call('c1', 'exit_plan_mode', { plan: 'first this' }));
const allowing = () => new ScriptedPermissions(() => ({ behavior: 'allow' }));

test('approving the plan ends plan mode and restores the previous mode', async () => {
  verifies('M-59');
  const permissions = allowing();
  const { session } = createTestSession([plan, calling(call('c2', 'change')), saying('ok')], {
    tools: [exit, change],
    permissions,
    permissionMode: 'auto-edit',
  });
  session.setPermissionMode('plan');
  const events = await runAll(session, 'go');
  expect(results(events)).toEqual(['exit_plan_mode: now auto-edit', 'change: change ran']);
  expect(ofType(events, 'permission_mode_changed').map(({ mode }) => mode)).toEqual(['plan', 'auto-edit']);
  expect(permissions.questions[0]).toMatchObject({ toolName: 'exit_plan_mode', reason: 'This is a question for you.' });
  expect(permissions.questions[0]?.suggestions.map(({ label }) => label)).toEqual(['Allow', 'Deny']);
});

test('a session that began in plan mode continues in the default mode', async () => {
  const { session } = createTestSession([plan, saying('ok')], {
    tools: [exit],
    permissions: allowing(),
    permissionMode: 'plan',
  });
  await runAll(session, 'go');
  expect(session.permissionMode).toBe('default');
});

test('the answer may select the mode', async () => {
  const permissions = new ScriptedPermissions(() => ({
    behavior: 'allow',
    updatedPermissions: [{ type: 'setMode', mode: 'yolo', destination: 'session' }],
  }));
  const options = { tools: [exit], permissions, permissionMode: 'plan' } as const;
  const { session } = createTestSession([plan, saying('ok')], options);
  expect(results(await runAll(session, 'go'))).toEqual(['exit_plan_mode: now yolo']);
});

test('a denial keeps plan mode, and the model reads the reason', async () => {
  const permissions = new ScriptedPermissions(() => ({ behavior: 'deny', message: 'tests first' }));
  const options = { tools: [exit, change], permissions, permissionMode: 'plan' } as const;
  const { session } = createTestSession([plan, calling(call('c2', 'change')), saying('ok')], options);
  const events = await runAll(session, 'go');
  expect(ofType(events, 'tool_end')[0]?.outcome).toMatchObject({
    status: 'canceled',
    display: { kind: 'plan', message: 'The plan was not approved: tests first', plan: 'first this' },
  });
  expect(results(events)).toEqual([
    'exit_plan_mode: [Operation Cancelled] Reason: tests first',
    'change: [Operation Cancelled] Reason: Plan mode permits read-only work. Present a plan instead.',
  ]);
  expect(session.permissionMode).toBe('plan');
});

test('outside of plan mode the tool fails without a question', async () => {
  const permissions = allowing();
  const { session } = createTestSession([plan, saying('ok')], { tools: [exit], permissions, permissionMode: 'yolo' });
  expect(results(await runAll(session, 'go'))).toEqual([
    'exit_plan_mode: exit_plan_mode is only available in mode plan; the current mode is yolo.',
  ]);
  expect(permissions.questions).toEqual([]);
});

test('adds the plan mode reminder to each prompt, only if the model can present a plan', async () => {
  const { session, model, log } = createTestSession([saying('ok')], { tools: [exit] });
  session.setPermissionMode('plan');
  const note = 'Plan mode is on: read only, change nothing. When your plan is ready, present it with exit_plan_mode.';
  await runAll(session, 'go');
  expect(model.requests[0]?.messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: `<system-note>\n${note}\n</system-note>` },
        { type: 'text', text: 'go' },
      ],
    },
  ]);
  expect(log.records).toContainEqual(expect.objectContaining({ type: 'user', content: 'go' }));
  for (const options of [{ tools: [exit] }, { tools: [change], permissionMode: 'plan' }] as const) {
    const other = createTestSession([saying('ok')], options);
    await runAll(other.session, 'go');
    expect(other.model.requests[0]?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'go' }] }]);
  }
});

test('no rule answers for the user', async () => {
  const permissions = allowing();
  const rules = { allow: ['exit_plan_mode'], ask: [], deny: [] };
  const options = { tools: [exit], permissions, permissionMode: 'plan', rules } as const;
  await runAll(createTestSession([plan, saying('ok')], options).session, 'go');
  expect(permissions.questions).toHaveLength(1);
});

test('an approval that comes after the switch to plan mode does not run the call', async () => {
  const permissions = new ScriptedPermissions(() => {
    session.setPermissionMode('plan');
    return { behavior: 'allow' };
  });
  const { session } = createTestSession([calling(call('c1', 'change')), saying('ok')], {
    tools: [exit, change],
    permissions,
  });
  expect(results(await runAll(session, 'go'))).toEqual([
    'change: [Operation Cancelled] Reason: Plan mode permits read-only work. Present a plan instead.',
  ]);
});
