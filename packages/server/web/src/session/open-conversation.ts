import { AgentError } from '@qwen/protocol';
import type { PublicEvent } from '@qwen/protocol/server';
import { addLocalNotice, applyEvent } from '../conversation/apply-event.js';
import { type Conversation, EMPTY_CONVERSATION } from '../conversation/conversation.js';
import type { ServerClient } from '../server/server-client.js';
import { EventFollower } from './follow-events.js';
import type { PageClock } from './page-clock.js';
import { Store } from './store.js';

export interface ConversationState {
  readonly conversation: Conversation;
  readonly phase: 'loading' | 'live' | 'reconnecting' | 'over';
  /** For people. */
  readonly problem: string | undefined;
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

const FINAL_CODES: ReadonlySet<string> = new Set([
  'session_not_found',
  'unauthorized',
  'origin_refused',
  'invalid_payload',
]);

export interface OpenConversationOptions {
  readonly client: ServerClient;
  readonly sessionId: string;
  readonly clock: PageClock;
  readonly onUnauthorized: () => void;
}

/** Follows the session that the page shows, and reconnects, until `close()`. */
export class OpenConversation extends Store<ConversationState> {
  readonly sessionId: string;
  readonly #options: OpenConversationOptions;
  readonly #events: EventFollower;
  readonly #closing = new AbortController();
  #waiting: PublicEvent[] = [];
  #notices = 0;

  constructor(options: OpenConversationOptions) {
    super({ conversation: EMPTY_CONVERSATION, phase: 'loading', problem: undefined });
    this.sessionId = options.sessionId;
    this.#options = options;
    this.#events = new EventFollower(options.client, options.sessionId, {
      onEvents: (events) => this.#collect(events),
      onGap: () => this.#notice('Older events were removed.', 'warning'),
      onLive: () => this.#render({ phase: 'live', problem: undefined }),
    });
    void this.#run();
  }

  close(): void {
    this.#closing.abort();
  }

  #notice(text: string, level: 'info' | 'warning' | 'error'): void {
    this.#notices += 1;
    this.#render({});
    const conversation = addLocalNotice(this.state.conversation, `own_${this.#notices}`, { level, text });
    this.update({ conversation });
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const { clock } = this.#options;
    let failures = 0;
    while (!signal.aborted) {
      const connection = new AbortController();
      const resting = clock.hiddenSignal(() => this.#isIdle(), AbortSignal.any([signal, connection.signal]));
      try {
        await this.#events.readHistory(resting);
        this.#render({ phase: 'live', problem: undefined });
        failures = 0;
        if (!(await this.#events.followOnce(resting))) return this.#render({ phase: 'over' });
        this.#render({ phase: 'reconnecting' });
      } catch (thrown) {
        if (signal.aborted) return;
        if (resting.aborted) {
          await clock.untilVisible(signal).catch(() => undefined);
          continue;
        }
        if (!this.#mayRetry(AgentError.from(thrown))) return;
        failures += 1;
      } finally {
        connection.abort();
      }
      // Spreads reconnections of many pages.
      const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, failures - 1));
      await clock.pause(delay * (0.5 + clock.random() / 2), signal).catch(() => undefined);
    }
  }

  #isIdle(): boolean {
    return this.state.conversation.runningRequestId === undefined;
  }

  #mayRetry({ code, message }: AgentError): boolean {
    const isFinal = FINAL_CODES.has(code);
    this.#render({ phase: isFinal ? 'over' : 'reconnecting', problem: message });
    if (code === 'unauthorized') this.#options.onUnauthorized();
    return !isFinal;
  }

  /** Renders events once per frame, and the history all at once. */
  #collect(events: readonly PublicEvent[]): void {
    const isFirst = this.#waiting.length === 0;
    this.#waiting.push(...events);
    if (isFirst && this.state.phase === 'live') this.#options.clock.nextFrame(() => this.#render({}));
  }

  #render(change: Partial<ConversationState>): void {
    if (this.#closing.signal.aborted) return;
    const events = this.#waiting;
    this.#waiting = [];
    if (events.length === 0 && Object.keys(change).length === 0) return;
    this.update({ ...change, conversation: events.reduce(applyEvent, this.state.conversation) });
  }
}
