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
  /** Has a session with this id. */
  readonly log: EventLog;
  /** Not started yet. Owned. */
  readonly transport: Transport;
  readonly output: PacedOutput;
  /** The client has read the exit. Called once. */
  readonly onDone: () => void;
}

/** A CLI with a remote client. Its output is logged until acknowledged; its input is delivered once. */
export class RemoteAgent {
  readonly #parts: RemoteAgentParts;
  readonly #intake: LineIntake;
  #seq = 0;
  #acknowledgedSeq = 0;
  #exitSeq: number | undefined;
  #reader: LogSubscription | undefined;

  constructor(parts: RemoteAgentParts) {
    this.#parts = parts;
    this.#intake = new LineIntake(parts.transport);
  }

  /** Errors: `cwd_missing`, `cli_not_found`, `spawn_failed`. */
  async start(): Promise<void> {
    const { transport } = this.#parts;
    await transport.start((line) => this.#emitLine(line));
    void transport.closed.then((exit) => this.#emitExit(exit));
  }

  take(lines: RemoteLines): Promise<number> {
    return this.#intake.take(lines);
  }

  /** Errors: `invalid_cursor`. */
  acknowledge(seq: number): void {
    if (seq > this.#seq) throw new AgentError('invalid_cursor', `Line ${seq} was not sent yet.`);
    if (seq <= this.#acknowledgedSeq) return;
    this.#acknowledgedSeq = seq;
    this.#parts.output.acknowledged(seq);
    if (seq === this.#exitSeq) this.#parts.onDone();
  }

  /** Replaces the previous reader. */
  async attach(afterSeq: number): Promise<LogSubscription> {
    const { id, log } = this.#parts;
    const subscription = await log.attach(id, { afterSeq });
    this.#reader?.close();
    this.#reader = subscription;
    return subscription;
  }

  /** The client still gets the exit. Never rejects. */
  async close(options?: CloseOptions): Promise<void> {
    await this.#parts.transport.close(options);
  }

  #emitLine(line: DecodedLine): void {
    // A raw CR is white space in JSON, and an event stream cannot contain one.
    if (line.ok) this.#emit('line', line.text.replaceAll('\r', ' '));
    else this.#emit('problem', JSON.stringify(toWireError(line.error)));
  }

  #emitExit({ exitCode, signal, stderrTail, brokenBy }: TransportExit): void {
    const exit: RemoteExit = {
      exit_code: exitCode,
      signal,
      stderr_tail: stderrTail,
      ...(brokenBy !== undefined && { broken_by: brokenBy }),
    };
    this.#exitSeq = this.#seq + 1;
    this.#emit('exit', JSON.stringify(exit));
  }

  #emit(type: string, data: string): void {
    const { id, log, output } = this.#parts;
    const event = { type, data };
    this.#seq += 1;
    output.sent(this.#seq, eventBytes(event));
    // No client can read the output any more.
    log.append(id, [event]).catch(() => this.close({ graceMs: 0 }));
  }
}
