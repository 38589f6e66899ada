import type { PermissionSuggestion, PermissionUpdate, SessionRecord } from '@qwen/protocol';
import type { ToolPreview } from './tool-view.js';

/** A question about one tool call. */
export interface PermissionRequest {
  readonly toolName: string;
  readonly callId: string;
  readonly input: unknown;
  readonly suggestions: readonly PermissionSuggestion[];
  /** The path outside of the workspace that made us ask. */
  readonly blockedPath: string | null;
  /** Why we ask, for people. */
  readonly reason: string;
  /** What there is to see of the call. */
  readonly preview: ToolPreview;
  /** The call of the task tool, when a subagent wants this. */
  readonly parentToolUseId?: string;
  /** The name of that subagent. */
  readonly agent?: string;
}

export type PermissionAnswer =
  | {
      readonly behavior: 'allow';
      readonly updatedInput?: Readonly<Record<string, unknown>>;
      /** Changes of the rules and the mode, for what comes after this call. */
      readonly updatedPermissions?: readonly PermissionUpdate[];
    }
  | {
      readonly behavior: 'deny';
      readonly message: string;
      /** Also stop the turn (M-43). */
      readonly interrupt?: boolean;
      readonly updatedPermissions?: readonly PermissionUpdate[];
    };

/**
 * Where rules are kept beyond the session. Rejects when they cannot be written, or do not count where they were written;
 * the rule then holds for the session.
 */
export interface RuleStore {
  save(update: PermissionUpdate): Promise<void>;
}

/**
 * Whoever answers permission questions: the app over the control channel, a person at the terminal, or a policy.
 * Contract: never rejects (nobody there, a fault and a deadline are all a deny with the reason); several questions
 * may be open at once; when `signal` aborts the question is withdrawn and the answer no longer matters.
 */
export interface PermissionPort {
  ask(request: PermissionRequest, options: { readonly signal: AbortSignal }): Promise<PermissionAnswer>;
}

/**
 * Where a session's records go. `append` resolves only once the record is written (DESIGN §7) and rejects with
 * `storage_full` or `storage_unwritable`; records stand in the order of the calls. The session closes it.
 */
export interface SessionLog {
  append(record: SessionRecord): Promise<void>;
  close(): Promise<void>;
}

/** What the answer to each prompt must look like. */
export interface OutputSchema {
  /** JSON Schema, for the model to read. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** What is wrong with a value, each with its place, for the model to read; empty when it fits. Must not throw. */
  problemsOf(value: unknown): readonly string[];
}

/** Time as the engine sees it. */
export interface Clock {
  /** Monotonic, in milliseconds; only differences mean something. */
  nowMs(): number;
  /** Wall clock as an ISO string. */
  isoTime(): string;
}

/** A path of a tool call, as the permission decision must see it (S31–S34). */
export interface ResolvedPath {
  /** Absolute, `.` and `..` resolved by the text alone, no link followed: the name that was asked for. */
  readonly path: string;
  /**
   * Absolute, every link followed. Of what does not exist yet: the real path of its nearest existing ancestor, then
   * the missing names. A dangling link counts as what it points at.
   */
  readonly realPath: string;
  /** Whether `realPath` is a workspace root or lies below one; compared name by name, never by prefix. */
  readonly insideRoots: boolean;
}

/**
 * Turns the paths of a call into real ones. `resolve` takes a path as the call named it, relative ones start at
 * `cwd`; nothing is expanded (`~`, `$HOME` and `%NAME%` are file names). Rejects with `invalid_tool_input` for a
 * path that cannot exist (a NUL byte, a name too long, links in a circle). Looks only; safe to call at any time.
 */
export interface PathResolver {
  resolve(path: string, cwd: string): Promise<ResolvedPath>;
}
