import { addUsage, NO_USAGE, type PermissionDenial, type Usage } from '@qwen/protocol';

export class TurnTally {
  readonly #parent: TurnTally | undefined;
  modelCalls = 0;
  allModelCalls = 0;
  toolCalls = 0;
  /** Milliseconds; parallel subagents add up. */
  durationApiMs = 0;
  #usage: Usage = NO_USAGE;
  /** Estimates of answers without usage. */
  #uncounted: Usage | undefined;
  /** By the configured name of the model. */
  readonly models = new Map<string, Usage>();
  readonly denials: PermissionDenial[] = [];

  constructor(parent?: TurnTally) {
    this.#parent = parent;
  }

  countModelCall(): void {
    this.modelCalls += 1;
    for (const tally of this.#withAncestors()) tally.allModelCalls += 1;
  }

  /** Without a cost if an answer came without usage. */
  get usage(): Usage {
    if (this.#uncounted === undefined) return this.#usage;
    const { cost_usd: _partial, ...counted } = this.#usage;
    return counted;
  }

  /** For limits: with estimates of the answers that the provider did not count. */
  get estimatedUsage(): Usage {
    return this.#uncounted === undefined ? this.#usage : addUsage(this.#usage, this.#uncounted);
  }

  /** An answer without usage: its cost is unknown. */
  noteUncounted(estimate: Usage): void {
    for (const tally of this.#withAncestors()) tally.#uncounted = addUsage(tally.#uncounted ?? NO_USAGE, estimate);
  }

  countToolCall(): void {
    for (const tally of this.#withAncestors()) tally.toolCalls += 1;
  }

  addUsage(model: string, usage: Usage): void {
    for (const tally of this.#withAncestors()) {
      tally.#usage = addUsage(tally.#usage, usage);
      if (usage !== NO_USAGE) tally.models.set(model, addUsage(tally.models.get(model) ?? NO_USAGE, usage));
    }
  }

  addApiTime(durationMs: number): void {
    for (const tally of this.#withAncestors()) tally.durationApiMs += durationMs;
  }

  addDenial(denial: PermissionDenial): void {
    for (const tally of this.#withAncestors()) tally.denials.push(denial);
  }

  *#withAncestors(): Generator<TurnTally> {
    yield this;
    if (this.#parent !== undefined) yield* this.#parent.#withAncestors();
  }
}
