import type { FileRewind } from '@qwen/agent';
import type { AgentControls } from '@qwen/host/agent-controls.js';
import type { Account } from '@qwen/host/config/account.js';
import {
  AgentError,
  type Budget,
  type ControlHandlers,
  type ControlResult,
  defined,
  PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@qwen/protocol';
import { LeaseDeadline } from '../lease-deadline.js';
import { agentFor, type ControlContext, type Controller, type InitializePayload } from './controller.js';

const MAX_MODEL_NAME_LENGTH = 256;

type Served =
  | 'initialize'
  | 'interrupt'
  | 'end_session'
  | 'set_model'
  | 'supported_commands'
  | 'continue_last_turn'
  | 'steer'
  | 'rewind_files'
  | 'rewind_conversation'
  | 'set_output_flow'
  | 'renew_lease';

export interface SystemControllerOptions {
  readonly hooks: boolean;
  /** Read on each call. */
  readonly agentNames: () => readonly string[];
}

export class SystemController implements Controller {
  readonly #context: ControlContext;
  readonly #options: SystemControllerOptions;
  /** Rejects if the last `initialize` named an invalid schema. */
  #outputSchema: Promise<void> | undefined;
  #reportsChanges = true;
  readonly #lease: LeaseDeadline;

  readonly handlers: Pick<ControlHandlers<'app'>, Served> = {
    initialize: () => this.#outputSchema?.then(() => this.#initialize()) ?? this.#initialize(),
    interrupt: (_payload, context) => {
      agentFor(this.#context.agents, context).interrupt();
      return null;
    },
    end_session: async ({ reason = 'other' }, context) => {
      await agentFor(this.#context.agents, context).close(reason);
      return null;
    },
    set_model: async ({ model }, context) => {
      const agent = agentFor(this.#context.agents, context);
      return { subtype: 'set_model', model: await setModel(agent, model ?? null) };
    },
    continue_last_turn: async (_payload, context) => {
      const { refused: reason } = await agentFor(this.#context.agents, context).continueLastTurn();
      return reason === undefined ? { accepted: true } : { accepted: false, reason };
    },
    steer: async ({ uuid = crypto.randomUUID(), content, priority = 'next' }, context) => ({
      taken: await agentFor(this.#context.agents, context).steer({ uuid, content, priority }, context.signal),
    }),
    rewind_files: async ({ user_message_id: messageId, dry_run: isDry = false }, context) => {
      const agent = agentFor(this.#context.agents, context);
      if (!isDry) return toRewindResult(await agent.rewindFiles(messageId));
      return agent.previewFiles(messageId).then(toRewindResult).catch(toRefusal);
    },
    rewind_conversation: async ({ user_message_id: messageId }, context) => ({
      prompt: await agentFor(this.#context.agents, context).rewindConversation(messageId),
    }),
    supported_commands: () => {
      const { commandNames, findCommandNames } = this.#context;
      const toAnswer = (names: readonly string[]) => ({ commands: names.toSorted() });
      return findCommandNames?.()?.then(toAnswer) ?? toAnswer(commandNames());
    },
    set_output_flow: ({ paused }) => {
      if (paused) this.#context.output.pause();
      else this.#context.output.resume();
      return { paused };
    },
    renew_lease: ({ ttl_ms: ttlMs, expires_at: expiresAt }) => {
      this.#lease.renew(Math.min(ttlMs, expiresAt - Date.now()));
      return null;
    },
  };

  constructor(context: ControlContext, options: SystemControllerOptions) {
    this.#context = context;
    this.#options = options;
    this.#lease = new LeaseDeadline(context.exit);
  }

  getControlCapabilities(): ControlResult<'initialize'> {
    const { commandNames } = this.#context;
    const agent = this.#context.agents.current;
    return {
      commands: [...commandNames()],
      output_style: 'stream-json',
      output_format: 'stream-json',
      capabilities: {
        tools: [...agent.toolNames],
        mcpServers: true,
        hooks: this.#options.hooks,
        permissionControl: true,
        outputFlow: true,
        mcpNotifications: true,
        // Member names of qwen-code.
        can_handle_can_use_tool: true,
        can_handle_hook_callback: this.#options.hooks,
        can_set_permission_mode: true,
        can_set_model: true,
        can_handle_mcp_message: true,
        can_set_effort: true,
        can_get_context_usage: true,
        can_get_available_models: true,
        can_get_usage_info: true,
      },
      model: agent.model,
      permissionMode: agent.permissionMode,
      account: toWireAccount(this.#context.account),
      agents: [...this.#options.agentNames()],
    };
  }

  checkInitialize({ protocol_version: version, budget }: InitializePayload): void {
    checkBudget(budget ?? {});
    if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return;
    const ours = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
    const error = new AgentError(
      'unsupported_protocol',
      `Protocol version ${version} is not supported. This qwen supports version ${ours}.`,
      { data: { requested: version, supported: SUPPORTED_PROTOCOL_VERSIONS } },
    );
    this.#context.leave(error);
    throw error;
  }

  /** Whether the app knows messages about changes of the model and the mode. */
  get reportsChanges(): boolean {
    return this.#reportsChanges;
  }

  onInitialize(payload: InitializePayload): void {
    this.#reportsChanges = payload.protocol_version !== undefined;
    const { timeout, systemPrompt, appendSystemPrompt, outputSchema, budget, fallbackModels, fileHistory } = payload;
    const { app, announce } = this.#context;
    const agent = this.#context.agents.current;
    if (timeout !== undefined && timeout !== null) app.setTimeouts(timeout);
    this.#outputSchema = outputSchema ? agent.setOutputSchema(outputSchema) : undefined;
    const overrides = {
      ...(systemPrompt && { systemPrompt }),
      ...(appendSystemPrompt && { appendSystemPrompt }),
      ...(budget && { budget }),
      ...(fallbackModels && { fallbackModels }),
      ...defined({ fileHistory }),
    };
    if (Object.keys(overrides).length > 0 && !agent.setOverrides(overrides)) {
      const names = Object.keys(overrides).join(', ');
      announce({
        code: 'prompts_too_late',
        message: `The session has already started; these options were ignored: ${names}.`,
      });
    }
  }

  #initialize(): ControlResult<'initialize'> {
    return {
      subtype: 'initialize',
      session_id: this.#context.agents.current.sessionId,
      protocol_version: PROTOCOL_VERSION,
      ...this.getControlCapabilities(),
    };
  }

  isInterrupted(): boolean {
    return this.#context.agents.current.isInterrupted;
  }

  resetInterrupt(): void {
    this.#context.agents.current.resetInterrupt();
  }
}

function toRewindResult(rewind: FileRewind | undefined): ControlResult<'rewind_files'> {
  if (rewind === undefined) {
    throw new AgentError('usage', 'No copies of files are kept: the setting fileHistory.enabled is false.');
  }
  const { files, insertions, deletions } = rewind;
  return {
    canRewind: true,
    filesChanged: files.filter(({ refused }) => refused === undefined).map(({ path }) => path),
    insertions,
    deletions,
    files: files.map(({ changedSince, ...file }) => ({ ...file, ...defined({ changed_since: changedSince }) })),
  };
}

function toRefusal(thrown: unknown): ControlResult<'rewind_files'> {
  return { canRewind: false, error: AgentError.from(thrown).message };
}

async function setModel(agent: AgentControls, model: string | null): Promise<string> {
  if (model !== null && (model.trim() === '' || model.length > MAX_MODEL_NAME_LENGTH || /\p{Cc}/u.test(model))) {
    throw new AgentError('invalid_payload', 'set_model.model: expected the name of a model');
  }
  return agent.setModel(model);
}

function checkBudget(budget: Budget): void {
  for (const [name, value] of Object.entries(budget)) {
    if (typeof value === 'number' && !(value > 0 && Number.isFinite(value))) {
      throw new AgentError('invalid_payload', `initialize.budget.${name}: expected a number above 0, not ${value}`);
    }
  }
}

function toWireAccount({ provider, host, credentialSource }: Account): ControlResult<'initialize'>['account'] {
  return {
    ...defined({ provider, host, credential_source: credentialSource }),
  };
}
