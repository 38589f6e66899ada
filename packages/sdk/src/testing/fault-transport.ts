import { type DecodedLine, LineDecoder } from '@qwen/protocol';
import type { CloseOptions, Transport, TransportExit } from '../transport/transport.js';

/** Faults between an app and its CLI. Lines are counted from 1. */
export interface Faults {
  /** Splits the output of the CLI into pieces of this many bytes, also inside characters. */
  readonly pieceBytes?: number | undefined;
  /** Inserts text that is not a message before a line of the CLI. */
  readonly noise?: { readonly beforeLine: number; readonly text: string } | undefined;
  /** Writes U+2028 and U+2029 unescaped: valid JSON, but many line readers split there. */
  readonly rawSeparators?: boolean | undefined;
  /** Delays each line of the CLI, keeping the order. */
  readonly delay?: (() => Promise<void>) | undefined;
  /** Delays each line of the app, like a full pipe. */
  readonly drain?: (() => Promise<void>) | undefined;
  /** Ends the CLI after this many of its lines. Default: exit code null, signal `SIGKILL`. */
  readonly crash?: (Partial<TransportExit> & { readonly afterLines: number }) | undefined;
  /** Drops the lines of the CLI after this many. */
  readonly silentAfterLines?: number | undefined;
  /** Drops the lines of the app after this many. */
  readonly deafAfterLines?: number | undefined;
  /** Exit code when the CLI exits by itself. */
  readonly exitCode?: number | undefined;
}

/**
 * Wraps any transport with faults. Closing the result closes the wrapped one.
 *
 * @example
 * import { query } from '@qwen/sdk';
 * import { injectFaults, scriptedCli } from '@qwen/sdk/testing';
 *
 * const { transport } = scriptedCli(({ says }) => says('hi'));
 * const crashing = injectFaults(transport, { crash: { afterLines: 2 } });
 * for await (const message of query({ prompt: 'hi', options: { transport: crashing } })) console.log(message);
 */
export function injectFaults(transport: Transport, faults: Faults): Transport {
  return new FaultTransport(transport, faults);
}

class FaultTransport implements Transport {
  readonly #inner: Transport;
  readonly #faults: Faults;
  readonly #decoder = new LineDecoder();
  readonly #encoder = new TextEncoder();
  readonly #closed: Promise<TransportExit>;
  /** Resolves when the app closes: then no delay is awaited. */
  readonly #closing = Promise.withResolvers<void>();
  #crashed: TransportExit | undefined;
  #linesOut = 0;
  #linesIn = 0;
  #incoming: Promise<void> = Promise.resolve();
  #outgoing: Promise<void> = Promise.resolve();

  constructor(inner: Transport, faults: Faults) {
    this.#inner = inner;
    this.#faults = faults;
    this.#closed = inner.closed.then(async (exit) => {
      await Promise.race([this.#incoming, this.#closing.promise]);
      const { exitCode = exit.exitCode } = faults;
      return this.#crashed ?? { ...exit, exitCode };
    });
  }

  get closed(): Promise<TransportExit> {
    return this.#closed;
  }

  get pid(): number | undefined {
    return this.#inner.pid;
  }

  start(onLine: (line: DecodedLine) => void): Promise<void> {
    const { delay } = this.#faults;
    return this.#inner.start((line) => {
      if (delay === undefined) this.#accept(line, onLine);
      else this.#incoming = this.#incoming.then(delay).then(() => this.#accept(line, onLine));
    });
  }

  send(line: string): Promise<void> {
    this.#linesOut += 1;
    const { drain, deafAfterLines = Infinity } = this.#faults;
    if (this.#linesOut > deafAfterLines) return Promise.resolve();
    if (drain === undefined) return this.#inner.send(line);
    const sent = this.#outgoing.then(drain).then(() => this.#inner.send(line));
    this.#outgoing = sent.catch(() => undefined);
    return sent;
  }

  endInput(): void {
    // After the delayed lines.
    void this.#outgoing.then(() => this.#inner.endInput());
  }

  close(options?: CloseOptions): Promise<void> {
    this.#closing.resolve();
    return this.#inner.close(options);
  }

  #accept(line: DecodedLine, onLine: (line: DecodedLine) => void): void {
    const { noise, silentAfterLines = Infinity, crash } = this.#faults;
    if (this.#crashed !== undefined || this.#linesIn >= silentAfterLines) return;
    if (crash?.afterLines === 0) {
      this.#crash(crash);
      return;
    }
    this.#linesIn += 1;
    if (noise?.beforeLine === this.#linesIn) this.#split(`${noise.text}\n`, onLine);
    if (line.ok) this.#split(`${this.#rewrite(line.text)}\n`, onLine);
    else onLine(line);
    if (crash !== undefined && this.#linesIn >= crash.afterLines) this.#crash(crash);
  }

  #split(text: string, onLine: (line: DecodedLine) => void): void {
    const bytes = this.#encoder.encode(text);
    const { pieceBytes = bytes.length } = this.#faults;
    for (let start = 0; start < bytes.length; start += pieceBytes) {
      for (const line of this.#decoder.push(bytes.subarray(start, start + pieceBytes))) onLine(line);
    }
  }

  #rewrite(json: string): string {
    if (this.#faults.rawSeparators !== true) return json;
    // Matches whole escapes, so that an escaped backslash before "u2028" is kept.
    return json.replace(/\\(u2028|u2029|.)/g, (escape, name: string) =>
      name.length === 1 ? escape : String.fromCharCode(Number.parseInt(name.slice(1), 16)),
    );
  }

  #crash({ afterLines: _lines, ...exit }: NonNullable<Faults['crash']>): void {
    this.#crashed = { exitCode: null, signal: exit.exitCode === undefined ? 'SIGKILL' : null, stderrTail: '', ...exit };
    void this.#inner.close({ graceMs: 0 });
  }
}
