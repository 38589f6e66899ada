import { type ControlLine, readControlFrame } from '../src/control-frames.js';
import type { ControlHandlers } from '../src/control-handlers.js';
import { AgentError } from '../src/errors.js';
import { ControlPeer, type ControlPeerOptions } from '../src/peer/control-peer.js';
import { createLinkedPair, type LinkedEnd } from '../src/peer/linked-pair.js';

const unexpected = (): never => {
  throw new Error('this test expects no such request');
};

/** The app serves what the agent asks. */
export const appHandlers: ControlHandlers<'agent'> = {
  can_use_tool: unexpected,
  hook_callback: unexpected,
  elicitation: unexpected,
  mcp_message: unexpected,
  confirm_shell_commands: unexpected,
  confirm_action: unexpected,
  quit_confirmation: unexpected,
};

/** The agent serves what the app asks. */
export const agentHandlers: ControlHandlers<'app'> = {
  initialize: unexpected,
  interrupt: unexpected,
  end_session: unexpected,
  mcp_set_servers: unexpected,
  set_model: unexpected,
  set_permission_mode: unexpected,
  rewind_files: unexpected,
  rewind_conversation: unexpected,
  supported_commands: unexpected,
  mcp_server_status: unexpected,
  set_effort: unexpected,
  set_max_thinking_tokens: unexpected,
  continue_last_turn: unexpected,
  steer: unexpected,
  list_tasks: unexpected,
  get_task_output: unexpected,
  stop_task: unexpected,
  background_tasks: unexpected,
  get_context_usage: unexpected,
  get_usage_info: unexpected,
  get_available_models: unexpected,
  explain_permission: unexpected,
  list_sessions: unexpected,
  get_session_messages: unexpected,
  rename_session: unexpected,
  delete_session: unexpected,
  fork_session: unexpected,
  mcp_status: unexpected,
  mcp_reconnect: unexpected,
  mcp_toggle: unexpected,
  set_output_flow: unexpected,
  renew_lease: unexpected,
  mcp_notification: unexpected,
};

type AppOptions = Partial<Omit<ControlPeerOptions<'app'>, 'side' | 'send'>>;
type AgentOptions = Partial<Omit<ControlPeerOptions<'agent'>, 'side' | 'send'>>;

/** Two peers that talk to each other, and what each of them complained about. */
export function createTwoPeers(options: { app?: AppOptions; agent?: AgentOptions } = {}) {
  const [appEnd, agentEnd] = createLinkedPair();
  const problems: AgentError[] = [];
  const onProblem = (error: AgentError): void => void problems.push(error);
  const app = new ControlPeer({
    handlers: appHandlers,
    onProblem,
    ...options.app,
    side: 'app',
    send: (line) => appEnd.send(line),
  });
  const agent = new ControlPeer({
    handlers: agentHandlers,
    onProblem,
    ...options.agent,
    side: 'agent',
    send: (line) => agentEnd.send(line),
  });
  acceptFrom(appEnd, app);
  acceptFrom(agentEnd, agent);
  return { app, agent, problems };
}

function acceptFrom(end: LinkedEnd, peer: Pick<ControlPeer<'app'>, 'accept'>): void {
  end.onFrame((frame) => {
    if (frame.kind === 'control') peer.accept(frame.frame);
  });
}

/** An app whose other side is the test: records what it sends and delivers lines to it. */
export function createLoneApp(options: AppOptions & { failSends?: () => boolean } = {}) {
  const sent: ControlLine[] = [];
  const problems: AgentError[] = [];
  const { failSends, ...peerOptions } = options;
  const app = new ControlPeer({
    handlers: appHandlers,
    onProblem: (error) => void problems.push(error),
    ...peerOptions,
    side: 'app',
    send: (line) => {
      if (failSends?.() === true) throw new Error('the pipe broke');
      sent.push(line);
    },
  });
  const receive = (line: object): void => {
    const frame = readControlFrame(line);
    if (AgentError.is(frame)) throw frame;
    app.accept(frame);
  };
  return {
    app,
    sent,
    problems,
    /** A request of the agent. */
    receiveRequest: (requestId: string, request: object) =>
      receive({ type: 'control_request', request_id: requestId, request }),
    receiveSuccess: (requestId: string, response: unknown) =>
      receive({ type: 'control_response', response: { subtype: 'success', request_id: requestId, response } }),
    receiveError: (requestId: string, error: unknown) =>
      receive({ type: 'control_response', response: { subtype: 'error', request_id: requestId, error } }),
    receiveCancel: (requestId?: string) =>
      receive({ type: 'control_cancel_request', ...(requestId !== undefined && { request_id: requestId }) }),
  };
}

/** The ids of the requests among the lines, in order. */
export function requestIds(lines: readonly ControlLine[]): string[] {
  return lines.flatMap((line) => (line.type === 'control_request' ? [line.request_id] : []));
}

/** The answers among the lines, in order. */
export function answers(lines: readonly ControlLine[]) {
  return lines.flatMap((line) => (line.type === 'control_response' ? [line.response] : []));
}

/** Lets everything that is ready run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

/** A question about a tool, as the agent asks it. */
export const toolQuestion = { tool_name: 'edit', tool_use_id: 'call_1', input: { path: 'a' } } as const;
