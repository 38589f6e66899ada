import type { AgentControls, AgentDirectory } from '@qwen/host/agent-controls.js';
import type { Account } from '@qwen/host/config/account.js';
import type { Notice } from '@qwen/host/notice.js';
import {
  AgentError,
  type ControlPayload,
  type ControlResult,
  type RequestOptions,
  type SubtypeAskedBy,
  type Timeouts,
} from '@qwen/protocol';

/** The gate of the output: holds everything but control lines back. */
export interface OutputGate {
  pause(): void;
  resume(): void;
}

/** Asking the app. */
export interface AppChannel {
  /** Rejects with an AgentError: `channel_closed` ("Input closed") also when the app ended our input meanwhile. */
  ask<T extends SubtypeAskedBy<'agent'>>(
    subtype: T,
    payload: ControlPayload<T>,
    options?: RequestOptions,
  ): Promise<ControlResult<T>>;
  /** Deadlines in milliseconds for what we ask from now on; 0 means for ever. */
  setTimeouts(timeouts: Timeouts): void;
}

/** A question to the app that came to nothing (K-09). */
export interface ControlFailure {
  readonly subtype: string;
  readonly error: AgentError;
  /** The session that it was about; missing: the current one. */
  readonly sessionId?: string;
}

/** The state that all controllers share, and nothing more than they need (N-05). */
export interface ControlContext {
  readonly agents: AgentDirectory;
  readonly output: OutputGate;
  readonly app: AppChannel;
  readonly account: Account;
  /** Names of the slash commands that are known without looking for more, read afresh with each call. */
  readonly commandNames: () => readonly string[];
  /** Those of files too; undefined where there are no more than `commandNames`, which is the default. */
  readonly findCommandNames?: () => Promise<readonly string[]> | undefined;
  /** Puts a `notice` on the stream. */
  readonly announce: (notice: Notice) => void;
  /** Hears of questions that came to nothing; not of those that were withdrawn. Default: nobody wants to know. */
  readonly reportFailure?: (failure: ControlFailure) => void;
  /** Ends the program with this error once its answer is out. */
  readonly leave: (reason: Error) => void;
}

/** The agent that a request is for. Throws `session_not_found` for a session that does not run here. */
export function agentFor(agents: AgentDirectory, { sessionId }: { readonly sessionId?: string }): AgentControls {
  if (sessionId === undefined || sessionId === '') return agents.current;
  const agent = agents.find(sessionId);
  if (agent === undefined) throw new AgentError('session_not_found', `The session "${sessionId}" is not running here.`);
  return agent;
}
