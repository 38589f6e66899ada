import type { Notice } from '@qwen/host/notice.js';
import {
  AgentError,
  type ControlHandlers,
  type ControlLine,
  ControlPeer,
  createLinkedPair,
  type LinkedEnd,
} from '@qwen/protocol';
import { ControlService, type ControlServiceOptions } from '../src/control/control-service.js';
import { createFixtureAgent, onlyAgent } from './fixture-agent.js';

export interface ControlFixture {
  readonly service: ControlService;
  /** The app's end; it asks and serves like an SDK. */
  readonly app: ControlPeer<'app'>;
  /** The raw line of the app, for lines that no peer would send. */
  readonly wire: LinkedEnd;
  /** What happened at the agent's end, in order. */
  readonly happenings: string[];
  readonly notices: Notice[];
  readonly problems: AgentError[];
  /** Control lines that the agent's end sent. */
  readonly sent: ControlLine[];
}

export interface ControlFixtureOptions extends Partial<ControlServiceOptions> {
  readonly app?: Partial<ControlHandlers<'agent'>>;
}

const nobody = (subtype: string) => () => {
  throw new AgentError('unknown_subtype', `${subtype} is not served here`);
};

/** A real control service and a real peer of the app, joined by the bytes of a linked pair. */
export function createControlFixture({ app: served = {}, ...options }: ControlFixtureOptions = {}): ControlFixture {
  const [agentEnd, wire] = createLinkedPair();
  const happenings: string[] = [];
  const notices: Notice[] = [];
  const problems: AgentError[] = [];
  const sent: ControlLine[] = [];
  const service = new ControlService({
    agents: onlyAgent(createFixtureAgent(happenings)),
    output: { pause: () => happenings.push('pause'), resume: () => happenings.push('resume') },
    commandNames: () => ['clear'],
    announce: (notice) => notices.push(notice),
    leave: (error) => happenings.push(`leave ${error.message}`),
    exit: () => happenings.push('exit'),
    send: (line) => {
      sent.push(line);
      agentEnd.send(line);
    },
    onProblem: (error) => problems.push(error),
    mcpConnector: {
      connect: () => Promise.reject(new Error('no client here')),
      recall: () => Promise.resolve(undefined),
    },
    mcpServers: { inApp: [], outside: {} },
    onToolsChanged: () => happenings.push('tools changed'),
    sendsSuggestions: true,
    account: { provider: 'openai', host: 'localhost' },
    models: {
      effortStatus: async (name) => ({ applied: name === 'first' }),
      list: async () => [{ id: 'first', name: 'First', contextWindow: 1_000 }, { id: 'second' }],
    },
    openStore: () => Promise.reject(new Error('no store here')),
    fileAgents: [],
    ...options,
  });
  agentEnd.onFrame((frame) => {
    if (frame.kind === 'control') service.accept(frame.frame);
  });
  const app = new ControlPeer<'app'>({
    side: 'app',
    handlers: {
      can_use_tool: nobody('can_use_tool'),
      hook_callback: nobody('hook_callback'),
      mcp_message: nobody('mcp_message'),
      elicitation: nobody('elicitation'),
      confirm_shell_commands: nobody('confirm_shell_commands'),
      confirm_action: nobody('confirm_action'),
      quit_confirmation: nobody('quit_confirmation'),
      ...served,
    },
    send: (line) => wire.send(line),
  });
  wire.onFrame((frame) => {
    if (frame.kind === 'control') app.accept(frame.frame);
  });
  return { service, app, wire, happenings, notices, problems, sent };
}

/** A question about one call of `edit`. */
export const QUESTION = {
  toolName: 'edit',
  callId: 'call_1',
  input: { file_path: 'a.txt' },
  suggestions: [{ type: 'allow', label: 'Allow edit' }],
  blockedPath: '/outside/a.txt',
  reason: 'It is outside of the workspace.',
  preview: { type: 'info', prompt: 'It is outside of the workspace.', urls: [] },
} as const;
