import type { SessionRecord, Usage } from '@qwen/protocol';

export interface ModelUsage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

const NOTHING: ModelUsage = { calls: 0, inputTokens: 0, outputTokens: 0 };

/** Usage of a session and whether its last turn is complete, from its records. */
export class SessionLedger {
  readonly #models = new Map<string, ModelUsage>();
  #turns = 0;
  #tokens = 0;
  #hasUnfinishedTurn = false;
  #isClientCall = false;

  constructor(records: readonly SessionRecord[] = []) {
    for (const record of records) this.add(record);
  }

  get models(): ReadonlyMap<string, ModelUsage> {
    return this.#models;
  }

  get turns(): number {
    return this.#turns;
  }

  /** Of ended turns and manual summaries. */
  get tokens(): number {
    return this.#tokens;
  }

  /** The last turn can be continued. */
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
