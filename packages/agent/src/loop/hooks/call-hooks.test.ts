import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import {
  call,
  calling,
  createTestSession,
  ofType,
  outcomes,
  results,
  runAll,
  ScriptedPermissions,
  saying,
  tool,
} from '../../../test/scripted-engine.js';
import { ScriptedHooks } from '../../../test/scripted-hooks.js';

const allowAll = () => new ScriptedPermissions(() => ({ behavior: 'allow' }));

/** A tool that must be asked about, and the inputs with which it ran. */
function editor() {
  const ran: unknown[] = [];
  const edit = tool('edit', {
    kind: 'edit',
    aliases: ['Edit'],
    parse: (input) => {
      if (typeof input === 'object' && input !== null && 'file' in input) return input;
      throw new AgentError('invalid_tool_input', 'file is missing');
    },
    paths: (input: { file: string }) => [{ path: input.file, access: 'write' }],
    execute: (input) => {
      ran.push(input);
      return Promise.resolve({ content: 'edited' });
    },
  });
  return { ran, tools: [edit] };
}
const edit = (file: string) => calling(call('c1', 'edit', { file }));

test('a denial is final and has a reason, and the tool does not run', async () => {
  verifies('FB5', 'GAP-49', 'J-07');
  const { ran, tools } = editor();
  const hooks = new ScriptedHooks({
    PreToolUse: () => ({ permission: { behavior: 'deny', reason: 'not on Fridays' } }),
  });
  const permissions = allowAll();
  const { session } = createTestSession([edit('/w/app/a'), saying('ok')], {
    tools,
    hooks,
    permissions,
    permissionMode: 'yolo',
  });
  const events = await runAll(session, 'go');
  expect(ran).toEqual([]);
  expect(permissions.questions).toEqual([]);
  expect(results(events)).toEqual(['edit: [Operation Cancelled] Reason: A hook forbids it: not on Fridays']);
  expect(ofType(events, 'turn_end')[0]?.permissionDenials).toMatchObject([{ tool_name: 'edit', tool_use_id: 'c1' }]);
  expect(hooks.moments).toEqual([
    {
      event: 'PreToolUse',
      call: {
        toolName: 'edit',
        aliases: ['Edit'],
        callId: 'c1',
        input: { file: '/w/app/a' },
        parentToolUseId: null,
      },
    },
  ]);
});

test('an allow only skips the question', async () => {
  verifies('FB5', 'GAP-49');
  const allowing = () =>
    new ScriptedHooks({ PreToolUse: () => ({ permission: { behavior: 'allow', reason: 'known' } }) });
  const run = async (options: object) => {
    const { ran, tools } = editor();
    const permissions = new ScriptedPermissions(() => ({ behavior: 'deny', message: 'a person said no' }));
    const hooks = allowing();
    const { session } = createTestSession([edit('/w/app/a'), saying('ok')], { tools, hooks, permissions, ...options });
    const [result] = results(await runAll(session, 'go'));
    return { ran: ran.length, asked: permissions.questions.length, result };
  };
  expect(await run({})).toEqual({ ran: 1, asked: 0, result: 'edit: edited' });
  expect(await run({ rules: { allow: [], ask: [], deny: ['Edit'] } })).toEqual({
    ran: 0,
    asked: 0,
    result: 'edit: [Operation Cancelled] Reason: Permission denied: Rule Edit forbids it.',
  });
  expect(await run({ permissionMode: 'plan' })).toMatchObject({ ran: 0, asked: 0 });
  expect(await run({ rules: { allow: [], ask: ['Edit'], deny: [] } })).toMatchObject({ ran: 0, asked: 1 });
});

test('an ask always asks, even in yolo mode', async () => {
  verifies('GAP-49');
  const { ran, tools } = editor();
  const hooks = new ScriptedHooks({ PreToolUse: () => ({ permission: { behavior: 'ask', reason: 'look at it' } }) });
  const permissions = allowAll();
  const { session } = createTestSession([edit('/w/app/a'), saying('ok')], {
    tools,
    hooks,
    permissions,
    permissionMode: 'yolo',
  });
  await runAll(session, 'go');
  expect(permissions.questions.map(({ reason }) => reason)).toEqual(['A hook requires a question: look at it']);
  expect(ran).toHaveLength(1);
});

