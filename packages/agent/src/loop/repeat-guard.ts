import { AgentError } from '@qwen/protocol';
import type { ToolOutcome } from '../tool-view.js';
import type { RequestedCall } from './answer-builder.js';

/** Rounds in a row of one kind before the model is warned, and before the turn ends. */
interface Limits {
  readonly warnAt: number;
  readonly failAt: number;
}

const CYCLES: readonly Limits[] = [
  { warnAt: 5, failAt: 8 },
  { warnAt: 4, failAt: 6 },
  ...Array.from({ length: 8 }, () => ({ warnAt: 3, failAt: 5 })),
];
/** How often calls of the same tools may fail, whatever their input. */
const FAILURES: Limits = { warnAt: 6, failAt: 20 };
/** The longest pattern, repeated until the turn ends. */
const MAX_ROUNDS = 50;
/** Rounds of up to four kinds, which differ only in numbers: polling, counting or work in small steps. */
const SIMILAR = { kinds: 4, warnAt: 100 };

export interface Loop {
  readonly warning?: string;
  readonly failure?: AgentError;
}

interface Round {
  /** Calls and results, without what does not matter. */
  readonly key: string;
  readonly names: string;
}

/** Detects a model that repeats calls with the same results, also in turns, or that only fails. */
export class RepeatGuard {
  readonly #rounds: Round[] = [];
  #similar = new Set<string>();
  #similarCount = 0;
  #failed = { names: '', count: 0 };

  note(calls: readonly RequestedCall[], outcomes: readonly ToolOutcome[]): Loop {
    if (calls.length === 0) {
      this.#rounds.length = 0;
      this.#similar.clear();
      this.#failed = { names: '', count: 0 };
      return {};
    }
    const names = [...new Set(calls.map(({ name }) => name))].join(', ');
    const key = keyOf(calls, outcomes);
    this.#rounds.push({ key, names });
    if (this.#rounds.length > MAX_ROUNDS) this.#rounds.shift();
    const similar = this.#countSimilar(key, { names, hasChanged: outcomes.some(changesFile) });
    return this.#findCycle() ?? similar ?? this.#countFailures(names, outcomes);
  }

  #countSimilar(key: string, { names, hasChanged }: { names: string; hasChanged: boolean }): Loop | undefined {
    const kind = key.replaceAll(NUMBERS, '0');
    if (hasChanged || (!this.#similar.has(kind) && this.#similar.size === SIMILAR.kinds)) {
      this.#similar.clear();
    }
    if (this.#similar.size === 0) this.#similarCount = 0;
    this.#similar.add(kind);
    this.#similarCount += 1;
    if (this.#similarCount !== SIMILAR.warnAt) return undefined;
    const fact = `The last ${SIMILAR.warnAt} rounds of calls (${names}) differ only in numbers.`;
    return { warning: `${fact} To wait, run one long command; for many similar steps, write a script.` };
  }

  #findCycle(): Loop | undefined {
    for (const [index, limits] of CYCLES.entries()) {
      const period = index + 1;
      const repeated = this.#repeatedRounds(period);
      // Each pattern is reported once, at the end of a repetition.
      const isWhole = (repeated + period) % period === 0;
      const count = repeated / period + 1;
      if (count < limits.warnAt || !isWhole) continue;
      const last = this.#rounds.slice(-period).map(({ names }) => names);
      const what =
        period === 1
          ? `${last[0]} was called ${count} times in a row with the same input and the same result.`
          : `The last ${period} rounds of calls (${last.join('; ')}) ran ${count} times with the same results.`;
      return toLoop(what, count, limits);
    }
    return undefined;
  }

  /** How many of the last rounds equal the round `period` before them. */
  #repeatedRounds(period: number): number {
    const rounds = this.#rounds;
    let repeated = 0;
    for (let at = rounds.length - 1; at >= period && rounds[at]?.key === rounds[at - period]?.key; at -= 1) {
      repeated += 1;
    }
    return repeated;
  }

  #countFailures(names: string, outcomes: readonly ToolOutcome[]): Loop {
    const hasFailed = outcomes.length > 0 && outcomes.every(({ isError }) => isError);
    const count = hasFailed ? (this.#failed.names === names ? this.#failed.count + 1 : 1) : 0;
    this.#failed = { names, count };
    return toLoop(`${names} failed ${count} times in a row.`, count, FAILURES);
  }
}

const NUMBERS = /\b[0-9a-f]{7,}\b|\d+/gi;

function changesFile({ display, isError }: ToolOutcome): boolean {
  return display?.kind === 'diff' && !isError;
}

function toLoop(fact: string, count: number, { warnAt, failAt }: Limits): Loop {
  if (count >= failAt) return { failure: new AgentError('loop_detected', fact) };
  if (count !== warnAt) return {};
  return { warning: `${fact} Repeating it will not help: try something else, or explain what blocks you.` };
}

function keyOf(calls: readonly RequestedCall[], outcomes: readonly ToolOutcome[]): string {
  const called = calls.map(({ name, input }) => [name, essence(input)]);
  return JSON.stringify([called, outcomes.map(({ content }) => withoutTimes(JSON.stringify(content)))]);
}

/** Members that change how a call looks or how long it may take, not what it does. */
const INCIDENTAL: ReadonlySet<string> = new Set(['description', 'timeout', 'explanation']);

function essence(input: unknown): unknown {
  if (typeof input === 'string') return input.trim().replaceAll(/\s+/g, ' ').replace(/^\.\//, '');
  if (Array.isArray(input)) return input.map(essence);
  if (typeof input !== 'object' || input === null) return input;
  return Object.entries(input)
    .filter(([name, value]) => !INCIDENTAL.has(name) && value !== null)
    .map(([name, value]) => [name, essence(value)])
    .toSorted(([left], [right]) => (String(left) < String(right) ? -1 : 1));
}

/** Two runs of a command rarely take the same time. */
function withoutTimes(text: string): string {
  return text
    .replaceAll(
      /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g,
      '<time>',
    )
    .replaceAll(/\b\d+(?:\.\d+)?\s?(?:ms|s|sec|secs|seconds?|minutes?)\b/g, '<duration>');
}
