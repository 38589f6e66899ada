import { AgentError } from '@qwen/protocol';
import { suggestFiles } from './at-hints.js';
import type { HintAnswer, HintClock, HintCommands, HintFiles, HintQuery, HintTrigger } from './hint.js';
import { suggestCommands } from './slash-hints.js';

export interface HintEngineOptions {
  readonly commands: HintCommands;
  readonly files: HintFiles;
  readonly clock: HintClock;
  /** Never called synchronously from `request`; must not throw. */
  readonly onAnswer: (answer: HintAnswer) => void;
}

const THROTTLE_MS = 75;

/**
 * Answers hint queries of one session. Only the newest query per trigger is answered. The creator closes the engine.
 */
export class HintEngine {
  readonly #options: HintEngineOptions;
  readonly #lanes = new Map<HintTrigger, Lane>();
  #isClosed = false;

  constructor(options: HintEngineOptions) {
    this.#options = options;
  }

  request(query: HintQuery): void {
    if (this.#isClosed) return;
    const lane = this.#lanes.get(query.trigger) ?? new Lane();
    this.#lanes.set(query.trigger, lane);
    lane.stopWork();
    lane.waiting = query;
    lane.stopTimer ??= this.#options.clock.startTimer(THROTTLE_MS, () => this.#start(lane));
  }

  /** No query gets an answer. */
  cancel(promptId: string | null | undefined, trigger?: HintTrigger | null): void {
    for (const [name, lane] of this.#lanes) {
      if (trigger !== undefined && trigger !== null && name !== trigger) continue;
      lane.cancel((query) => (query.promptId ?? undefined) === (promptId ?? undefined));
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const lane of this.#lanes.values()) lane.cancel(() => true);
  }

  #start(lane: Lane): void {
    const query = lane.waiting;
    lane.waiting = undefined;
    lane.stopTimer = undefined;
    if (query !== undefined) void this.#answer(query, lane.startWork(query));
  }

  /** Never rejects. */
  async #answer(query: HintQuery, signal: AbortSignal): Promise<void> {
    const { commands, files, onAnswer } = this.#options;
    try {
      const onWait = () => signal.aborted || onAnswer({ query, status: 'loading' });
      const found = await (query.trigger === 'at'
        ? suggestFiles(query, files, { signal, onWait })
        : suggestCommands(query, commands));
      if (!signal.aborted) onAnswer({ query, status: 'ok', ...found });
    } catch (error) {
      if (!signal.aborted) onAnswer({ query, status: 'error', message: AgentError.from(error).message });
    }
  }
}

/** The queries of one trigger: at most one waiting and one running. */
class Lane {
  waiting: HintQuery | undefined;
  stopTimer: (() => void) | undefined;
  #worked: { readonly query: HintQuery; readonly abort: AbortController } | undefined;

  startWork(query: HintQuery): AbortSignal {
    const abort = new AbortController();
    this.#worked = { query, abort };
    return abort.signal;
  }

  stopWork(): void {
    this.#worked?.abort.abort();
    this.#worked = undefined;
  }

  cancel(isMeant: (query: HintQuery) => boolean): void {
    if (this.#worked !== undefined && isMeant(this.#worked.query)) this.stopWork();
    if (this.waiting === undefined || !isMeant(this.waiting)) return;
    this.stopTimer?.();
    this.stopTimer = undefined;
    this.waiting = undefined;
  }
}
