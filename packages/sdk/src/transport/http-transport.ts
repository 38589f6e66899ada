import { setTimeout as delay } from 'node:timers/promises';
import {
  AgentError,
  createDeferred,
  DEFAULT_MAX_LINE_BYTES,
  type DecodedLine,
  type TraceContext,
} from '@qwen/protocol';
import { type RemoteExit, type RemoteStart, type RemoteStarted, remoteStartedSchema } from '@qwen/protocol/server';
import { createSessionId } from '../session-id.js';
import { traceHeaders } from '../telemetry/trace-headers.js';
import { RemoteClient } from './http-transport-client.js';
import { RemoteReader } from './http-transport-reader.js';
import { RemoteSender } from './http-transport-sender.js';
import { isPassing, RetryPace } from './retry-pace.js';
import type { ServerPlace } from './server-place.js';
import { DEFAULT_GRACE_MS } from './stop-child.js';
import type { CloseOptions, Transport, TransportExit } from './transport.js';

export interface HttpTransportOptions extends ServerPlace {
  /** Flags of the CLI, as `query()` makes them of its options. */
  readonly args: readonly string[];
  /** The folder of the server that the CLI works in; relative to its workspace. Default: that workspace. */
  readonly cwd?: string | undefined;
  /** Longest line that either side reads, in bytes. Default 16 MiB; a longer one is skipped and reported. */
  readonly maxLineBytes?: number | undefined;
  /** The span that the CLI shall belong to; asked once, when it starts. Default: none. */
  readonly trace?: (() => TraceContext | undefined) | undefined;
}

/** How long a start is tried again when the connection breaks. */
const START_PATIENCE_MS = 2_000;
/** What `close` waits beyond the two graces of the server before it lets go by itself. */
const LAST_WAIT_MS = 5_000;

/**
 * The CLI at a `qwen serve`, its lines over HTTP: Server-Sent Events down, POSTs up. Connections may break at any byte;
 * lines arrive once and in order. A client that stays away for longer than the grace of the server loses its CLI.
 */
export class HttpTransport implements Transport {
  readonly pid = undefined;
  readonly #options: HttpTransportOptions;
  readonly #client: RemoteClient;
  readonly #sender: RemoteSender;
  readonly #closed = createDeferred<TransportExit>();
  /** Aborts what still waits for the server. */
  readonly #abort = new AbortController();
  #started: Promise<void> | undefined;

  constructor(options: HttpTransportOptions) {
    this.#options = options;
    this.#client = new RemoteClient(options, createSessionId());
    this.#sender = new RemoteSender({
      client: this.#client,
      signal: this.#abort.signal,
      onFailed: (error) => void this.#fail(error),
    });
  }

  get closed(): Promise<TransportExit> {
    return this.#closed.promise;
  }

  /**
   * As {@link Transport.start}; also rejects with `server_unreachable`, `unsupported_protocol`, `unauthorized`,
   * `origin_refused`, `overloaded`, and with `invalid_payload` for flags that a remote CLI may not have.
   */
  async start(onLine: (line: DecodedLine) => void): Promise<void> {
    this.#started = this.#start(onLine);
    await this.#started;
  }

  send(line: string): Promise<void> {
    return this.#sender.send(line);
  }

  endInput(): void {
    this.#sender.end();
  }

  async close({ graceMs = DEFAULT_GRACE_MS }: CloseOptions = {}): Promise<void> {
    if (this.#started === undefined) {
      this.#leave(NO_EXIT);
      return;
    }
    const timer = setTimeout(() => this.#leave(NO_EXIT), 2 * graceMs + LAST_WAIT_MS);
    await this.#started.catch(() => undefined);
    this.#sender.end();
    // What was sent before counts, as in a pipe; a CLI that does not read is waited for no longer than one that stays.
    await Promise.race([this.#sender.quiet, this.#wait(graceMs)]);
    await Promise.race([this.#endCli(graceMs), this.closed]);
    await this.closed;
    clearTimeout(timer);
  }

  async #start(onLine: (line: DecodedLine) => void): Promise<void> {
    const { maxLineBytes = DEFAULT_MAX_LINE_BYTES } = this.#options;
    const { signal } = this.#abort;
    try {
      const started = await this.#startCli();
      const reader = new RemoteReader({ client: this.#client, onLine, maxLineBytes, started, signal });
      void reader.run().then(
        (exit) => this.#leave(toTransportExit(exit)),
        (error: unknown) => this.#leave({ ...NO_EXIT, error: AgentError.from(error) }),
      );
      this.#sender.open();
    } catch (error) {
      this.#leave(NO_EXIT);
      throw error;
    }
  }

  async #startCli(): Promise<RemoteStarted> {
    const { args, cwd, maxLineBytes, trace } = this.#options;
    const headers = traceHeaders(trace?.());
    const { signal } = this.#abort;
    const body: RemoteStart = {
      arguments: [...args],
      ...(cwd !== undefined && { cwd }),
      ...(maxLineBytes !== undefined && { max_line_bytes: maxLineBytes }),
    };
    const pace = new RetryPace({ patienceMs: START_PATIENCE_MS, signal });
    for (;;) {
      try {
        // The id is ours: saying it twice starts it once.
        return remoteStartedSchema.parse(await this.#client.ask({ method: 'PUT', body, headers, signal }));
      } catch (error) {
        if (!AgentError.is(error) || error.code !== 'server_unreachable') throw error;
        await pace.failed(error);
      }
    }
  }

  async #endCli(graceMs: number): Promise<void> {
    const { signal } = this.#abort;
    const pace = new RetryPace({ patienceMs: Infinity, signal });
    for (;;) {
      try {
        await this.#client.ask({ method: 'DELETE', path: `?grace_ms=${graceMs}`, signal });
        return;
      } catch (error) {
        // Any other error is one that the reader has too.
        if (!isPassing(error) || signal.aborted) return;
        await pace.failed(error).catch(() => undefined);
      }
    }
  }

  /** Nobody can talk to the CLI any more, so it shall not stay. */
  async #fail(reason: AgentError): Promise<void> {
    await Promise.race([this.#endCli(0), this.#wait(LAST_WAIT_MS)]);
    this.#leave({ ...NO_EXIT, error: reason });
  }

  async #wait(waitMs: number): Promise<void> {
    await delay(waitMs, undefined, { signal: this.#abort.signal }).catch(() => undefined);
  }

  #leave(exit: TransportExit): void {
    this.#abort.abort();
    this.#sender.stop();
    this.#client.end();
    this.#closed.resolve(exit);
  }
}

const NO_EXIT: TransportExit = { exitCode: null, signal: null, stderrTail: '' };

function toTransportExit({ exit_code, signal, stderr_tail, broken_by }: RemoteExit): TransportExit {
  return {
    exitCode: exit_code,
    signal,
    stderrTail: stderr_tail,
    ...(broken_by !== undefined && { brokenBy: broken_by }),
  };
}
