import type { ContentBlock, PermissionMode, ToolKind } from '@qwen/protocol';
import type { ToolDisplay, ToolPreview } from './tool-view.js';

/** A file that a call would touch. */
export interface ToolPath {
  /** Absolute, as the call named it; the decision is made on its real path. */
  readonly path: string;
  readonly access: 'read' | 'write';
}

/** Work for a subagent. */
export interface SubagentTask {
  /** Name of the subagent. */
  readonly agent: string;
  readonly prompt: string;
  /** In a few words, for people. */
  readonly description?: string;
}

/** Has a subagent do a task. Never rejects: what goes wrong is a result that says so. Ends soon after an abort. */
export type StartSubagent = (task: SubagentTask) => Promise<ToolResult>;

/** What a tool may use while it runs. */
export interface ToolContext {
  readonly callId: string;
  /** Absolute path of the workspace; relative inputs start here. */
  readonly cwd: string;
  /** Aborts with the turn. A tool must settle soon after, leaving no process behind. */
  readonly signal: AbortSignal;
  /** Shows live output; never blocks and never throws. */
  readonly emit: (text: string) => void;
  /**
   * The real path that was decided on for each `ToolPath.path` of this call. A tool acts on these and refuses when
   * the path leads elsewhere by now (S35); without an entry it resolves the path by itself.
   */
  readonly realPaths?: ReadonlyMap<string, string>;
  /** Whether a rule hides this file from reading. Searches leave such files out. Default: nothing is hidden. */
  readonly isHidden?: (realPath: string) => boolean;
  /** Whether reading this file alone would be asked about, also inside of the workspace. Default: none would. */
  readonly isGuarded?: (realPath: string) => boolean;
  /** The input as whoever was asked changed it, before `parse`; missing when they left it as it was. */
  readonly changedInput?: Readonly<Record<string, unknown>>;
  /** What `parse` had made of the input before whoever was asked changed it; missing when they left it as it was. */
  readonly proposedInput?: unknown;
  /** Ends plan mode, if it is on, for the mode that was on before it, and gives the mode that is on now. */
  readonly leavePlanMode?: () => PermissionMode;
  /** Has a subagent work for this call. Missing where there are none. */
  readonly startSubagent?: StartSubagent;
}

/** What a tool may use to show what it would do. */
export type PreviewContext = Pick<ToolContext, 'cwd' | 'signal' | 'realPaths'>;

/** What a tool answers. */
export interface ToolResult {
  readonly content: string | readonly ContentBlock[];
  /** True when the model should read the content as a failure. Default false. */
  readonly isError?: boolean;
  readonly display?: ToolDisplay;
}

/**
 * One tool. `Input` is what `parse` returns.
 *
 * `parse` throws AgentError `invalid_tool_input` that names the member at fault. `execute` may throw: the loop makes
 * an error result of it. Neither may write to stdout. Tools run beside each other when the model asks for several.
 */
export interface Tool<Input = unknown> {
  readonly name: string;
  /** Other names under which rules, lists and models may speak of it; compared without regard to case. */
  readonly aliases: readonly string[];
  readonly description: string;
  /** JSON Schema of the input, as the model sees it. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly kind: ToolKind;
  /** Whether each call is a question to a person: it is asked in every mode, whatever rules and hooks allow. */
  readonly isQuestion?: boolean;
  /** The user said that it may run without a question, where no rule and no mode says otherwise. Default false (O-38). */
  readonly isTrusted?: boolean;
  /** The only mode in which it can be called; elsewhere the call fails before anything is decided. Default: every mode. */
  readonly onlyIn?: PermissionMode;
  parse(input: unknown): Input;
  /** The files that this call would touch. */
  paths(input: Input, cwd: string): readonly ToolPath[];
  /** The shell command that this call would run, if it is that kind of tool. */
  command?(input: Input): string;
  /**
   * What a person must see of this call before saying yes; called only when somebody is asked, never beside `execute` of
   * the same call. Changes nothing. May throw: then the reason of the question is all there is to see. Default: the
   * command of the call, or that reason.
   */
  preview?(input: Input, context: PreviewContext): Promise<ToolPreview>;
  execute(input: Input, context: ToolContext): Promise<ToolResult>;
}

/** A tool whose input type nobody outside needs to know. */
// oxlint-disable-next-line typescript/no-explicit-any -- a list of tools holds tools of different inputs; parse guards each.
export type AnyTool = Tool<any>;
