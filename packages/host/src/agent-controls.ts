import type { BackgroundPort, ContextUsage, Explanation, FileRewind, PromptMessage, SessionLedger } from '@qwen/agent';
import type { Budget, Effort, PermissionMode } from '@qwen/protocol';

export interface AgentControls {
  readonly sessionId: string;
  readonly model: string;
  readonly permissionMode: PermissionMode;
  readonly toolNames: readonly string[];
  /** Returns false when no turn runs. */
  interrupt(): boolean;
  /** Ends the session; SessionEnd hooks receive the reason. Idempotent. */
  close(reason: 'prompt_input_exit' | 'other'): Promise<void>;
  /** Whether the last turn was interrupted. A new turn and `resetInterrupt()` clear it. */
  readonly isInterrupted: boolean;
  resetInterrupt(): void;
  /** `null` restores the start model. Resolves with the model in use; rejects without changing it. */
  setModel(model: string | null): Promise<string>;
  setPermissionMode(mode: PermissionMode): void;
  /** Applies to a session that has not started; returns false afterwards. */
  setOverrides(overrides: SessionOverrides): boolean;
  /** Rejects with `invalid_payload` for an invalid schema, and once the session has started. */
  setOutputSchema(schema: Readonly<Record<string, unknown>>): Promise<void>;
  setEffort(effort: Effort | undefined): void;
  /**
   * Continues an interrupted turn, or returns the reason why it cannot. Throws `channel_closed` after the input
   * ended.
   */
  continueLastTurn(): Promise<{ readonly refused?: string }>;
  /**
   * Adds a message to the running turn before its next model call. Resolves with whether the turn took it; it is
   * dropped when no turn runs, the turn ends without it or `signal` aborts. Rejects with `overloaded`.
   */
  steer(message: PromptMessage, signal: AbortSignal): Promise<boolean>;
  /** Undefined before the session has begun. */
  readonly background: BackgroundPort | undefined;
  /** Returns false for a session without messages. */
  rename(title: string): Promise<boolean>;
  contextUsage(): Promise<ContextUsage>;
  /**
   * What `rewindFiles` would do. Undefined if no files are kept. This and the next two reject with
   * `message_not_found`, and `session_busy` while a turn runs.
   */
  previewFiles(messageId: string): Promise<FileRewind | undefined>;
  rewindFiles(messageId: string): Promise<FileRewind | undefined>;
  /** Resolves with the text of the message. */
  rewindConversation(messageId: string): Promise<string>;
  /** Runs nothing. Rejects with `unknown_tool` and `invalid_tool_input`. */
  explainCall(call: { readonly name: string; readonly input: unknown }): Promise<Explanation>;
  usage(): Promise<Pick<SessionLedger, 'models' | 'turns'>>;
}

export interface AgentDirectory {
  /** The session that is meant when a request names none. */
  readonly current: AgentControls;
  find(sessionId: string): AgentControls | undefined;
}

export interface SessionOverrides {
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  /** Per prompt. */
  readonly budget?: Budget;
  /** In order of preference. */
  readonly fallbackModels?: readonly string[];
  /** Whether files are kept before tools change them. Default: as the settings say. */
  readonly fileHistory?: boolean;
}
