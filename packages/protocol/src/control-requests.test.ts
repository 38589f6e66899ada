import { verifies } from '@qwen/testkit';
import { expect, expectTypeOf, test } from 'vitest';
import type { ControlHandlers } from './control-handlers.js';
import {
  CONTROL_REQUESTS,
  type ControlPayload,
  type ControlResult,
  findControlRequest,
  isControlSubtype,
  type SubtypeAskedBy,
} from './control-requests.js';

test('the table contains the nine specified requests and our own, with their direction', () => {
  verifies('M-01', 'M-04', 'N-09', 'CF-37', 'M-03');
  const askers = Object.fromEntries(Object.entries(CONTROL_REQUESTS).map(([subtype, { asker }]) => [subtype, asker]));
  expect(askers).toEqual({
    initialize: 'app',
    interrupt: 'app',
    set_model: 'app',
    supported_commands: 'app',
    set_permission_mode: 'app',
    mcp_server_status: 'app',
    set_effort: 'app',
    set_max_thinking_tokens: 'app',
    continue_last_turn: 'app',
    steer: 'app',
    list_tasks: 'app',
    get_task_output: 'app',
    stop_task: 'app',
    background_tasks: 'app',
    rewind_files: 'app',
    rewind_conversation: 'app',
    get_context_usage: 'app',
    get_usage_info: 'app',
    get_available_models: 'app',
    explain_permission: 'app',
    list_sessions: 'app',
    get_session_messages: 'app',
    rename_session: 'app',
    delete_session: 'app',
    fork_session: 'app',
    mcp_status: 'app',
    mcp_reconnect: 'app',
    mcp_toggle: 'app',
    mcp_set_servers: 'app',
    end_session: 'app',
    set_output_flow: 'app',
    renew_lease: 'app',
    mcp_notification: 'app',
    can_use_tool: 'agent',
    mcp_message: 'agent',
    hook_callback: 'agent',
    elicitation: 'agent',
    confirm_shell_commands: 'agent',
    confirm_action: 'agent',
    quit_confirmation: 'agent',
  });
});

test('only own properties are found', () => {
  expect(findControlRequest('interrupt')).toBe(CONTROL_REQUESTS.interrupt);
  for (const word of ['toString', '__proto__', 'constructor', 'Interrupt']) {
    expect([isControlSubtype(word), findControlRequest(word)]).toEqual([false, undefined]);
  }
});

test('handler maps are exhaustive and typed by the table', () => {
  verifies('N-10');
  expectTypeOf<SubtypeAskedBy<'agent'>>().toEqualTypeOf<
    | 'can_use_tool'
    | 'hook_callback'
    | 'mcp_message'
    | 'elicitation'
    | 'confirm_shell_commands'
    | 'confirm_action'
    | 'quit_confirmation'
  >();
  expectTypeOf<ControlPayload<'can_use_tool'>['tool_name']>().toEqualTypeOf<string>();
  expectTypeOf<ControlResult<'can_use_tool'>['behavior']>().toEqualTypeOf<'allow' | 'deny'>();
  expectTypeOf<ControlPayload<'set_permission_mode'>['mode']>().toEqualTypeOf<
    'default' | 'plan' | 'auto-edit' | 'yolo'
  >();
  expectTypeOf<null>().toExtend<ControlResult<'interrupt'>>();
  const complete: ControlHandlers<'agent'> = {
    can_use_tool: () => ({ behavior: 'deny' }),
    hook_callback: () => ({}),
    elicitation: () => ({ action: 'decline' }),
    mcp_message: () => ({}),
    confirm_shell_commands: () => ({ confirmationOutcome: 'cancel' }),
    confirm_action: () => ({ confirmationOutcome: 'cancel' }),
    quit_confirmation: () => ({ confirmationOutcome: 'cancel' }),
  };
  const { hook_callback: _left, ...incomplete } = complete;
  // @ts-expect-error a missing handler does not compile
  const refused: ControlHandlers<'agent'> = incomplete;
  // @ts-expect-error an answer that the table does not know does not compile
  const wrong: ControlHandlers<'agent'>['can_use_tool'] = () => ({ behavior: 'maybe' });
  expect([Object.keys(refused), typeof wrong]).toEqual([expect.not.arrayContaining(['hook_callback']), 'function']);
});

test.each([
  [{ behavior: 'approve' }, 'proceed_once'],
  [{ behavior: 'deny' }, 'cancel'],
  [{ behavior: 'perhaps' }, 'cancel'],
  [{ confirmationOutcome: 'proceed_always' }, 'proceed_always'],
])('a confirmation answered with %j counts as %s', (answer, confirmationOutcome) => {
  verifies('J-05', 'CF-32');
  for (const subtype of ['confirm_shell_commands', 'confirm_action', 'quit_confirmation'] as const) {
    const { fromOlderResult, result } = CONTROL_REQUESTS[subtype];
    expect(result.parse(fromOlderResult(answer))).toMatchObject({ confirmationOutcome });
  }
});
