import type { ContextUsage, Explanation, SessionLedger } from '@qwen/agent';
import type { Budget, Effort, PermissionMode } from '@qwen/protocol';

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
