import type { PermissionMode } from '@qwen/protocol';

/** A tool that the model is offered. */
export interface ToolFacts {
  readonly name: string;
  readonly description: string;
  /** The MCP server that it comes from; missing for our own. */
  readonly server?: string;
  /** JSON Schema. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
}

export interface ToolDirectory {
  /** In the order in which the model sees them. */
  list(): Promise<readonly ToolFacts[]>;
}

/** An MCP server of the session. */
export interface McpServerFacts {
  readonly name: string;
  readonly status: 'connected' | 'connecting' | 'disconnected';
  /** Why it is disconnected. */
  readonly error?: string;
  readonly needsSignIn: boolean;
  readonly tools: readonly ToolFacts[];
  /** Names of the slash commands that its prompts have become. */
  readonly prompts: readonly string[];
}

export interface McpControls {
  list(): Promise<readonly McpServerFacts[]>;
  /** Signs in to a server; resolves once it is connected. Rejects with `mcp_auth_required` and what to do instead. */
  signIn(name: string, signal: AbortSignal): Promise<void>;
  /** Connects anew; rejects with the reason why it cannot be reached. */
  reconnect(name: string): Promise<void>;
}

/** A subagent that the model may start. */
export interface AgentFacts {
  readonly name: string;
  readonly description: string;
  /** Where it is written down, e.g. `built-in` or `project`. */
  readonly source: string;
  /** Missing: all tools. */
  readonly tools?: readonly string[];
}

export interface AgentDirectory {
  list(): Promise<readonly AgentFacts[]>;
}

/** A hook of the settings. */
export interface HookFacts {
  readonly event: string;
  /** Which tools it is about; missing: all. */
  readonly matcher?: string;
  /** The shell command, or `callback of the app`. */
  readonly action: string;
}

export interface HookDirectory {
  list(): Promise<readonly HookFacts[]>;
}

/** A permission rule in force. */
export interface RuleFacts {
  readonly behavior: 'allow' | 'ask' | 'deny';
  /** As it is written, e.g. `Bash(git log:*)`. */
  readonly rule: string;
}

export interface PermissionControls {
  readonly mode: PermissionMode;
  /** From the next decision on. Throws when the mode is not to be had here. */
  setMode(mode: PermissionMode): void;
  /** The rules that hold now. */
  rules(): Promise<readonly RuleFacts[]>;
}

/** The folders that are the workspace. */
export interface WorkspaceFolders {
  /** Absolute; the working folder first. */
  list(): readonly string[];
  /**
   * Adds a folder for the rest of the session and gives its absolute path. `path` starts at the working folder; `~` is
   * the home folder. Rejects with `invalid_payload` for what is no folder and for one that is in the workspace already.
   */
  add(path: string): Promise<string>;
}
