import type { ContextUsage, Explanation, SessionLedger } from '@qwen/agent';
import {
  AgentError,
  type Budget,
  type ControlPayload,
  type ControlResult,
  type Effort,
  type PermissionMode,
  type RequestOptions,
  type SubtypeAskedBy,
  type Timeouts,
} from '@qwen/protocol';

/** What controllers may see and do of the agent. */
export interface AgentControls {
  readonly sessionId: string;
  readonly model: string;
  readonly permissionMode: PermissionMode;
  /** Names of the tools that the model is offered. */
  readonly toolNames: readonly string[];
  /** Stops the running turn only. False when nothing runs. */
  interrupt(): boolean;
  /** Whether the last turn was stopped; a new turn and `resetInterrupt()` forget it (M-26). */
  readonly isInterrupted: boolean;
  resetInterrupt(): void;
  /** Null goes back to the model of the start. Resolves with the model that holds now; rejects and keeps the old one. */
  setModel(model: string | null): Promise<string>;
  setPermissionMode(mode: PermissionMode): void;
  /** Holds for a session that has not begun; false afterwards. */
  setWishes(wishes: SessionWishes): boolean;
  /** What the answers must look like. Rejects with `invalid_payload` for what is no schema, and once the session began. */
  setOutputSchema(schema: Readonly<Record<string, unknown>>): Promise<void>;
  setEffort(effort: Effort | undefined): void;
  /** Goes on with a turn that was cut short; gives why not. Throws `channel_closed` once the input has ended. */
  continueLastTurn(): Promise<{ readonly refused?: string }>;
  /** Writes a title down. False for a session in which nothing was said yet: there is nothing to name. */
  rename(title: string): Promise<boolean>;
  contextUsage(): Promise<ContextUsage>;
  /** What would be decided about a call now. Rejects with `unknown_tool` and `invalid_tool_input`. */
  explainCall(call: { readonly name: string; readonly input: unknown }): Promise<Explanation>;
  usage(): Promise<Pick<SessionLedger, 'models' | 'turns'>>;
}

/** The agents of the sessions that run in this process. */
export interface AgentDirectory {
  /** That of the session which is meant where none is named. */
  readonly current: AgentControls;
  /** Undefined for a session that does not run here. */
  find(sessionId: string): AgentControls | undefined;
}

/** What an app wants of a session before it begins. */
export interface SessionWishes {
  /** Replaces the built-in prompt. */
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  /** For each prompt. */
  readonly budget?: Budget;
  /** Who answers when the model fails, in order. */
  readonly fallbackModels?: readonly string[];
}

/** Where requests to the model go, without secrets. */
export interface Account {
  readonly provider?: string;
  readonly host?: string;
  /** The name of what holds the credential. */
  readonly credentialSource?: string;
}

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

/** Something to tell people; `code` is stable. */
export interface Notice {
  readonly code: string;
  readonly message: string;
  /** Facts beyond the message, for programs. */
  readonly data?: Readonly<Record<string, unknown>>;
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
  if (agent === undefined) throw new AgentError('session_not_found', `The session "${sessionId}" does not run here.`);
  return agent;
}
