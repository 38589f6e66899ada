import type { Writable } from 'node:stream';
import type { AgentEvent } from '@qwen/agent';
import type { StyledLine } from '../lines/styled-line.js';
import { reduceEvent } from '../state/reduce-event.js';
import type { TerminalStore } from '../state/terminal-store.js';
import type { Transcript } from '../transcript/transcript.js';

/** Milliseconds between screen updates for agent events; typed text appears at once. */
const FRAME_MS = 33;

/** More per frame would delay keys; the rest waits, and so does the model. */
const MOST_EVENTS_A_FRAME = 400;

export interface EventFeedOptions {
  readonly store: TerminalStore;
  readonly transcript: Transcript;
  readonly print: (lines: readonly StyledLine[]) => void;
  /** The terminal; the agent waits while it is blocked. */
  readonly output: Writable;
}

/**
 * Applies agent events frame by frame: prints finished lines and updates the state. Keeps the order, also with other
 * printed lines.
 */
export class EventFeed {
  readonly #options: EventFeedOptions;
  #events: AgentEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #shownAt = 0;
  /** Set while the frame is full. */
  #room: PromiseWithResolvers<void> | undefined;

  constructor(options: EventFeedOptions) {
    this.#options = options;
  }

  /** Resolves when there is room for the next event. Never rejects. */
  take(event: AgentEvent): Promise<void> | undefined {
    this.#events.push(event);
    const rest = this.#shownAt + FRAME_MS - Date.now();
    const isFull = this.#events.length >= MOST_EVENTS_A_FRAME;
    // The clock may be set back.
    const isDue = rest <= 0 || rest > FRAME_MS;
    // A full frame waits too, so that keys are handled.
    if (isDue && !isFull) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), isDue ? 0 : rest);
    const { output } = this.#options;
    if (output.writableNeedDrain) return roomIn(output);
    if (!isFull) return undefined;
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  /** Prints after the lines of earlier events. */
  print(lines: readonly StyledLine[]): void {
    this.flush();
    this.#options.print(lines);
  }

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
    // The state changes first, so that the live part no longer shows these lines.
    print(lines);
  }
}

/** Settles on drain or when the terminal closes. */
function roomIn(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      for (const name of ['drain', 'error', 'close']) output.off(name, settle);
      resolve();
    };
    for (const name of ['drain', 'error', 'close']) output.once(name, settle);
  });
}
