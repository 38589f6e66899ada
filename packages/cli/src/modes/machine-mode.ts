import type { TurnOutcome } from '@qwen/agent';
import { toExitCode } from '@qwen/host/exit-code.js';
import type { Departure } from '@qwen/host/process/departure.js';
import { type AgentError, ERROR_CODES } from '@qwen/protocol';
import type { InputFrame } from '../io/frame-reader.js';
import type { LineWriter } from '../io/line-writer.js';

/** A way to talk over stdin and stdout. */
export interface MachineMode {
  /** Settles with the exit code once everything written has left the process. Never rejects. */
  readonly done: Promise<number>;
  /** Takes one line. Synchronous; waits for nothing and never throws. */
  accept(input: InputFrame): void;
  /** The input has ended: what is queued is still answered, questions that wait are denied (F25, GAP-10). */
  endInput(): void;
  /** Stops the turn in flight. False when there is none. */
  cancel(): boolean;
  /** Nothing goes on after this error: says so in its last lines. Whoever calls it ends the process. */
  fail(error: AgentError): void;
}

/** After a departure has begun, in milliseconds: the last turn ends within this time. */
const TURN_LIMIT_MS = 1_000;
/** Connections and the session files are closed within this time. */
const CLOSE_LIMIT_MS = 1_400;
/** What was written is read within this time, or never. */
const FLUSH_LIMIT_MS = 1_700;

export interface Course {
  readonly departure: Departure;
  readonly writer: LineWriter;
  /** Resolves when everything is answered. Must not reject. */
  readonly work: Promise<unknown>;
  /** Closes what the mode has open; told why the sessions end. */
  readonly close: (reason: 'prompt_input_exit' | 'other') => Promise<unknown>;
  /** Writes what comes last. Default: nothing. */
  readonly conclude?: (exitCode: number) => void;
  /** The exit code where nobody asked to leave. Default 0. */
  readonly exitCode?: () => number;
}

/** Waits for the work of a mode, closes what it had open and gives the exit code; in bounded time once a departure begins. */
export async function runCourse(course: Course): Promise<number> {
  const { departure, writer, work, close, conclude, exitCode = () => 0 } = course;
  await departure.bound(work, TURN_LIMIT_MS);
  await departure.bound(close(departure.exitCode === undefined ? 'prompt_input_exit' : 'other'), CLOSE_LIMIT_MS);
  conclude?.(departure.exitCode ?? exitCode());
  await departure.bound(writer.flush(), FLUSH_LIMIT_MS);
  return departure.exitCode ?? exitCode();
}

/** What a run that answers one prompt ends with (GAP-10). Undefined: there was no turn. */
export function exitCodeOf(outcome: TurnOutcome | undefined): number {
  switch (outcome?.type) {
    case undefined:
    case 'success':
      return 0;
    case 'error':
      return toExitCode(outcome.error);
    case 'interrupted':
      return outcome.by === 'user' ? ERROR_CODES.interrupted.exitCode : 1;
    default:
      return 1;
  }
}
