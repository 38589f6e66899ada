import { type DecodedLine, isJsonObject } from '@qwen/protocol';
import type { CloseOptions, Transport, TransportExit } from '@qwen/sdk';

/** One end of the wire, seen from outside. */
export type Sender = 'sdk' | 'cli';

/** Keeps account of every control line that passes, both ways. */
export class Ledger {
  readonly #open: Record<Sender, Map<string, string>> = { sdk: new Map(), cli: new Map() };
  readonly #used: Record<Sender, Set<string>> = { sdk: new Set(), cli: new Set() };
  /** What must never be seen on the wire. */
  readonly faults: string[] = [];

  /** Requests that neither an answer nor a withdrawal has ended, as `who subtype`. */
  get unpaired(): string[] {
    return (['sdk', 'cli'] as const).flatMap((sender) =>
      [...this.#open[sender].values()].map((subtype) => `${sender} ${subtype}`),
    );
  }

  /** Control requests that passed. */
  get requestCount(): number {
    return this.#used.sdk.size + this.#used.cli.size;
  }

  take(sender: Sender, text: string): void {
    const line: unknown = JSON.parse(text);
    if (!isJsonObject(line)) return;
    if (line['type'] === 'control_request') this.#ask(sender, line);
    if (line['type'] === 'control_response') this.#answer(sender === 'sdk' ? 'cli' : 'sdk', line['response']);
    if (line['type'] === 'control_cancel_request') this.#open[sender].delete(String(line['request_id']));
  }

  #ask(sender: Sender, { request_id: id, request }: Record<string, unknown>): void {
    const key = String(id);
    if (this.#used[sender].has(key)) this.faults.push(`${sender} used the id ${key} twice`);
    this.#used[sender].add(key);
    this.#open[sender].set(key, isJsonObject(request) ? String(request['subtype']) : '');
  }

  #answer(asker: Sender, response: unknown): void {
    const key = isJsonObject(response) ? String(response['request_id']) : '';
    if (!this.#used[asker].has(key)) this.faults.push(`an answer to ${key}, which ${asker} never asked`);
    this.#open[asker].delete(key);
  }
}

/** A transport that shows a ledger what it carries. */
export class LedgerTransport implements Transport {
  readonly #inner: Transport;
  readonly #ledger: Ledger;

  constructor(inner: Transport, ledger: Ledger) {
    this.#inner = inner;
    this.#ledger = ledger;
  }

  get closed(): Promise<TransportExit> {
    return this.#inner.closed;
  }

  get pid(): number | undefined {
    return this.#inner.pid;
  }

  start(onLine: (line: DecodedLine) => void): Promise<void> {
    return this.#inner.start((line) => {
      if (line.ok) this.#ledger.take('cli', line.text);
      else this.#ledger.faults.push(`a line that is none: ${line.error.message}`);
      onLine(line);
    });
  }

  send(line: string): Promise<void> {
    this.#ledger.take('sdk', line);
    return this.#inner.send(line);
  }

  endInput(): void {
    this.#inner.endInput();
  }

  close(options?: CloseOptions): Promise<void> {
    return this.#inner.close(options);
  }
}
