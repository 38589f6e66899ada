import type { FileStore } from '@qwen/agent/node';
import { offeredAgents } from '@qwen/host/agents/offered-agents.js';
import type { McpServerChoice } from '@qwen/host/config/mcp-servers.js';
import type { McpConnector } from '@qwen/host/mcp/mcp-connection.js';
import type { ModelDirectory } from '@qwen/host/model-directory.js';
import type {
  AgentServiceApi,
  ConfirmationServiceApi,
  HookServiceApi,
  McpServiceApi,
  PermissionServiceApi,
  SystemServiceApi,
} from '@qwen/host/service-apis.js';
import {
  type AgentConfig,
  type AgentError,
  type ControlFrame,
  type ControlHandlers,
  type ControlLine,
  type ControlTracer,
  defined,
  type ToolVocabulary,
  toControlLine,
} from '@qwen/protocol';
import { ControlDispatcher } from './control-dispatcher.js';
import { AgentController } from './controllers/agent-controller.js';
import { ConfirmationController } from './controllers/confirmation-controller.js';
import type { ControlContext, Controller } from './controllers/controller.js';
import { HookController } from './controllers/hook-controller.js';
import { ModelController } from './controllers/model-controller.js';
import { PermissionController } from './controllers/permission-controller.js';
import { SdkMcpController } from './controllers/sdk-mcp-controller.js';
import { SessionController } from './controllers/session-controller.js';
import { SystemController } from './controllers/system-controller.js';
import { TaskController } from './controllers/task-controller.js';

export interface ControlServiceOptions extends Omit<ControlContext, 'app'> {
  readonly send: (line: ControlLine) => void;
  readonly toLine?: (frame: ControlFrame) => ControlLine;
  /** Called for late and unknown answers. */
  readonly onProblem?: (error: AgentError) => void;
  readonly tracer?: ControlTracer;
  readonly mcpConnector: McpConnector;
  readonly mcpServers: McpServerChoice;
  /** Called once, when servers start. */
  readonly discoverMcpServers?: () => Promise<McpServerChoice>;
  readonly allowedMcpServers?: readonly string[];
  readonly onToolsChanged: () => void;
  readonly sendsSuggestions: boolean;
  /** Whose tool names the app gets unless its `initialize` says otherwise. Default: `qwen`. */
  readonly toolNames?: ToolVocabulary;
  /** Default: that of this process. */
  readonly cwd?: string;
  /** Whether an app that declares nothing answers questions of the model. Default false. */
  readonly answersQuestions?: boolean;
  /** Whether no one is asked until the mode changes. Default false. */
  readonly asksNoOne?: boolean;
  readonly models: ModelDirectory;
  readonly openStore: () => Promise<FileStore>;
  readonly fileAgents: readonly AgentConfig[];
}

/** The facade of the control channel: one API per domain. */
export class ControlService {
  readonly permission: PermissionServiceApi;
  readonly system: SystemServiceApi;
  readonly mcp: McpServiceApi;
  readonly hook: HookServiceApi;
  readonly agent: AgentServiceApi;
  readonly confirmation: ConfirmationServiceApi;
  /** Whether the current session asks no one. */
  readonly isSilent: () => boolean;
  readonly #options: Pick<ControlServiceOptions, 'send' | 'toLine'>;
  readonly #dispatcher: ControlDispatcher;
  readonly #closeMcp: () => Promise<void>;

  constructor(options: ControlServiceOptions) {
    this.#options = options;
    const context: ControlContext = {
      agents: options.agents,
      output: options.output,
      account: options.account,
      commandNames: options.commandNames,
      ...(options.findCommandNames !== undefined && { findCommandNames: options.findCommandNames }),
      announce: options.announce,
      leave: options.leave,
      exit: options.exit,
      ...(options.reportFailure !== undefined && { reportFailure: options.reportFailure }),
      app: {
        ask: (subtype, payload, how) => this.#dispatcher.ask(subtype, payload, how),
        setTimeouts: (timeouts) => this.#dispatcher.setTimeouts(timeouts),
      },
    };
    const hook = new HookController(context, options.toolNames ?? 'qwen');
    const agent = new AgentController(options.fileAgents);
    const system = new SystemController(context, {
      hooks: hook.supported,
      agentNames: () => offeredAgents({ agents: agent.agents, toolNames: options.agents.current.toolNames }),
    });
    const models = new ModelController(context, options.models);
    const sessions = new SessionController(context, options.openStore);
    const permission = new PermissionController(context, {
      sendsSuggestions: options.sendsSuggestions,
      toolNames: options.toolNames ?? 'qwen',
      cwd: options.cwd ?? process.cwd(),
      ...defined({ answersQuestions: options.answersQuestions, asksNoOne: options.asksNoOne }),
    });
    const mcp = new SdkMcpController(context, {
      connector: options.mcpConnector,
      servers: options.mcpServers,
      onToolsChanged: options.onToolsChanged,
      ...defined({ discover: options.discoverMcpServers, allowedNames: options.allowedMcpServers }),
    });
    const confirmation = new ConfirmationController(context);
    const handlers: ControlHandlers<'app'> = {
      ...system.handlers,
      ...models.handlers,
      ...sessions.handlers,
      ...new TaskController(context).handlers,
      ...permission.handlers,
      ...mcp.handlers,
    };
    const controllers: readonly Controller[] = [system, models, sessions, permission, confirmation, mcp, hook, agent];
    this.permission = permission;
    this.isSilent = () => permission.isSilent();
    this.system = system;
    this.mcp = mcp;
    this.hook = hook;
    this.agent = agent;
    this.confirmation = confirmation;
    this.#closeMcp = () => mcp.close();
    this.#dispatcher = new ControlDispatcher({
      handlers,
      controllers,
      send: options.send,
      ...defined({ toLine: options.toLine, onProblem: options.onProblem, tracer: options.tracer }),
    });
  }

  accept(frame: ControlFrame): void {
    this.#dispatcher.accept(frame);
  }

  /** Answers a data line that asked for a control response. */
  answer(requestId: string, result: unknown): void {
    const { send, toLine = toControlLine } = this.#options;
    send(toLine({ kind: 'response', requestId, ok: true, result }));
  }

  /** Pending permission requests are denied. */
  endInput(): void {
    this.#dispatcher.endInput();
  }

  /** Runs `work`, such as SessionEnd hooks of the app, while the channel is still open. */
  async close(work?: Promise<unknown>): Promise<void> {
    await Promise.all([this.#closeMcp(), work]);
    this.#dispatcher.close();
  }
}
