import { AgentError, type DecodedLine, fromWireError, wireErrorSchema } from '@qwen/protocol';
import { type RemoteExit, type RemoteStarted, remoteExitSchema } from '@qwen/protocol/server';
import type { RemoteClient } from './http-transport-client.js';
import { type StreamItem, StreamItems } from './http-transport-events.js';
import { Receipts } from './http-transport-receipts.js';
import { isPassing, RetryPace } from './retry-pace.js';

export interface RemoteReaderOptions {
  readonly client: RemoteClient;
  readonly onLine: (line: DecodedLine) => void;
  /** Longest line, in bytes. */
  readonly maxLineBytes: number;
  readonly started: RemoteStarted;
  /** Aborting it ends the reading at once. */
  readonly signal: AbortSignal;
}

/** The share of the server's window after which it hears what we have; a sign of life does the same. */
const RECEIPT_SHARE = 0.125;
const FAREWELL_MS = 2_000;

/**
 * Reads what a remote CLI says, over as many connections as it takes: each begins behind the last line that came, so none
 * is lost and none comes twice (P2).
 */
export class RemoteReader {
  readonly #options: RemoteReaderOptions;
  readonly #receipts: Receipts;
  #seq = 0;
  #lineNumber = 0;
  #exit: RemoteExit | undefined;

  constructor(options: RemoteReaderOptions) {
    const { client, started, signal } = options;
    this.#options = options;
    this.#receipts = new Receipts({ client, signal, everyBytes: started.window_bytes * RECEIPT_SHARE });
  }

  /**
   * Resolves with how the CLI went. Errors: `server_unreachable` once the server has certainly ended it,
   * `process_exited` when the server no longer knows it, `channel_closed` when lines are missing, and what the server says.
   */
  async run(): Promise<RemoteExit> {
    const { signal, started } = this.#options;
    const pace = new RetryPace({ patienceMs: started.grace_ms, signal });
    while (this.#exit === undefined) {
      try {
        await this.#readOnce(() => pace.succeeded());
      } catch (error) {
        if (signal.aborted || !isPassing(error)) throw isForgotten(error) ? lostCli(error) : error;
        await pace.failed(error);
      }
    }
    // The server may forget the query now; if this is lost, it does so by itself after a while.
    await this.#receipts.tell(AbortSignal.timeout(FAREWELL_MS)).catch(() => undefined);
    return this.#exit;
  }

  /** One connection, until the CLI has left. Any other end of it is an error. */
  async #readOnce(onAlive: () => void): Promise<void> {
    const { started, signal } = this.#options;
    const watch = new SilenceWatch(3 * started.heartbeat_ms, signal);
    try {
      await this.#read(watch, onAlive);
    } catch (thrown) {
      throw AgentError.is(thrown) ? thrown : lostConnection(thrown);
    } finally {
      watch.end();
    }
  }

  async #read(watch: SilenceWatch, onAlive: () => void): Promise<void> {
    const { client, maxLineBytes } = this.#options;
    const headers = { accept: 'text/event-stream', 'last-event-id': String(this.#seq) };
    const answer = await client.open({ method: 'GET', path: '/lines', headers, signal: watch.signal });
    if (answer.statusCode !== 200) throw missing('The server has nothing more to say about it.');
    answer.setTimeout(0);
    const items = new StreamItems(maxLineBytes);
    try {
      for await (const chunk of answer) {
        if (!(chunk instanceof Uint8Array)) continue;
        watch.heard();
        onAlive();
        for (const item of items.push(chunk)) this.#accept(item);
        this.#receipts.received(this.#seq, chunk.length);
        if (this.#exit !== undefined) return;
      }
      throw lostConnection();
    } finally {
      answer.destroy();
    }
  }

  #accept(item: StreamItem): void {
    if (item.kind === 'comment') {
      this.#receipts.tellSoon();
      return;
    }
    const { seq, type, data } = item;
    if (type === 'resync') throw missing('Lines of it were lost.');
    if (seq === undefined || seq <= this.#seq) return;
    if (seq !== this.#seq + 1) throw missing(`Line ${this.#seq + 1} of it is missing.`);
    this.#seq = seq;
    if (type === 'exit') this.#exit = remoteExitSchema.parse(toJson(data));
    else this.#handOut(type, data);
  }

  #handOut(type: string, data: DecodedLine): void {
    this.#lineNumber += 1;
    const lineNumber = this.#lineNumber;
    if (data.ok && type === 'problem') {
      const error = fromWireError(wireErrorSchema.parse(toJson(data)), 'line_too_long');
      this.#options.onLine({ ok: false, lineNumber, error });
    } else {
      this.#options.onLine({ ...data, lineNumber });
    }
  }
}

/** Gives up on a connection that has not even a heartbeat any more. */
class SilenceWatch {
  readonly #abort = new AbortController();
  readonly #outer: AbortSignal;
  readonly #timer: NodeJS.Timeout;

  constructor(silentMs: number, outer: AbortSignal) {
    this.#outer = outer;
    this.#timer = setTimeout(this.#giveUp, silentMs);
    outer.addEventListener('abort', this.#giveUp, { once: true });
    if (outer.aborted) this.#giveUp();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  heard(): void {
    this.#timer.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener('abort', this.#giveUp);
  }

  readonly #giveUp = (): void => this.#abort.abort();
}

function lostConnection(cause?: unknown): AgentError {
  return new AgentError('server_unreachable', 'The connection to the server was lost.', { cause });
}

function isForgotten(error: unknown): boolean {
  return AgentError.is(error) && error.code === 'session_not_found';
}

function lostCli(cause: unknown): AgentError {
  const message =
    'The server no longer has the CLI of this query: it was restarted, or heard nothing of us for too long.';
  return new AgentError('process_exited', message, { cause });
}

function missing(why: string): AgentError {
  return new AgentError('channel_closed', `The remote query cannot be gone on with. ${why}`);
}

function toJson(data: DecodedLine): unknown {
  if (!data.ok) throw data.error;
  return JSON.parse(data.text);
}
