import { AgentError } from '@qwen/protocol';
import type { PublicEvent } from '@qwen/protocol/server';
import { addLocalNotice, applyEvent } from '../conversation/apply-event.js';
import { type Conversation, EMPTY_CONVERSATION } from '../conversation/conversation.js';
import type { ServerClient } from '../server/server-client.js';
import { EventFollower } from './follow-events.js';
import type { PageClock } from './page-clock.js';
import { Store } from './store.js';

/** How the page stands to the session that it shows. */
export interface ConversationState {
  readonly conversation: Conversation;
  readonly phase: 'loading' | 'live' | 'reconnecting' | 'over';
  /** Why it is over or not there; for people. */
  readonly problem: string | undefined;
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/** Trying again does not help with these. */
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
  /** Hears that the server wants a token. */
  readonly onUnauthorized: () => void;
}

/** The session that the page shows: it follows the events, comes back after a cut, and ends with `close()`. */
export class OpenConversation extends Store<ConversationState> {
  readonly sessionId: string;
  readonly #options: OpenConversationOptions;
  readonly #events: EventFollower;
  readonly #closing = new AbortController();
  #waiting: PublicEvent[] = [];
  #remarks = 0;

  constructor(options: OpenConversationOptions) {
    super({ conversation: EMPTY_CONVERSATION, phase: 'loading', problem: undefined });
    this.sessionId = options.sessionId;
    this.#options = options;
    this.#events = new EventFollower(options.client, options.sessionId, {
      onEvents: (events) => this.#gather(events),
      onGap: () => this.#remark('Older events are no longer kept.', 'warning'),
      onLive: () => this.#draw({ phase: 'live', problem: undefined }),
    });
    void this.#run();
  }

  close(): void {
    this.#closing.abort();
  }

  /** Says something that is in no log. */
  #remark(text: string, level: 'info' | 'warning' | 'error'): void {
    this.#remarks += 1;
    this.#draw({});
    const conversation = addLocalNotice(this.state.conversation, `own_${this.#remarks}`, { level, text });
    this.update({ conversation });
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const { clock } = this.#options;
    let failures = 0;
    while (!signal.aborted) {
      const connection = new AbortController();
      const resting = clock.unseen(() => this.#isIdle(), AbortSignal.any([signal, connection.signal]));
      try {
        await this.#events.readHistory(resting);
        this.#draw({ phase: 'live', problem: undefined });
        failures = 0;
        if (!(await this.#events.followOnce(resting))) return this.#draw({ phase: 'over' });
        this.#draw({ phase: 'reconnecting' });
      } catch (thrown) {
        if (signal.aborted) return;
        if (resting.aborted) {
          await clock.untilVisible(signal).catch(() => undefined);
          continue;
        }
        if (!this.#mayTryAgain(AgentError.from(thrown))) return;
        failures += 1;
      } finally {
        connection.abort();
      }
      // Pages that lost one server do not return in one moment.
      const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, failures - 1));
      await clock.pause(delay * (0.5 + clock.random() / 2), signal).catch(() => undefined);
    }
  }

  #isIdle(): boolean {
    return this.state.conversation.runningRequestId === undefined;
  }

  #mayTryAgain({ code, message }: AgentError): boolean {
    const isFinal = FINAL_CODES.has(code);
    this.#draw({ phase: isFinal ? 'over' : 'reconnecting', problem: message });
    if (code === 'unauthorized') this.#options.onUnauthorized();
    return !isFinal;
  }

  /** Many events of one moment are drawn together; those of the past all at once, when they are there. */
  #gather(events: readonly PublicEvent[]): void {
    const isFirst = this.#waiting.length === 0;
    this.#waiting.push(...events);
    if (isFirst && this.state.phase === 'live') this.#options.clock.nextFrame(() => this.#draw({}));
  }

  #draw(change: Partial<ConversationState>): void {
    if (this.#closing.signal.aborted) return;
    const events = this.#waiting;
    this.#waiting = [];
    if (events.length === 0 && Object.keys(change).length === 0) return;
    this.update({ ...change, conversation: events.reduce(applyEvent, this.state.conversation) });
  }
}
