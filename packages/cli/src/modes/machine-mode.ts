import type { TurnOutcome } from '@qwen/agent';
import { toExitCode } from '@qwen/host/exit-code.js';
import type { Shutdown } from '@qwen/host/process/shutdown.js';
import { type AgentError, ERROR_CODES } from '@qwen/protocol';
import type { InputFrame } from '../io/frame-reader.js';
import type { LineWriter } from '../io/line-writer.js';

export interface MachineMode {
  /** Resolves with the exit code after all output was flushed. Never rejects. */
  readonly done: Promise<number>;
  /** Synchronous, never throws. */
  accept(input: InputFrame): void;
  /** Queued prompts are still answered; pending permission requests are denied. */
  endInput(): void;
  cancel(): boolean;
  /** Writes the final lines for this error. The caller ends the process. */
  fail(error: AgentError): void;
}

const TURN_LIMIT_MS = 1_000;
/** Shutdown limit for closing connections and session files. */
const CLOSE_LIMIT_MS = 1_400;
const FLUSH_LIMIT_MS = 1_700;

export interface Course {
  readonly shutdown: Shutdown;
  readonly writer: LineWriter;
  /** Must not reject. */
  readonly work: Promise<unknown>;
  readonly close: (reason: 'prompt_input_exit' | 'other') => Promise<unknown>;
  readonly conclude?: (exitCode: number) => void;
  /** Used without a shutdown signal. Default 0. */
  readonly exitCode?: () => number;
}

/** Waits for the work, closes and returns the exit code; in bounded time after a shutdown starts. */
export async function runCourse(course: Course): Promise<number> {
  const { shutdown, writer, work, close, conclude, exitCode = () => 0 } = course;
  await shutdown.bound(work, TURN_LIMIT_MS);
  await shutdown.bound(close(shutdown.exitCode === undefined ? 'prompt_input_exit' : 'other'), CLOSE_LIMIT_MS);
  conclude?.(shutdown.exitCode ?? exitCode());
  await shutdown.bound(writer.flush(), FLUSH_LIMIT_MS);
  return shutdown.exitCode ?? exitCode();
}

/** Undefined: no turn ran. */
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
