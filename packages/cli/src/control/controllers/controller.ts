import type { AgentControls, AgentDirectory } from '@qwen/host/agent-controls.js';
import type { Account } from '@qwen/host/config/account.js';
import type { Notice } from '@qwen/host/notice.js';
import {
  AgentError,
  type ControlHandlers,
  type ControlPayload,
  type ControlResult,
  type RequestOptions,
  type SubtypeAskedBy,
  type Timeouts,
} from '@qwen/protocol';

export type InitializePayload = ControlPayload<'initialize'>;

export type InitializePart = Partial<ControlResult<'initialize'>>;

/** One domain of the control channel, registered in control-service.ts. */
export interface Controller {
  readonly handlers: Partial<ControlHandlers<'app'>>;
  /** Rejects an `initialize` by throwing, before any controller applies it. */
  checkInitialize?(payload: InitializePayload): void;
  /** Called for each accepted `initialize`. Must not throw. */
  onInitialize?(payload: InitializePayload): void;
  /** Undefined if it adds nothing. Never rejects. */
  answerInitialize?(): Promise<InitializePart> | undefined;
}

export interface OutputGate {
  pause(): void;
  resume(): void;
}

export interface AppChannel {
  /** Rejects with an AgentError; `channel_closed` also when the app has closed our input. */
  ask<T extends SubtypeAskedBy<'agent'>>(
    subtype: T,
    payload: ControlPayload<T>,
    options?: RequestOptions,
  ): Promise<ControlResult<T>>;
  /** In milliseconds, for later requests; 0 disables the limit. */
  setTimeouts(timeouts: Timeouts): void;
}

/** A failed request to the app. */
export interface ControlFailure {
  readonly subtype: string;
  readonly error: AgentError;
  readonly sessionId?: string;
}

/** The state that all controllers share. */
export interface ControlContext {
  readonly agents: AgentDirectory;
  readonly output: OutputGate;
  readonly app: AppChannel;
  readonly account: Account;
  /** Built-in and already discovered commands, read on each call. */
  readonly commandNames: () => readonly string[];
  /** Adds commands from files; undefined if there are none. Default: none. */
  readonly findCommandNames?: () => Promise<readonly string[]> | undefined;
  /** Writes a `notice` line. */
  readonly announce: (notice: Notice) => void;
  /** Not called for withdrawn requests. */
  readonly reportFailure?: (failure: ControlFailure) => void;
  readonly leave: (reason: Error) => void;
  /** Ends the process at once. */
  readonly exit: () => void;
}

/** Throws `session_not_found` if the session does not run here. */
export function agentFor(agents: AgentDirectory, { sessionId }: { readonly sessionId?: string }): AgentControls {
  if (sessionId === undefined || sessionId === '') return agents.current;
  const agent = agents.find(sessionId);
  if (agent === undefined) throw new AgentError('session_not_found', `This process has no session "${sessionId}".`);
  return agent;
}
