import type { Writable } from 'node:stream';
import type { AgentEvent } from '@qwen/agent';
import { createDeferred, type Deferred } from '@qwen/protocol';
import type { StyledLine } from '../lines/styled-line.js';
import { reduceEvent } from '../state/reduce-event.js';
import type { TerminalStore } from '../state/terminal-store.js';
import type { Transcript } from '../transcript/transcript.js';

/** The screen changes at most once in this time for what the agent does, in milliseconds; what is typed shows at once. */
const FRAME_MS = 33;

/** More in one frame would keep keys waiting; the rest comes with the next one, and meanwhile the model waits. */
const MOST_EVENTS_A_FRAME = 400;

export interface EventFeedOptions {
  readonly store: TerminalStore;
  readonly transcript: Transcript;
  readonly print: (lines: readonly StyledLine[]) => void;
  /** The terminal: while it takes nothing more, the agent waits. */
  readonly output: Writable;
}

/**
 * Brings events to the screen, all of one frame at once: what is finished is printed, the rest is state. Events keep their
 * order, also with what others print.
 */
export class EventFeed {
  readonly #options: EventFeedOptions;
  #events: AgentEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #shownAt = 0;
  /** Set while the frame is full. */
  #room: Deferred<void> | undefined;

  constructor(options: EventFeedOptions) {
    this.#options = options;
  }

  /** Takes an event; resolves when there is room for the next one. Never rejects. */
  take(event: AgentEvent): Promise<void> | undefined {
    this.#events.push(event);
    const rest = this.#shownAt + FRAME_MS - Date.now();
    const isFull = this.#events.length >= MOST_EVENTS_A_FRAME;
    // Clocks are set back now and then.
    const isDue = rest <= 0 || rest > FRAME_MS;
    // A full frame waits for its turn too: what comes in by then are keys.
    if (isDue && !isFull) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), isDue ? 0 : rest);
    const { output } = this.#options;
    if (output.writableNeedDrain) return roomIn(output);
    if (!isFull) return undefined;
    this.#room ??= createDeferred();
    return this.#room.promise;
  }

  /** Prints lines behind what the events so far print. */
  print(lines: readonly StyledLine[]): void {
    this.flush();
    this.#options.print(lines);
  }

  /** Shows now what came so far. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#room?.resolve();
    this.#room = undefined;
    const events = this.#events.splice(0);
    if (events.length === 0) return;
    const nowMs = Date.now();
    this.#shownAt = nowMs;
    const { store, transcript, print } = this.#options;
    const lines = events.flatMap((event) => transcript.take(event, nowMs));
    const { draft } = transcript;
    store.update((before) => {
      const state = events.reduce((current, event) => reduceEvent(current, event, nowMs), before);
      return state.draft === draft ? state : { ...state, draft };
    });
    // Behind the state: the screen below is then the one that has lost these lines.
    print(lines);
  }
}

/** Settles with whichever comes first: room, or the end of the terminal. */
function roomIn(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      for (const name of ['drain', 'error', 'close']) output.off(name, settle);
      resolve();
    };
    for (const name of ['drain', 'error', 'close']) output.once(name, settle);
  });
}
