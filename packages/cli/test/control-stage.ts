import {
  AgentError,
  type ControlHandlers,
  type ControlLine,
  ControlPeer,
  createLinkedPair,
  type LinkedEnd,
} from '@qwen/protocol';
import type { Notice } from '../src/control/control-context.js';
import { ControlService, type ControlServiceOptions } from '../src/control/control-service.js';

/** What happened at the agent's end, in order. */
export type Happening = string;

export interface ControlStage {
  readonly service: ControlService;
  /** The app's end; it asks and serves like an SDK. */
  readonly app: ControlPeer<'app'>;
  /** The raw line of the app, for lines that no peer would send. */
  readonly wire: LinkedEnd;
  readonly happenings: Happening[];
  readonly notices: Notice[];
  readonly problems: AgentError[];
  /** Control lines that the agent's end sent. */
  readonly sent: ControlLine[];
}

export interface ControlStageOptions extends Partial<ControlServiceOptions> {
  readonly app?: Partial<ControlHandlers<'agent'>>;
}

const nobody = (subtype: string) => () => {
  throw new AgentError('unknown_subtype', `${subtype} is not served here`);
};

/** A real control service and a real peer of the app, joined by the bytes of a linked pair. */
export function createControlStage({ app: served = {}, ...options }: ControlStageOptions = {}): ControlStage {
  const [agentEnd, wire] = createLinkedPair();
  const happenings: Happening[] = [];
  const notices: Notice[] = [];
  const problems: AgentError[] = [];
  const sent: ControlLine[] = [];
  let model = 'first';
  let permissionMode: ControlServiceOptions['agent']['permissionMode'] = 'default';
  const service = new ControlService({
    agent: {
      sessionId: '6b0d34d6-5c1f-4a52-8b0f-6b1c1f6c0a11',
      get model() {
        return model;
      },
      get permissionMode() {
        return permissionMode;
      },
      toolNames: ['read_file', 'edit'],
      interrupt: () => {
        happenings.push('interrupt');
        return true;
      },
      setModel: async (name) => {
        if (name === 'broken') throw new AgentError('model_not_found', 'no such model');
        model = name ?? 'first';
        return model;
      },
      setPermissionMode: (mode) => {
        permissionMode = mode;
        happenings.push(`mode ${mode}`);
      },
      setPrompts: (prompts) => {
        happenings.push(`prompts ${JSON.stringify(prompts)}`);
        return true;
      },
    },
    output: { pause: () => happenings.push('pause'), resume: () => happenings.push('resume') },
    commandNames: () => ['clear'],
    announce: (notice) => notices.push(notice),
    leave: (error) => happenings.push(`leave ${error.message}`),
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
} as const;
