import { AgentError, type DecodedLine, fromWireError, wireErrorSchema } from '@qwen/protocol';
import { type RemoteExit, type RemoteStarted, remoteExitSchema } from '@qwen/protocol/server';
import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import { Backoff, isRetryable } from './backoff.js';
import { Receipts } from './receipts.js';
import type { RemoteClient } from './remote-client.js';
import { SilenceWatch } from './silence-watch.js';

export interface RemoteReaderOptions {
  readonly client: RemoteClient;
  readonly onLine: (line: DecodedLine) => void;
  readonly maxLineBytes: number;
  readonly started: RemoteStarted;
  readonly signal: AbortSignal;
}

/** Share of the server's window. */
const RECEIPT_SHARE = 0.125;
const LAST_RECEIPT_MS = 2_000;
/** `exit` has the end of stderr. */
const MIN_EVENT_CHARACTERS = 1024 * 1024;

/** Resumes a broken connection after the last line received. */
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
   * Rejects with `server_unreachable`, `process_exited` if the server lost the CLI, and `channel_closed` if lines
   * are missing.
   */
  async run(): Promise<RemoteExit> {
    const { signal, started } = this.#options;
    const backoff = new Backoff({ patienceMs: started.grace_ms, signal });
    while (this.#exit === undefined) {
      try {
        await this.#readOnce(() => backoff.reset());
      } catch (error) {
        if (signal.aborted || !isRetryable(error)) throw isForgotten(error) ? cliLost(error) : error;
        await backoff.wait(error);
      }
    }
    // Lets the server forget the query; without it, it does so later.
    await this.#receipts.send(AbortSignal.timeout(LAST_RECEIPT_MS)).catch(() => undefined);
    return this.#exit;
  }

  /** Reads one connection until the CLI has exited. Rejects if the connection ends before that. */
  async #readOnce(onAlive: () => void): Promise<void> {
    const { started, signal } = this.#options;
    using watch = new SilenceWatch(3 * started.heartbeat_ms, signal);
    try {
      await this.#read(watch, onAlive);
    } catch (thrown) {
      throw AgentError.is(thrown) ? thrown : connectionLost(thrown);
    }
  }

  async #read(watch: SilenceWatch, onAlive: () => void): Promise<void> {
    const headers = { accept: 'text/event-stream', 'last-event-id': String(this.#seq) };
    const answer = await this.#options.client.open({ method: 'GET', path: '/lines', headers, signal: watch.signal });
    if (answer.status !== 200) throw cannotResume('The server has no more lines.');
    const parser = this.#createParser();
    const decoder = new TextDecoder();
    // Leaving the loop cancels the body, and thereby closes the connection.
    for await (const chunk of answer.body ?? []) {
      watch.restart();
      onAlive();
      parser.feed(decoder.decode(chunk, { stream: true }));
      this.#receipts.received(this.#seq, chunk.length);
      if (this.#exit !== undefined) return;
    }
    throw connectionLost();
  }

  #createParser(): EventSourceParser {
    const { maxLineBytes } = this.#options;
    return createParser({
      maxBufferSize: Math.max(maxLineBytes, MIN_EVENT_CHARACTERS),
      onEvent: (event) => this.#accept(event),
      onComment: () => this.#receipts.schedule(),
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') throw lineTooLong(maxLineBytes);
      },
    });
  }

  #accept({ id, event: type, data }: EventSourceMessage): void {
    if (type === 'resync') throw cannotResume('Some of its lines were lost.');
    const seq = Number(id);
    if (id === undefined || seq <= this.#seq) return;
    if (seq !== this.#seq + 1) throw cannotResume(`Line ${this.#seq + 1} is missing.`);
    this.#seq = seq;
    if (type === 'exit') this.#exit = remoteExitSchema.parse(JSON.parse(data));
    else this.#emit(type, data);
  }

  #emit(type: string | undefined, data: string): void {
    const { onLine, maxLineBytes } = this.#options;
    this.#lineNumber += 1;
    const lineNumber = this.#lineNumber;
    if (type === 'problem') {
      const error = fromWireError(wireErrorSchema.parse(JSON.parse(data)), 'line_too_long');
      onLine({ ok: false, lineNumber, error });
    } else if (Buffer.byteLength(data) > maxLineBytes) {
      onLine({ ok: false, lineNumber, error: lineTooLong(maxLineBytes) });
    } else {
      onLine({ ok: true, lineNumber, text: data });
    }
  }
}

function connectionLost(cause?: unknown): AgentError {
  return new AgentError('server_unreachable', 'The connection to the server was lost.', { cause });
}

function isForgotten(error: unknown): boolean {
  return AgentError.is(error) && error.code === 'session_not_found';
}

function cliLost(cause: unknown): AgentError {
  const message =
    'The server no longer runs the CLI of this query: the server was restarted, or this client was silent for too long.';
  return new AgentError('process_exited', message, { cause });
}

function cannotResume(why: string): AgentError {
  return new AgentError('channel_closed', `Cannot resume the remote query. ${why}`);
}

function lineTooLong(maxLineBytes: number): AgentError {
  return new AgentError('line_too_long', `A line of the remote CLI is longer than ${maxLineBytes} bytes.`);
}
