import type { AgentError, ErrorCode } from '@qwen/protocol';
import type { Answer } from './run-turn.js';
import type { TurnContext } from './turn-context.js';

const FALLBACK_CODES: ReadonlySet<ErrorCode> = new Set([
  'model_not_found',
  'rate_limited',
  'overloaded',
  'provider_error',
  'network_unavailable',
  'timeout',
  'stream_stalled',
  'stream_interrupted',
  'bad_model_response',
]);

/** The model of a prompt and its fallbacks. A model that failed is not used again for this prompt. */
export class ModelOrder {
  readonly #context: TurnContext;
  readonly #failed = new Set<string>();

  constructor(context: TurnContext) {
    this.#context = context;
  }

  get current(): string {
    return this.#candidates().find((model) => !this.#failed.has(model)) ?? this.#context.settings().model;
  }

  /** Whether another model would answer if the current one fails. */
  get hasNext(): boolean {
    return this.#candidates().some((model) => model !== this.current && !this.#failed.has(model));
  }

  /** The failure, if another model should answer; undefined otherwise. */
  failOver({ failure }: Answer, model: string): AgentError | undefined {
    if (failure === undefined || !FALLBACK_CODES.has(failure.code)) return undefined;
    this.#failed.add(model);
    return this.#candidates().some((candidate) => !this.#failed.has(candidate)) ? failure : undefined;
  }

  #candidates(): readonly string[] {
    return [this.#context.settings().model, ...this.#context.fallbackModels];
  }
}
