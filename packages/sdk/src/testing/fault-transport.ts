import { createDeferred, type DecodedLine, LineDecoder } from '@qwen/protocol';
import type { CloseOptions, Transport, TransportExit } from '../transport/transport.js';

/** What shall go wrong between an app and its CLI. Lines are counted from 1. */
export interface Faults {
  /** Cuts what the CLI says into pieces of so many bytes, wherever that hits. */
  readonly pieceBytes?: number | undefined;
  /** A line that is no message stands before the line of this number. */
  readonly noise?: { readonly beforeLine: number; readonly text: string } | undefined;
  /** The CLI writes U+2028 and U+2029 as they are, which JSON allows, and at which many line readers split. */
  readonly rawSeparators?: boolean | undefined;
  /** Each line of the CLI waits for this; the order stays. Give it the clock of the test. */
  readonly delay?: (() => Promise<void>) | undefined;
  /** Each line of the app waits for this, as when the CLI reads slowly and the pipe is full. */
  readonly drain?: (() => Promise<void>) | undefined;
  /** The CLI dies behind this many lines. Default exit code null, signal `SIGKILL`. */
  readonly crash?: (Partial<TransportExit> & { readonly afterLines: number }) | undefined;
  /** The CLI says nothing more behind this many lines, and stays. */
  readonly silentAfterLines?: number | undefined;
  /** The CLI takes nothing more behind this many lines of the app, and stays: the pipe is half open. */
  readonly deafAfterLines?: number | undefined;
  /** How the CLI exits when it leaves by itself. */
  readonly exitCode?: number | undefined;
}

/** Puts faults on the road of a transport, any transport. The one that comes back owns the one that was given. */
export function injectFaults(transport: Transport, faults: Faults): Transport {
  return new FaultTransport(transport, faults);
}

class FaultTransport implements Transport {
  readonly #inner: Transport;
  readonly #faults: Faults;
  readonly #decoder = new LineDecoder();
  readonly #encoder = new TextEncoder();
  readonly #closed: Promise<TransportExit>;
  /** Resolves when the app wants no more: then nothing waits for its delay. */
  readonly #closing = createDeferred<void>();
  #crashed: TransportExit | undefined;
  #linesOut = 0;
  #linesIn = 0;
  /** The last line of the CLI that still waits for its delay. */
  #arriving: Promise<void> = Promise.resolve();
  /** The last line of the app that still waits for room. */
  #leaving: Promise<void> = Promise.resolve();

  constructor(inner: Transport, faults: Faults) {
    this.#inner = inner;
    this.#faults = faults;
    this.#closed = inner.closed.then(async (exit) => {
      await Promise.race([this.#arriving, this.#closing.promise]);
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
      if (delay === undefined) this.#arrive(line, onLine);
      else this.#arriving = this.#arriving.then(delay).then(() => this.#arrive(line, onLine));
    });
  }

  send(line: string): Promise<void> {
    this.#linesOut += 1;
    const { drain, deafAfterLines = Infinity } = this.#faults;
    if (this.#linesOut > deafAfterLines) return Promise.resolve();
    if (drain === undefined) return this.#inner.send(line);
    const sent = this.#leaving.then(drain).then(() => this.#inner.send(line));
    this.#leaving = sent.catch(() => undefined);
    return sent;
  }

  endInput(): void {
    // Behind what still waits for room.
    void this.#leaving.then(() => this.#inner.endInput());
  }

  close(options?: CloseOptions): Promise<void> {
    this.#closing.resolve();
    return this.#inner.close(options);
  }

  #arrive(line: DecodedLine, onLine: (line: DecodedLine) => void): void {
    const { noise, silentAfterLines = Infinity, crash } = this.#faults;
    if (this.#crashed !== undefined || this.#linesIn >= silentAfterLines) return;
    if (crash?.afterLines === 0) {
      this.#crash(crash);
      return;
    }
    this.#linesIn += 1;
    if (noise?.beforeLine === this.#linesIn) this.#hand(`${noise.text}\n`, onLine);
    if (line.ok) this.#hand(`${this.#rewrite(line.text)}\n`, onLine);
    else onLine(line);
    if (crash !== undefined && this.#linesIn >= crash.afterLines) this.#crash(crash);
  }

  #hand(text: string, onLine: (line: DecodedLine) => void): void {
    const bytes = this.#encoder.encode(text);
    const { pieceBytes = bytes.length } = this.#faults;
    for (let start = 0; start < bytes.length; start += pieceBytes) {
      for (const line of this.#decoder.push(bytes.subarray(start, start + pieceBytes))) onLine(line);
    }
  }

  #rewrite(json: string): string {
    if (this.#faults.rawSeparators !== true) return json;
    // Escapes are read in pairs, so that an escaped backslash before "u2028" stays one.
    return json.replace(/\\(u2028|u2029|.)/g, (escape, name: string) =>
      name.length === 1 ? escape : String.fromCharCode(Number.parseInt(name.slice(1), 16)),
    );
  }

  #crash({ afterLines: _lines, ...exit }: NonNullable<Faults['crash']>): void {
    this.#crashed = { exitCode: null, signal: exit.exitCode === undefined ? 'SIGKILL' : null, stderrTail: '', ...exit };
    void this.#inner.close({ graceMs: 0 });
  }
}
