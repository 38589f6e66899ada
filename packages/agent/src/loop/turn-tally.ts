import { addUsage, NO_USAGE, type PermissionDenial, type Usage } from '@qwen/protocol';

export class TurnTally {
  readonly #parent: TurnTally | undefined;
  modelCalls = 0;
  allModelCalls = 0;
  toolCalls = 0;
  /** Milliseconds; parallel subagents add up. */
  durationApiMs = 0;
  usage: Usage = NO_USAGE;
  readonly denials: PermissionDenial[] = [];

  constructor(parent?: TurnTally) {
    this.#parent = parent;
  }

  countModelCall(): void {
    this.modelCalls += 1;
    for (const tally of this.#withAncestors()) tally.allModelCalls += 1;
  }

  countToolCall(): void {
    for (const tally of this.#withAncestors()) tally.toolCalls += 1;
  }

  addUsage(usage: Usage): void {
    for (const tally of this.#withAncestors()) tally.usage = addUsage(tally.usage, usage);
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
