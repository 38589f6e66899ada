import { AgentError, type DecodedLine, toWireError } from '@qwen/protocol';
import type { RemoteExit, RemoteLines } from '@qwen/protocol/server';
import type { CloseOptions, Transport, TransportExit } from '@qwen/sdk';
import type { EventLog } from '../log/event-log.js';
import type { LogSubscription } from '../log/log-subscription.js';
import { eventBytes } from '../log/logged-event.js';
import { LineIntake } from './line-intake.js';
import type { PacedOutput } from './paced-output.js';

export interface RemoteAgentParts {
  readonly id: string;
  /** Where its lines wait for the client; it has a session of this id. */
  readonly log: EventLog;
  /** The CLI, not started yet; the agent owns and closes it. */
  readonly transport: Transport;
  /** What starts and paces that CLI. */
  readonly output: PacedOutput;
  /** The client has everything, the end included. Called once. */
  readonly onDone: () => void;
}

/**
 * A CLI whose client is elsewhere: what it says gets numbers and waits in the log until the client has it; what the
 * client says reaches it once. Connections come and go.
 */
export class RemoteAgent {
  readonly #parts: RemoteAgentParts;
  readonly #intake: LineIntake;
  #seq = 0;
  #receivedSeq = 0;
  #exitSeq: number | undefined;
  #reader: LogSubscription | undefined;

  constructor(parts: RemoteAgentParts) {
    this.#parts = parts;
    this.#intake = new LineIntake(parts.transport);
  }

  /** Errors: `cwd_missing`, `cli_not_found`, `spawn_failed`. */
  async start(): Promise<void> {
    const { transport } = this.#parts;
    await transport.start((line) => this.#tellLine(line));
    void transport.closed.then((exit) => this.#tellExit(exit));
  }

  /** See {@link LineIntake.take}. */
  take(lines: RemoteLines): Promise<number> {
    return this.#intake.take(lines);
  }

  /** The client has everything up to this number. Errors: `invalid_cursor` for what was not said yet. */
  received(seq: number): void {
    if (seq > this.#seq) throw new AgentError('invalid_cursor', `Nothing was said yet that has the number ${seq}.`);
    if (seq <= this.#receivedSeq) return;
    this.#receivedSeq = seq;
    this.#parts.output.received(seq);
    if (seq === this.#exitSeq) this.#parts.onDone();
  }

  /** What it says behind a number. One reader at a time: who comes back takes the place of its lost connection. */
  async attach(afterSeq: number): Promise<LogSubscription> {
    const { id, log } = this.#parts;
    const subscription = await log.attach(id, { afterSeq });
    this.#reader?.close();
    this.#reader = subscription;
    return subscription;
  }

  /** Ends the CLI; its exit is still told. Resolves when it is gone; never rejects. */
  async close(options?: CloseOptions): Promise<void> {
    await this.#parts.transport.close(options);
  }

  #tellLine(line: DecodedLine): void {
    // JSON has a raw CR only where it has white space, and an event stream cannot carry one.
    if (line.ok) this.#tell('line', line.text.replaceAll('\r', ' '));
    else this.#tell('problem', JSON.stringify(toWireError(line.error)));
  }

  #tellExit({ exitCode, signal, stderrTail, brokenBy }: TransportExit): void {
    const exit: RemoteExit = {
      exit_code: exitCode,
      signal,
      stderr_tail: stderrTail,
      ...(brokenBy !== undefined && { broken_by: brokenBy }),
    };
    this.#exitSeq = this.#seq + 1;
    this.#tell('exit', JSON.stringify(exit));
  }

  #tell(type: string, data: string): void {
    const { id, log, output } = this.#parts;
    const event = { type, data };
    this.#seq += 1;
    output.told(this.#seq, eventBytes(event));
    // A log that takes no more has been closed or has lost the session: a CLI that nobody hears is of no use.
    log.append(id, [event]).catch(() => this.close({ graceMs: 0 }));
  }
}
