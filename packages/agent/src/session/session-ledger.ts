import { addUsage, NO_USAGE, type SessionRecord, type Usage } from '@qwen/protocol';

export interface ModelUsage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of `inputTokens`. */
  readonly cachedTokens: number;
  /** Part of `outputTokens`. */
  readonly reasoningTokens: number;
  /** Missing if the price is unknown. */
  readonly costUsd?: number;
}

export class SessionLedger {
  readonly #models = new Map<string, { readonly calls: number; readonly usage: Usage }>();
  #turns = 0;
  #tokens = 0;
  #hasUnfinishedTurn = false;
  #isClientCall = false;

  constructor(records: readonly SessionRecord[] = []) {
    for (const record of records) this.add(record);
  }

  get models(): ReadonlyMap<string, ModelUsage> {
    const rows = [...this.#models].map(([name, { calls, usage }]): [string, ModelUsage] => [
      name,
      {
        calls,
        inputTokens: usage.input_tokens,
        outputTokens: usage.output_tokens,
        cachedTokens: usage.cache_read_input_tokens ?? 0,
        reasoningTokens: usage.reasoning_output_tokens ?? 0,
        ...(usage.cost_usd !== undefined && { costUsd: usage.cost_usd }),
      },
    ]);
    return new Map(rows);
  }

  get turns(): number {
    return this.#turns;
  }

  /** Tokens of ended turns and manual compactions. */
  get tokens(): number {
    return this.#tokens;
  }

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

  #addAnswer(model: string, added: Usage): void {
    const { calls, usage } = this.#models.get(model) ?? { calls: 0, usage: NO_USAGE };
    this.#models.set(model, { calls: calls + 1, usage: addUsage(usage, added) });
  }
}
