import type { AgentEvent, AgentSession, AnyTool, Explanation, OutputSchema, PermissionRules } from '@qwen/agent';
import type { Effort, PermissionMode } from '@qwen/protocol';
import type { SessionWishes } from './agent-controls.js';
import type { SessionObserver } from './telemetry/telemetry.js';

/** What may still change before the session opens. */
export interface SessionStart extends SessionWishes {
  readonly model: string;
  readonly permissionMode: PermissionMode;
  readonly effort?: Effort;
  /** What the answers must be; words when missing. */
  readonly output?: OutputSchema;
}

/** The permission rules of a session, for whoever shows them or reads files for the user. */
export interface PermissionView {
  /** As they are written. */
  readonly texts: PermissionRules;
  /** Whether they keep this file from being read; its real path. */
  readonly hides: (realPath: string) => boolean;
}

/** What an `AgentHost` is made of; how the agent is composed stays outside of it. */
export interface AgentHostOptions {
  readonly sessionId: string;
  /** What the command line says; `set_model` with null goes back to this model. */
  readonly start: SessionStart;
  /**
   * Loads the engine and the records; called once, with the first prompt. What it gives makes the session in one step,
   * so that whatever was changed while it worked still counts.
   */
  readonly prepare: () => Promise<(start: SessionStart) => AgentSession>;
  /** Whether the session has a past on the disk. Default false. */
  readonly resumes?: boolean;
  /** JSON Schema of the answers, unless the app names one. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** Rejects with `invalid_payload` for what is no schema. */
  readonly compileOutput: (schema: Readonly<Record<string, unknown>>) => Promise<OutputSchema>;
  /** Explains a decision while the session is not open yet. */
  readonly explain: (
    call: { readonly name: string; readonly input: unknown },
    mode: PermissionMode,
  ) => Promise<Explanation>;
  /** The rules while the session is not open yet. */
  readonly viewRules: () => Promise<PermissionView>;
  /** Names of the tools while the session is not open yet. */
  readonly toolNames: readonly string[];
  /** The tools beside those that the session opens with: read then, and for each `refreshTools()`. */
  readonly moreTools: () => readonly AnyTool[];
  /** Takes each event, in order; the agent goes on when it resolves, so a slow reader slows the model. Never rejects. */
  readonly publish: (event: AgentEvent) => Promise<void>;
  /** Takes each event beside that, where telemetry is on; told when the session is over. */
  readonly observer?: SessionObserver;
}
