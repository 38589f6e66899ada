import { setTimeout as delay } from 'node:timers/promises';
import { AgentError, DEFAULT_MAX_LINE_BYTES, type DecodedLine, defined, type TraceContext } from '@qwen/protocol';
import { type RemoteExit, type RemoteStart, type RemoteStarted, remoteStartedSchema } from '@qwen/protocol/server';
import { createSessionId } from '../../session-id.js';
import { traceHeaders } from '../../telemetry/query-trace.js';
import { DEFAULT_GRACE_MS } from '../process/stop-child.js';
import { type CloseOptions, NO_EXIT, type TransportExit } from '../transport.js';
import { Backoff, isRetryable } from './backoff.js';
import type { RemoteServer } from './find-server.js';
import { RemoteClient } from './remote-client.js';
import { RemoteReader } from './remote-reader.js';
import { RemoteSender } from './remote-sender.js';

export interface HttpTransportOptions extends RemoteServer {
  /** CLI flags, as `query()` derives them from its options. */
  readonly args: readonly string[];
  /** Working directory on the server, relative to its workspace. Default: that workspace. */
  readonly cwd?: string | undefined;
  /** Longest line that either side reads, in bytes; a longer one is skipped and reported. Default: 16 MiB. */
  readonly maxLineBytes?: number | undefined;
  /** Trace context for the CLI, read when it starts. Default: none. */
  readonly trace?: (() => TraceContext | undefined) | undefined;
}

const START_PATIENCE_MS = 2_000;
/** What `close` waits beyond the server's two grace periods. */
const LAST_WAIT_MS = 5_000;

export class RemoteConnection {
  readonly #options: HttpTransportOptions;
  readonly #client: RemoteClient;
  readonly #sender: RemoteSender;
  readonly #onClosed: (exit: TransportExit) => void;
  readonly #closed: Promise<void>;
  readonly #abort = new AbortController();
  #started: Promise<void> | undefined;

  /** `onClosed` may be called several times; the first counts. */
  constructor(options: HttpTransportOptions, onClosed: (exit: TransportExit) => void) {
    const { signal } = this.#abort;
    this.#options = options;
    this.#onClosed = onClosed;
    this.#closed = new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    this.#client = new RemoteClient(options, createSessionId());
    this.#sender = new RemoteSender({ client: this.#client, signal, onFailed: (error) => void this.#fail(error) });
  }

  start(onLine: (line: DecodedLine) => void): Promise<void> {
    this.#started = this.#start(onLine);
    return this.#started;
  }

  send(line: string): Promise<void> {
    return this.#sender.send(line);
  }

  endInput(): void {
    this.#sender.end();
  }

  async close({ graceMs = DEFAULT_GRACE_MS }: CloseOptions = {}): Promise<void> {
    const timer = setTimeout(() => this.#end(NO_EXIT), 2 * graceMs + LAST_WAIT_MS);
    await this.#started?.catch(() => undefined);
    this.#sender.end();
    // Delivers what was sent, unless the CLI stops reading.
    await Promise.race([this.#sender.idle, this.#wait(graceMs)]);
    await Promise.race([this.#endCli(graceMs), this.#closed]);
    await this.#closed;
    clearTimeout(timer);
  }

  async #start(onLine: (line: DecodedLine) => void): Promise<void> {
    const { maxLineBytes = DEFAULT_MAX_LINE_BYTES } = this.#options;
    const { signal } = this.#abort;
    try {
      const started = await this.#startCli();
      const reader = new RemoteReader({ client: this.#client, onLine, maxLineBytes, started, signal });
      void reader.run().then(
        (exit) => this.#end(toTransportExit(exit)),
        (error: unknown) => this.#end({ ...NO_EXIT, error: AgentError.from(error) }),
      );
      this.#sender.open();
    } catch (error) {
      this.#end(NO_EXIT);
      throw error;
    }
  }

  async #startCli(): Promise<RemoteStarted> {
    const { args, cwd, maxLineBytes, trace } = this.#options;
    const headers = traceHeaders(trace?.());
    const { signal } = this.#abort;
    const body: RemoteStart = {
      arguments: [...args],
      ...defined({ cwd, max_line_bytes: maxLineBytes }),
    };
    const backoff = new Backoff({ patienceMs: START_PATIENCE_MS, signal });
    for (;;) {
      try {
        // The client chooses the id, so repeating the request starts one CLI.
        return remoteStartedSchema.parse(await this.#client.request({ method: 'PUT', body, headers, signal }));
      } catch (error) {
        if (!AgentError.is(error) || error.code !== 'server_unreachable') throw error;
        await backoff.wait(error);
      }
    }
  }

  async #endCli(graceMs: number): Promise<void> {
    const { signal } = this.#abort;
    const backoff = new Backoff({ patienceMs: Infinity, signal });
    for (;;) {
      try {
        await this.#client.request({ method: 'DELETE', path: `?grace_ms=${graceMs}`, signal });
        return;
      } catch (error) {
        // The reader reports any other error.
        if (!isRetryable(error) || signal.aborted) return;
        await backoff.wait(error).catch(() => undefined);
      }
    }
  }

  /** Lines cannot be delivered any more: the CLI must not keep running. */
  async #fail(reason: AgentError): Promise<void> {
    await Promise.race([this.#endCli(0), this.#wait(LAST_WAIT_MS)]);
    this.#end({ ...NO_EXIT, error: reason });
  }

  async #wait(waitMs: number): Promise<void> {
    await delay(waitMs, undefined, { signal: this.#abort.signal }).catch(() => undefined);
  }

  #end(exit: TransportExit): void {
    this.#onClosed(exit);
    this.#abort.abort();
    this.#sender.stop();
  }
}

function toTransportExit({ exit_code, signal, stderr_tail, broken_by }: RemoteExit): TransportExit {
  return {
    exitCode: exit_code,
    signal,
    stderrTail: stderr_tail,
    ...(broken_by !== undefined && { brokenBy: broken_by }),
  };
}