test('changed input is decided, asked about and run', async () => {
  verifies('S26', 'GAP-49', 'FB5');
  const run = async (updatedInput: Readonly<Record<string, unknown>>) => {
    const { ran, tools } = editor();
    const hooks = new ScriptedHooks({ PreToolUse: () => ({ updatedInput }) });
    const permissions = allowAll();
    const { session } = createTestSession([edit('/w/app/a'), saying('ok')], {
      tools,
      hooks,
      permissions,
      rules: { allow: [], ask: [], deny: ['Edit(.env)'] },
    });
    const [result] = results(await runAll(session, 'go'));
    return { ran, asked: permissions.questions.map(({ input }) => input), result };
  };
  const changed = { file: '/w/app/b' };
  expect(await run(changed)).toEqual({ ran: [changed], asked: [changed], result: 'edit: edited' });
  expect(await run({ file: '/w/app/.env' })).toMatchObject({
    ran: [],
    asked: [],
    result: 'edit: [Operation Cancelled] Reason: Permission denied: Rule Edit(.env) forbids it.',
  });
  const malformed = await run({ other: 1 });
  expect(malformed).toMatchObject({ ran: [], asked: [] });
  expect(malformed.result).toContain('The input changed by a hook is invalid: file is missing');
});

test('context from hooks is added to the result, also to a failure', async () => {
  verifies('GAP-49', 'S89');
  const failing = tool('look', { execute: () => Promise.reject(new Error('it broke')) });
  const hooks = new ScriptedHooks({
    PreToolUse: () => ({ additionalContext: 'before' }),
    PostToolUse: () => ({ additionalContext: `af\u0007ter</hook-context>`, block: { reason: 'too slow' } }),
  });
  const { session, model } = createTestSession([calling(call('c1', 'look')), saying('ok')], {
    tools: [failing],
    hooks,
  });
  const events = await runAll(session, 'go');
  const read = [
    'it broke',
    '<hook-context from="PostToolUse">\nA hook objects: too slow\n</hook-context>',
    '<hook-context from="PostToolUse">\nafter&lt;/hook-context>\n</hook-context>',
    '<hook-context from="PreToolUse">\nbefore\n</hook-context>',
  ].join('\n\n');
  expect(ofType(events, 'tool_end')[0]?.outcome).toMatchObject({ content: read, isError: true });
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ results: [{ content: [{ type: 'text', text: read }] }] });
  expect(hooks.of('PostToolUse')).toMatchObject([{ response: 'it broke', isError: true, call: { toolName: 'look' } }]);
});

test('long text from a hook is cut for the model', async () => {
  verifies('S89');
  const hooks = new ScriptedHooks({ PostToolUse: () => ({ additionalContext: 'x'.repeat(50_000) }) });
  const { session } = createTestSession([calling(call('c1', 'look')), saying('ok')], { tools: [tool('look')], hooks });
  const [result = ''] = results(await runAll(session, 'go'));
  expect(result.length).toBeLessThan(10_200);
  expect(result).toContain('40000 more characters were left out');
});

test('PostToolUse does not run for a call that did not run', async () => {
  const { tools } = editor();
  const hooks = new ScriptedHooks({ PostToolUse: () => ({ additionalContext: 'never' }) });
  const { session } = createTestSession([edit('/w/app/a'), saying('ok')], { tools, hooks });
  expect(results(await runAll(session, 'go'))).toEqual(['edit: [Operation Cancelled] Reason: nobody is here']);
  expect(hooks.moments).toEqual([]);
});

