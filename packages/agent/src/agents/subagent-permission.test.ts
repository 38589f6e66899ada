import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import {
  call,
  calling,
  DENY_ALL,
  ofType,
  outcomes,
  results,
  runAll,
  ScriptedPermissions,
  saying,
  tool,
} from '../../test/scripted-engine.js';
import { ScriptedHooks } from '../../test/scripted-hooks.js';
import { createAgentSession, requestsOf, task } from '../../test/subagent-session.js';
import type { AgentSessionOptions } from '../session/options.js';
import type { AnyTool } from '../tool.js';

describe('permission', () => {
  const editor = (ran: unknown[]): AnyTool =>
    tool('edit', {
      kind: 'edit',
      paths: () => [{ path: '/w/app/.env', access: 'write' }],
      execute: (input) => {
        ran.push(input);
        return Promise.resolve({ content: 'edited' });
      },
    });
  const scripts = {
    go: [calling(task('t1', 'work')), saying('done')],
    work: [calling(call('s1', 'edit', { a: 1 })), saying('ok')],
  };

  test('the same rules and the same mode apply', async () => {
    verifies('S29');
    const run = async (options: Partial<AgentSessionOptions>) => {
      const ran: unknown[] = [];
      const { session } = createAgentSession(scripts, { tools: [editor(ran)], permissions: DENY_ALL, ...options });
      const events = await runAll(session, 'go');
      return { ran: ran.length, result: results(events)[0], denials: ofType(events, 'turn_end')[0]?.permissionDenials };
    };
    const rules = { allow: [], ask: [], deny: ['Edit(.env)'] };
    expect(await run({ rules, permissionMode: 'yolo' })).toMatchObject({
      ran: 0,
      result: 'edit: [Operation Cancelled] Reason: Permission denied: Rule Edit(.env) forbids it.',
      denials: [{ tool_name: 'edit', tool_use_id: 's1' }],
    });
    expect(await run({ permissionMode: 'plan' })).toMatchObject({ ran: 0 });
    expect(await run({})).toMatchObject({ ran: 0, result: expect.stringContaining('nobody is here') });
    expect(await run({ permissionMode: 'yolo' })).toMatchObject({ ran: 1 });
  });

  test('a question names the asking agent; a denial with interrupt stops the whole turn', async () => {
    verifies('J-06', 'S29', 'M-43');
    const permissions = new ScriptedPermissions(() => ({ behavior: 'deny', message: 'no', interrupt: true }));
    const { session } = createAgentSession(scripts, { tools: [editor([])], permissions });
    const events = await runAll(session, 'go');
    expect(permissions.questions).toMatchObject([
      { toolName: 'edit', callId: 's1', parentToolUseId: 't1', agent: 'helper' },
    ]);
    expect(outcomes(events)).toEqual([{ type: 'interrupted', by: 'permission', reason: 'no' }]);
  });

  test('hooks judge its tools and whether it may stop', async () => {
    verifies('FB5', 'GAP-49', 'S29');
    const ran: unknown[] = [];
    const hooks = new ScriptedHooks({
      PreToolUse: ({ call: { toolName } }) =>
        toolName === 'edit' ? { permission: { behavior: 'deny', reason: 'never' } } : {},
      SubagentStop: ({ isActive }) => (isActive ? {} : { block: { reason: 'look again' } }),
    });
    const { session, model } = createAgentSession(scripts, { tools: [editor(ran)], hooks, permissionMode: 'yolo' });
    const events = await runAll(session, 'go');
    expect(ran).toEqual([]);
    expect(results(events)[0]).toBe('edit: [Operation Cancelled] Reason: A hook forbids it: never');
    expect(
      hooks
        .of('PreToolUse')
        .map(({ call: { toolName, parentToolUseId, agent } }) => [toolName, parentToolUseId, agent]),
    ).toEqual([
      ['task', null, undefined],
      ['edit', 't1', 'helper'],
    ]);
    expect(hooks.of('SubagentStop')).toEqual([
      { event: 'SubagentStop', isActive: false, lastText: 'ok', agent: 'helper', parentToolUseId: 't1' },
      { event: 'SubagentStop', isActive: true, lastText: 'ok', agent: 'helper', parentToolUseId: 't1' },
    ]);
    expect(requestsOf(model.requests, 'work')).toHaveLength(3);
  });
});
