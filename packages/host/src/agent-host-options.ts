import type { AgentEvent, AgentSession, AnyTool, Explanation, OutputSchema, PermissionRules } from '@qwen/agent';
import type { RecordSink } from '@qwen/agent/node';
import type { Effort, PermissionMode } from '@qwen/protocol';
import type { SessionOverrides } from './agent-controls.js';
import type { SessionSandbox } from './session-sandbox.js';
import type { SessionObserver } from './telemetry/telemetry.js';

export interface SessionStart extends SessionOverrides {
  readonly model: string;
  readonly permissionMode: PermissionMode;
  readonly effort?: Effort;
  /** Format of the answers. Default: text. */
  readonly output?: OutputSchema;
}

/** The permission rules of a session. */
export interface PermissionView {
  readonly texts: PermissionRules;
  readonly hides: (realPath: string) => boolean;
}

export interface AgentHostOptions {
  readonly sessionId: string;
  /** From the command line; `set_model` with null returns to this model. */
  readonly start: SessionStart;
  /**
   * Loads the engine and the records; called once, with the first prompt. The function it resolves with creates the
   * session synchronously, so changes made while it loaded still apply.
   */
  readonly prepare: () => Promise<(start: SessionStart) => AgentSession>;
  /** Whether stored records exist. Default false. */
  readonly resumes?: boolean;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly compileOutput: (schema: Readonly<Record<string, unknown>>) => Promise<OutputSchema>;
  /** Explains a decision before the session is open. */
  readonly explain: (
    call: { readonly name: string; readonly input: unknown },
    mode: PermissionMode,
  ) => Promise<Explanation>;
  readonly viewRules: () => Promise<PermissionView>;
  /** Reads the stored records of this session, also while it is open. */
  readonly readRecords: (sink: RecordSink) => Promise<void>;
  readonly sandbox?: SessionSandbox;
  readonly toolNames: readonly string[];
  /** Tools added to those of the session; read at the start and on each `refreshTools()`. */
  readonly moreTools: () => readonly AnyTool[];
  /** Receives each event in order; a slow reader slows the model down. Never rejects. */
  readonly publish: (event: AgentEvent) => Promise<void>;
  /** Receives each event too when telemetry is on. */
  readonly observer?: SessionObserver;
}