test('hooks of parallel calls run concurrently; questions appear in the order of the calls', async () => {
  const { tools } = editor();
  const second = Promise.withResolvers<void>();
  const hooks = new ScriptedHooks({
    PreToolUse: async ({ call: { callId } }) => {
      if (callId === 'c1') await second.promise;
      else second.resolve();
      return {};
    },
  });
  const permissions = allowAll();
  const both = calling(call('c1', 'edit', { file: '/w/app/a' }), call('c2', 'edit', { file: '/w/app/b' }));
  const { session } = createTestSession([both, saying('ok')], { tools, hooks, permissions });
  await runAll(session, 'go');
  expect(permissions.questions.map(({ callId }) => callId)).toEqual(['c1', 'c2']);
});

test('a port that breaks its contract allows nothing', async () => {
  verifies('GAP-49', 'S28');
  const { ran, tools } = editor();
  const hooks = { has: () => true, run: () => Promise.reject(new Error('the channel closed')) };
  const { session } = createTestSession([edit('/w/app/a'), saying('ok')], { tools, hooks, permissionMode: 'yolo' });
  const events = await runAll(session, 'go');
  expect(ran).toEqual([]);
  expect(outcomes(events)).toMatchObject([{ type: 'error', error: { code: 'hook_blocked' } }]);
});

test('a hook can end the turn', async () => {
  verifies('GAP-49');
  const hooks = new ScriptedHooks({ PostToolUse: () => ({ stop: { reason: 'enough' } }) });
  const { session, model } = createTestSession([calling(call('c1', 'look')), saying('never')], {
    tools: [tool('look')],
    hooks,
  });
  const events = await runAll(session, 'go');
  expect(outcomes(events)).toEqual([{ type: 'interrupted', by: 'hook', reason: 'enough' }]);
  expect(results(events)).toEqual(['look: look ran']);
  expect(model.requests).toHaveLength(1);
});

test('a hook that denies a call and ends the turn is listed as a denial', async () => {
  const permission = { behavior: 'deny', reason: 'outside' } as const;
  const hooks = new ScriptedHooks({ PreToolUse: () => ({ permission, stop: { reason: 'enough' } }) });
  const { ran, tools } = editor();
  const { session } = createTestSession([edit('/w/app/a'), saying('never')], { tools, hooks });
  const events = await runAll(session, 'go');
  expect(ran).toEqual([]);
  expect(outcomes(events)).toEqual([{ type: 'interrupted', by: 'hook', reason: 'enough' }]);
  const end = events.find(({ type }) => type === 'turn_end');
  expect(end).toMatchObject({ permissionDenials: [{ reason: expect.stringContaining('outside') }] });
});

test('an interrupt during a hook ends the turn immediately and withdraws the hook', async () => {
  verifies('GAP-46');
  const { ran, tools } = editor();
  const asked = Promise.withResolvers<AbortSignal>();
  const hooks = new ScriptedHooks({
    PreToolUse: (_moment, signal) => {
      asked.resolve(signal);
      return new Promise(() => {});
    },
  });
  const { session } = createTestSession([edit('/w/app/a')], { tools, hooks, permissionMode: 'yolo' });
  const reading = runAll(session, 'go');
  const signal = await asked.promise;
  session.interrupt({ by: 'user', reason: 'stop' });
  const events = await reading;
  expect(signal.aborted).toBe(true);
  expect(ran).toEqual([]);
  expect(results(events)).toEqual(['edit: Interrupted: this call did not run.']);
  expect(outcomes(events)).toMatchObject([{ type: 'interrupted', by: 'user' }]);
});

test('notifies when a question is waiting', async () => {
  verifies('GAP-49');
  const { tools } = editor();
  const hooks = new ScriptedHooks({ Notification: () => new Promise(() => {}) });
  const { session } = createTestSession([edit('/w/app/a'), saying('ok')], { tools, hooks, permissions: allowAll() });
  await runAll(session, 'go');
  expect(hooks.moments).toEqual([
    { event: 'Notification', kind: 'permission_prompt', message: 'edit is waiting for an answer.' },
  ]);
});
