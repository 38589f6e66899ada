import type { AgentError, ErrorCode } from '@qwen/protocol';
import type { TurnContext } from './turn-context.js';

/** Other failures would repeat with another model, or someone decided them. */
const FALLBACK_CODES: ReadonlySet<ErrorCode> = new Set([
  'missing_credentials',
  'auth_failed',
  'permission_refused',
  'context_overflow',
  'empty_answer',
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

  /** Makes another model the current one. False if there is none, or it would fail too. */
  failOver({ code }: AgentError, failed: string): boolean {
    const isLeft = this.#candidates().some((model) => model !== failed && !this.#failed.has(model));
    if (!isLeft || !FALLBACK_CODES.has(code)) return false;
    this.#failed.add(failed);
    return true;
  }

  #candidates(): readonly string[] {
    return [this.#context.settings().model, ...this.#context.fallbackModels];
  }
}
