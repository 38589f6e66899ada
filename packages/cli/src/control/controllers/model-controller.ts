import type { AgentControls } from '@qwen/host/agent-controls.js';
import type { ModelDirectory } from '@qwen/host/model-directory.js';
import {
  AgentError,
  type ControlHandlers,
  type ControlResult,
  defined,
  EFFORTS,
  type Effort,
  effortOfTokens,
  isEffort,
} from '@qwen/protocol';
import {
  agentFor,
  type ControlContext,
  type Controller,
  type InitializePart,
  type InitializePayload,
} from './controller.js';

type Served =
  | 'set_effort'
  | 'set_max_thinking_tokens'
  | 'get_available_models'
  | 'get_context_usage'
  | 'get_usage_info';

export class ModelController implements Controller {
  readonly #context: ControlContext;
  readonly #models: ModelDirectory;
  #firstEffort: Promise<ControlResult<'set_effort'>> | undefined;

  readonly handlers: Pick<ControlHandlers<'app'>, Served> = {
    set_effort: ({ effort }, context) => this.#setEffort(agentFor(this.#context.agents, context), effort ?? undefined),
    set_max_thinking_tokens: ({ max_thinking_tokens: tokens, thinking_display: display }, context) => {
      checkThinking(tokens, display);
      if (tokens === undefined) return { applied: true };
      return this.#setEffort(
        agentFor(this.#context.agents, context),
        tokens === null ? undefined : effortOfTokens(tokens),
      );
    },
    get_available_models: (_payload, context) => this.#list(agentFor(this.#context.agents, context), context.signal),
    get_context_usage: (payload, context) =>
      this.#contextUsage(agentFor(this.#context.agents, context), { showsDetails: payload.show_details ?? true }),
    get_usage_info: async (_payload, context) => {
      const agent = agentFor(this.#context.agents, context);
      const { models, turns } = await agent.usage();
      const rows = [...models].map(([name, used]) => [
        name,
        {
          calls: used.calls,
          input_tokens: used.inputTokens,
          output_tokens: used.outputTokens,
          cache_read_input_tokens: used.cachedTokens,
          reasoning_output_tokens: used.reasoningTokens,
          ...(used.costUsd !== undefined && { cost_usd: used.costUsd }),
        },
      ]);
      return { session_id: agent.sessionId, models: Object.fromEntries(rows), turns };
    },
  };

  constructor(context: ControlContext, models: ModelDirectory) {
    this.#context = context;
    this.#models = models;
  }

  checkInitialize({ effort }: InitializePayload): void {
    if (effort !== undefined && effort !== null) parseEffort(effort, 'initialize.effort');
  }

  onInitialize({ effort }: InitializePayload): void {
    this.#firstEffort = effort === undefined || effort === null ? undefined : this.#announceEffort(effort);
  }

  answerInitialize(): Promise<InitializePart> | undefined {
    return this.#firstEffort?.then((status) => ({ effort_status: status }));
  }

  async #announceEffort(effort: string): Promise<ControlResult<'set_effort'>> {
    const status = await this.#setEffort(this.#context.agents.current, effort).catch((thrown: unknown) => ({
      applied: false,
      reason: AgentError.from(thrown).message,
    }));
    if (!status.applied) {
      const message = status.reason ?? 'The reasoning effort has no effect.';
      this.#context.announce({ code: 'effort_not_applied', message });
    }
    return status;
  }

  async #setEffort(agent: AgentControls, word: string | undefined): Promise<ControlResult<'set_effort'>> {
    const effort = word === undefined ? undefined : parseEffort(word, 'set_effort.effort');
    agent.setEffort(effort);
    return effort === undefined ? { applied: true } : this.#models.effortStatus(agent.model);
  }

  /** If the provider cannot list models, return the current one. */
  async #list({ model: current }: AgentControls, signal: AbortSignal): Promise<ControlResult<'get_available_models'>> {
    try {
      const listed = await this.#models.list(signal);
      const models = listed.map(({ id, name, contextWindow }) => ({
        id,
        ...defined({ name, context_window: contextWindow }),
      }));
      return { models, current };
    } catch (thrown) {
      return { models: [{ id: current }], current, reason: AgentError.from(thrown).message };
    }
  }

  async #contextUsage(
    agent: AgentControls,
    { showsDetails }: { readonly showsDetails: boolean },
  ): Promise<ControlResult<'get_context_usage'>> {
    const { totalTokens, windowTokens, isEstimated, parts } = await agent.contextUsage();
    // Member names of qwen-code.
    const theirs = { modelName: agent.model, totalTokens, contextWindowSize: windowTokens, isEstimated };
    return {
      ...theirs,
      model: agent.model,
      total_tokens: totalTokens,
      ...(windowTokens !== undefined && {
        max_tokens: windowTokens,
        percentage: Math.min(100, Math.round((totalTokens / windowTokens) * 1_000) / 10),
      }),
      is_estimated: isEstimated,
      ...(showsDetails && { categories: [...parts] }),
    };
  }
}

/** Throws `invalid_payload` for what would silently mean something else. */
function checkThinking(tokens: number | null | undefined, display: string | null | undefined): void {
  if (typeof tokens === 'number' && !(tokens > 0)) {
    const message = 'set_max_thinking_tokens.max_thinking_tokens: thinking cannot be disabled; give a number above 0';
    throw new AgentError('invalid_payload', message);
  }
  if (display !== undefined && display !== null && display !== 'summarized') {
    const message = `set_max_thinking_tokens.thinking_display: ${display} is not supported; thinking is sent as the model writes it`;
    throw new AgentError('invalid_payload', message);
  }
}

function parseEffort(word: string, place: string): Effort {
  if (isEffort(word)) return word;
  throw new AgentError('invalid_payload', `${place}: "${word}" is not one of ${EFFORTS.join(', ')}`);
}
