import {
  type ControlHandlers,
  ControlPeer,
  type ControlSubtype,
  createLinkedPair,
  type HookInputOf,
  type SubtypeAskedBy,
} from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createControlFixture, QUESTION } from '../../test/control-fixture.js';
import { ControlDispatcher } from './control-dispatcher.js';
import type { Controller } from './controllers/controller.js';
import { HookController } from './controllers/hook-controller.js';
import { PermissionController } from './controllers/permission-controller.js';
import { SdkMcpController } from './controllers/sdk-mcp-controller.js';
import { SystemController } from './controllers/system-controller.js';

const STOPPING: HookInputOf<'Stop'> = {
  hook_event_name: 'Stop',
  session_id: 's',
  transcript_path: '',
  cwd: '/',
  permission_mode: 'default',
  stop_hook_active: false,
};

const unserved = (): never => {
  throw new Error('this test asks for nothing of the kind');
};

const NOTHING_SERVED: ControlHandlers<'app'> = {
  initialize: () => ({}),
  interrupt: unserved,
  end_session: unserved,
  mcp_set_servers: unserved,
  set_model: unserved,
  set_permission_mode: unserved,
  set_effort: unserved,
  set_max_thinking_tokens: unserved,
  rewind_files: unserved,
  rewind_conversation: unserved,
  supported_commands: unserved,
  continue_last_turn: unserved,
  steer: unserved,
  list_tasks: unserved,
  get_task_output: unserved,
  stop_task: unserved,
  background_tasks: unserved,
  get_context_usage: unserved,
  get_usage_info: unserved,
  get_available_models: unserved,
  explain_permission: unserved,
  set_output_flow: unserved,
  renew_lease: unserved,
  list_sessions: unserved,
  get_session_messages: unserved,
  rename_session: unserved,
  delete_session: unserved,
  fork_session: unserved,
  mcp_server_status: unserved,
  mcp_status: unserved,
  mcp_reconnect: unserved,
  mcp_toggle: unserved,
  mcp_notification: unserved,
};

/** An app that talks to a dispatcher of these controllers. */
function connect(...controllers: readonly Controller[]) {
  const [appEnd, agentEnd] = createLinkedPair();
  const handlers = Object.assign({}, NOTHING_SERVED, ...controllers.map((controller) => controller.handlers));
  const dispatcher = new ControlDispatcher({ handlers, controllers, send: (line) => agentEnd.send(line) });
  const app = new ControlPeer<'app'>({
    side: 'app',
    handlers: {
      can_use_tool: unserved,
      hook_callback: unserved,
      mcp_message: unserved,
      elicitation: unserved,
      confirm_shell_commands: unserved,
      confirm_action: unserved,
      quit_confirmation: unserved,
    },
    send: (line) => appEnd.send(line),
  });
  appEnd.onFrame((frame) => frame.kind === 'control' && app.accept(frame.frame));
  agentEnd.onFrame((frame) => frame.kind === 'control' && dispatcher.accept(frame.frame));
  return app;
}

test('an additional controller receives its requests and initialize without a change to the dispatcher', async () => {
  verifies('N-07');
  const heard: unknown[] = [];
  const greeter: Controller = {
    handlers: { supported_commands: () => ({ commands: ['greet'] }) },
    onInitialize: (payload) => heard.push(payload.mcpReady),
  };
  const app = connect(greeter);
  await app.request('initialize', { mcpReady: 'background' });
  expect(await app.request('supported_commands', {})).toEqual({ commands: ['greet'] });
  expect(heard).toEqual(['background']);
});

test('each of the nine requests has the owner that the specification lists', async () => {
  verifies('M-02');
  const asked: ControlSubtype[] = [];
  const { service, app } = createControlFixture({
    app: {
      can_use_tool: () => {
        asked.push('can_use_tool');
        return { behavior: 'allow' };
      },
      hook_callback: () => {
        asked.push('hook_callback');
        return {};
      },
    },
  });
  const { system, permission, mcp, hook } = service;
  if (!(system instanceof SystemController)) throw new Error('system');
  if (!(permission instanceof PermissionController)) throw new Error('permission');
  if (!(mcp instanceof SdkMcpController)) throw new Error('mcp');
  expect(Object.keys(system.handlers)).toEqual(
    expect.arrayContaining(['initialize', 'interrupt', 'set_model', 'supported_commands']),
  );
  expect(Object.keys(permission.handlers)).toContain('set_permission_mode');
  expect(Object.keys(mcp.handlers)).toContain('mcp_server_status');
  expect(hook).toBeInstanceOf(HookController);
  await app.request('initialize', { hooks: [{ event: 'Stop', callback_id: 'h' }] });
  const until = { signal: new AbortController().signal };
  await permission.ask(QUESTION, until);
  await hook.hooks[0]?.ask(STOPPING, until);
  expect(asked).toEqual(['can_use_tool', 'hook_callback']);
});

test('of two controllers each gets its own requests', async () => {
  verifies('N-06');
  const calls: ControlSubtype[] = [];
  const serving = (subtype: SubtypeAskedBy<'app'>): Controller => ({
    handlers: { [subtype]: () => void calls.push(subtype) },
  });
  const app = connect(serving('interrupt'), serving('mcp_toggle'));
  await app.request('mcp_toggle', { serverName: 'a', enabled: false }).catch(() => undefined);
  await app.request('interrupt', {});
  expect(calls).toEqual(['mcp_toggle', 'interrupt']);
});
