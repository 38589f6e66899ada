import type { AgentError, ErrorCode } from '@qwen/protocol';
import type { Answer } from './run-turn.js';
import type { TurnContext } from './turn-context.js';

/** Failures that another model may not have. What is wrong with the request itself is wrong everywhere. */
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

/** Which model a prompt talks to, and who takes over when that one fails. A model that failed is out for this prompt. */
export class ModelOrder {
  readonly #context: TurnContext;
  readonly #failed = new Set<string>();

  constructor(context: TurnContext) {
    this.#context = context;
  }

  /** The model of the next call. */
  get current(): string {
    return this.#candidates().find((model) => !this.#failed.has(model)) ?? this.#context.settings().model;
  }

  /** Why this answer shall be asked for anew of the next model; undefined when it stands, or nobody is left. */
  failOver({ started, failure }: Answer, model: string): AgentError | undefined {
    // Once something of an answer was seen, a second one beside it would only confuse.
    if (started || failure === undefined || !FALLBACK_CODES.has(failure.code)) return undefined;
    this.#failed.add(model);
    return this.#candidates().some((candidate) => !this.#failed.has(candidate)) ? failure : undefined;
  }

  #candidates(): readonly string[] {
    return [this.#context.settings().model, ...this.#context.fallbackModels];
  }
}
