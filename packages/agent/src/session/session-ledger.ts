import type { SessionRecord, Usage } from '@qwen/protocol';

/** What one model was used for. */
export interface ModelUsage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

const NOTHING: ModelUsage = { calls: 0, inputTokens: 0, outputTokens: 0 };

/** What a session has used and whether its last turn came to an end, read off its records as they are written. */
export class SessionLedger {
  readonly #models = new Map<string, ModelUsage>();
  #turns = 0;
  #tokens = 0;
  #hasUnfinishedTurn = false;
  /** Whether the turn that runs is only a tool that the app asked for. */
  #isClientCall = false;

  /** `records` are those of earlier runs. */
  constructor(records: readonly SessionRecord[] = []) {
    for (const record of records) this.add(record);
  }

  /** By the name of the model; subagents included. */
  get models(): ReadonlyMap<string, ModelUsage> {
    return this.#models;
  }

  /** Turns that ended. */
  get turns(): number {
    return this.#turns;
  }

  /** Tokens of all turns that ended and of summaries between them, as the provider counts them. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Whether the last prompt was taken and its turn did not end well: it can be gone on with. */
  get hasUnfinishedTurn(): boolean {
    return this.#hasUnfinishedTurn;
  }

  add(record: SessionRecord): void {
    switch (record.type) {
      case 'user':
        if (record.parent_tool_use_id === undefined) this.#hasUnfinishedTurn = true;
        break;
      case 'assistant':
        if (record.requested_by === undefined) this.#addAnswer(record.model, record.usage);
        break;
      case 'client_call':
        this.#isClientCall = true;
        break;
      case 'turn_end':
        if (record.outcome === 'success' && !this.#isClientCall) this.#hasUnfinishedTurn = false;
        this.#isClientCall = false;
        this.#turns += 1;
        this.#addTokens(record.usage);
        break;
      case 'compaction':
        if (record.usage !== undefined) this.#addTokens(record.usage);
        break;
      case 'cleared':
      case 'restored':
        this.#hasUnfinishedTurn = false;
        break;
      default:
        break;
    }
  }

  #addTokens({ total_tokens: total, input_tokens: input, output_tokens: output }: Usage): void {
    this.#tokens += total ?? input + output;
  }

  #addAnswer(model: string, usage: Usage): void {
    const { calls, inputTokens, outputTokens } = this.#models.get(model) ?? NOTHING;
    this.#models.set(model, {
      calls: calls + 1,
      inputTokens: inputTokens + usage.input_tokens,
      outputTokens: outputTokens + usage.output_tokens,
    });
  }
}
