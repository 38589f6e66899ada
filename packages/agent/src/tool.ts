import type { CanonicalInput, ContentBlock, PermissionMode, ToolKind } from '@qwen/protocol';
import type { StructuredResult, ToolDisplay, ToolPreview } from './tool-view.js';

export interface ToolPath {
  readonly path: string;
  readonly access: 'read' | 'write';
}

/**
 * A command `inside` a sandbox needs no approval; `outside`, only a user may permit it, for the reason `why`.
 */
export interface Confinement {
  readonly place: 'inside' | 'outside';
  readonly why?: string;
}

export interface SubagentTask {
  readonly agent: string;
  readonly prompt: string;
  readonly description?: string;
}

/** Runs a subagent. Never rejects; ends soon after an abort. */
export type StartSubagent = (task: SubagentTask) => Promise<ToolResult>;

export interface ToolContext {
  readonly callId: string;
  readonly cwd: string;
  /** Aborts with the turn. A tool must settle soon after and leave no process running. */
  readonly signal: AbortSignal;
  readonly emit: (text: string) => void;
  /**
   * The approved real path of each `ToolPath.path`. A tool fails if the path now resolves elsewhere.
   */
  readonly realPaths?: ReadonlyMap<string, string>;
  /** The command only reads: no program of the workspace may run. */
  readonly isReading?: boolean;
  /** Whether a deny rule hides this file; searches skip it. Default: no. */
  readonly isHidden?: (realPath: string) => boolean;
  /** Whether reading this file alone would require a question. Default: no. */
  readonly isGuarded?: (realPath: string) => boolean;
  /** Whether an allow rule names this host in full, so that it may be in a private network. Default: no. */
  readonly namesHost?: (host: string) => boolean;
  /** The changed input of the approval, before `parse`. */
  readonly changedInput?: Readonly<Record<string, unknown>>;
  readonly proposedInput?: unknown;
  /** A tool that would do something else fails. */
  readonly approvedPreview?: ToolPreview;
  readonly leavePlanMode?: () => PermissionMode;
  /** Whether the model's next request contains this text in a message or result. Default: no. */
  readonly isInContext?: (text: string) => boolean;
  readonly startSubagent?: StartSubagent;
}

export type PreviewContext = Pick<ToolContext, 'cwd' | 'signal' | 'realPaths' | 'namesHost'>;

export interface ToolResult {
  readonly content: string | readonly ContentBlock[];
  readonly isError?: boolean;
  readonly display?: ToolDisplay;
  /** The result for programs; `TOOL_RESULT_SCHEMAS` has the form of each built-in tool. */
  readonly structured?: StructuredResult;
}

/** The definition of a tool that its server can change: description, input schema and annotations. */
export interface ToolDefinition {
  readonly fingerprint: string;
  /**
   * `changed`: it differs from the approved one, or from the first one. `new`: the server added the tool later.
   */
  state(): 'approved' | 'new' | 'changed';
  /** `isLasting`: beyond this session. */
  approve(options: { readonly isLasting: boolean }): void;
}

/** What a tool uses together with other tools, such as an MCP server. */
export interface ToolService {
  readonly name: string;
  /** Whether the tool states that it changes something. Such calls keep their order. */
  readonly changes: boolean;
}

/**
 * `Input` is what `parse` returns. `parse` throws `invalid_tool_input` and names the member; `execute` may throw.
 * Neither writes to stdout. Calls of one answer run in parallel,
 * except those that could affect each other.
 */
export interface Tool<Input = unknown> {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly kind: ToolKind;
  /** Every call is a question to a person, in every mode and despite any rule or hook. */
  readonly isQuestion?: boolean;
  readonly isTrusted?: boolean;
  readonly definition?: ToolDefinition;
  readonly service?: ToolService;
  /** The only mode in which it can be called. Default: every mode. */
  readonly onlyIn?: PermissionMode;
  /** The input as `parse` reads it, in the names of the schema. Default: by the schema alone. */
  canonical?(input: unknown): CanonicalInput;
  parse(input: unknown): Input;
  paths(input: Input, cwd: string): readonly ToolPath[];
  command?(input: Input): string;
  /** The host that the call connects to, as `normalHost` writes it. */
  host?(input: Input): string;
  confinement?(input: Input): Confinement | undefined;
  /**
   * Called only for a question, never during `execute`. Changes nothing. If it throws, the call fails without a
   * question, except an edit of files that the model may not read. Default: the command, or the reason of the question.
   */
  preview?(input: Input, context: PreviewContext): Promise<ToolPreview | undefined>;
  execute(input: Input, context: ToolContext): Promise<ToolResult>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a list of tools holds tools of different inputs; parse guards each.
export type AnyTool = Tool<any>;
