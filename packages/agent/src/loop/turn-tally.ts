import { addUsage, NO_USAGE, type PermissionDenial, type Usage } from '@qwen/protocol';

/** What a turn has used up so far. What a subagent uses counts for the agent that started it too. */
export class TurnTally {
  readonly #parent: TurnTally | undefined;
  /** Model calls of this agent itself. */
  modelCalls = 0;
  /** Model calls of this agent and its subagents. */
  allModelCalls = 0;
  /** Tools that this agent and its subagents started. */
  toolCalls = 0;
  /** Milliseconds spent waiting for the model; of several subagents at a time, each counts. */
  durationApiMs = 0;
  /** Tokens of this agent and its subagents. */
  usage: Usage = NO_USAGE;
  /** Calls of this agent and its subagents that did not run because of a decision. */
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

  /** This tally and those of whoever started this agent. */
  *#withAncestors(): Generator<TurnTally> {
    yield this;
    if (this.#parent !== undefined) yield* this.#parent.#withAncestors();
  }
}
