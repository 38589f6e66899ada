import type { PermissionSuggestion, PermissionUpdate, SessionRecord, TaskStatus } from '@qwen/protocol';
import type { ToolPreview } from './tool-view.js';

export interface PermissionRequest {
  readonly toolName: string;
  readonly callId: string;
  readonly input: unknown;
  readonly suggestions: readonly PermissionSuggestion[];
  /** The path outside the workspace that caused the question. */
  readonly blockedPath: string | null;
  readonly reason: string;
  readonly preview: ToolPreview;
  readonly parentToolUseId?: string;
  readonly agent?: string;
}

export type PermissionAnswer =
  | {
      readonly behavior: 'allow';
      readonly updatedInput?: Readonly<Record<string, unknown>>;
      readonly updatedPermissions?: readonly PermissionUpdate[];
    }
  | {
      readonly behavior: 'deny';
      /** For the model. */
      readonly message: string;
      /** For the result. Default: the message. */
      readonly reason?: string;
      readonly interrupt?: boolean;
      readonly updatedPermissions?: readonly PermissionUpdate[];
    };

/**
 * Stores rules beyond the session. Rejects if a rule cannot be written or has no effect there; it then applies to
 * the session.
 */
export interface RuleStore {
  save(update: PermissionUpdate): Promise<void>;
}

/**
 * Never rejects: a fault, a deadline or a missing person is a deny. Questions may overlap. When `signal` aborts, the
 * answer is ignored.
 */
export interface PermissionPort {
  ask(request: PermissionRequest, options: { readonly signal: AbortSignal }): Promise<PermissionAnswer>;
}

/**
 * `append` resolves once the record is written, in the order of the calls, and rejects with `storage_full` or
 * `storage_unwritable`. The session closes the log.
 */
export interface SessionLog {
  append(record: SessionRecord): Promise<void>;
  close(): Promise<void>;
}

export interface OutputSchema {
  readonly schema: Readonly<Record<string, unknown>>;
  /** The problems of a value, each with its location, for the model; empty if it is valid. Must not throw. */
  problemsOf(value: unknown): readonly string[];
}

export interface Clock {
  nowMs(): number;
  isoTime(): string;
}

export interface ResolvedPath {
  /** Absolute and normalized; links are not resolved. */
  readonly path: string;
  /**
   * Absolute with all links resolved, also a dangling one. Missing names follow their nearest existing ancestor.
   */
  readonly realPath: string;
  readonly insideRoots: boolean;
}

/**
 * Relative paths start at `cwd`; `~` and variables are not expanded. Rejects with `invalid_tool_input` for a path
 * that cannot exist. Changes nothing.
 */
export interface PathResolver {
  resolve(path: string, cwd: string): Promise<ResolvedPath>;
  /** Takes an absolute path. Missing: every path may be a folder. */
  isFolder?(path: string): Promise<boolean>;
  /**
   * Takes an absolute path. `use` is what git does there; `searching` is `git grep`, which follows folders that are
   * links. Missing: they are unknown, so git needs a rule or an approval.
   */
  gitHazards?(folder: string, workspace: string, use?: 'reading' | 'searching'): Promise<GitHazards>;
  /**
   * Why a program in the folder may show or start something outside of the workspace that its command does not name.
   * Missing: unknown, so it needs a rule or an approval.
   */
  foundFilesHazard?(kind: FoundFiles, folder: string, workspace: string): Promise<string | undefined>;
  /** Expands an absolute pattern as a shell does. Undefined: too many, or unknown. */
  expand?(pattern: string): Promise<readonly string[] | undefined>;
  /** The files below a folder. Undefined: too many, or unknown. */
  list?(folder: string, scope: ListingScope): Promise<readonly string[] | undefined>;
}

/** `visible`: without hidden and ignored files. `tracked`: the whole index of the repository around the folder. */
export type ListingScope = 'all' | 'visible' | 'tracked';

/** What a program looks for in its folder and those above: the version that a project wants, or also its packages. */
export type FoundFiles = 'versions' | 'packages';

/** Reasons why git in a folder may run a program of the repository, which the environment cannot prevent. */
export interface GitHazards {
  /** For commands such as `git status` and `git diff`. */
  readonly reading?: string;
  readonly everywhere?: string;
}

/** A command in the background. */
export interface TaskView {
  readonly taskId: string;
  readonly callId: string;
  readonly command: string;
  readonly description?: string;
  readonly status: TaskStatus;
  /** How it ended, such as `exit code 1`. */
  readonly note?: string;
  readonly durationMs: number;
  readonly outputBytes: number;
  readonly outputFile?: string;
}

/** `task_progress`: it wrote output; at most one every few seconds. */
export type TaskEvent =
  | { readonly type: 'task_started' | 'task_ended'; readonly task: TaskView }
  | { readonly type: 'task_progress'; readonly task: TaskView; readonly lastLine: string };

/** The commands that outlive their turn. The session closes it. */
export interface BackgroundPort {
  /** One listener. It must not throw. */
  subscribe(listener: (event: TaskEvent) => void): void;
  /** The oldest first. */
  list(): readonly TaskView[];
  /** The last part. Throws `tool_failed` for an unknown id. */
  output(taskId: string): string;
  /** Resolves when the command has ended. Rejects with `tool_failed` for an unknown id. */
  stop(taskId: string): Promise<TaskView>;
  /** Moves the commands of running calls, or of one call; the calls return. Returns how many moved. */
  moveToBackground(callId?: string): number;
  /** For the model: what ended since the last call. */
  takeNotes(): readonly string[];
  /** Stops all. Resolves when they have ended. */
  close(): Promise<void>;
}
