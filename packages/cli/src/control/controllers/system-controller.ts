import {
  AgentError,
  type ControlHandlers,
  type ControlResult,
  PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@qwen/protocol';
import type { ControlContext } from '../control-context.js';
import type { Controller, InitializePayload } from './controller.js';

const MAX_MODEL_NAME_LENGTH = 256;

type Served = 'initialize' | 'interrupt' | 'set_model' | 'supported_commands' | 'set_output_flow';

export interface SystemControllerOptions {
  /** Whether registered hooks are called. */
  readonly hooks: boolean;
}

/** The session as a whole: `initialize`, `interrupt`, `set_model`, `supported_commands`, `set_output_flow`. */
export class SystemController implements Controller {
  readonly #context: ControlContext;
  readonly #options: SystemControllerOptions;

  readonly handlers: Pick<ControlHandlers<'app'>, Served> = {
    initialize: (payload) => this.#initialize(payload),
    interrupt: () => {
      this.#context.agent.interrupt();
      return null;
    },
    set_model: async ({ model }) => ({ subtype: 'set_model', model: await this.#setModel(model ?? null) }),
    supported_commands: () => ({ commands: [...this.#context.commandNames()] }),
    set_output_flow: ({ paused }) => {
      if (paused) this.#context.output.pause();
      else this.#context.output.resume();
      return { paused };
    },
  };

  constructor(context: ControlContext, options: SystemControllerOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** What this end is and can (N-14): the body of the answer to `initialize`. */
  getControlCapabilities(): ControlResult<'initialize'> {
    const { agent, commandNames } = this.#context;
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
        // The same in the words of qwen-code (FEATURES D3).
        can_handle_can_use_tool: true,
        can_handle_hook_callback: this.#options.hooks,
        can_set_permission_mode: true,
        can_set_model: true,
        can_handle_mcp_message: true,
        can_set_effort: false,
        can_get_context_usage: false,
        can_get_available_models: false,
        can_get_usage_info: false,
      },
      model: agent.model,
      permissionMode: agent.permissionMode,
      agents: [],
    };
  }

  onInitialize({ timeout, agents, systemPrompt, appendSystemPrompt }: InitializePayload): void {
    const { app, agent, announce } = this.#context;
    if (timeout !== undefined && timeout !== null) app.setTimeouts(timeout);
    if (agents !== undefined && agents !== null && Object.keys(agents).length > 0) {
      announce({ code: 'agents_not_supported', message: 'This version of qwen has no subagents; they are left out.' });
    }
    const prompts = { ...(systemPrompt && { systemPrompt }), ...(appendSystemPrompt && { appendSystemPrompt }) };
    if (Object.keys(prompts).length > 0 && !agent.setPrompts(prompts)) {
      announce({ code: 'prompts_too_late', message: 'The session has begun: its system prompt stays as it is.' });
    }
  }

  #initialize({ protocol_version: version }: InitializePayload): ControlResult<'initialize'> {
    if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
      const ours = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
      const error = new AgentError(
        'unsupported_protocol',
        `You speak protocol version ${version}; this qwen speaks ${ours}.`,
        { data: { requested: version, supported: SUPPORTED_PROTOCOL_VERSIONS } },
      );
      this.#context.leave(error);
      throw error;
    }
    return {
      subtype: 'initialize',
      session_id: this.#context.agent.sessionId,
      protocol_version: PROTOCOL_VERSION,
      ...this.getControlCapabilities(),
    };
  }

  async #setModel(model: string | null): Promise<string> {
    if (model !== null && (model.trim() === '' || model.length > MAX_MODEL_NAME_LENGTH || /\p{Cc}/u.test(model))) {
      throw new AgentError('invalid_payload', 'set_model.model: expected the name of a model');
    }
    return this.#context.agent.setModel(model);
  }
}
