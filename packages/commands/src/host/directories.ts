import type { PermissionMode } from '@qwen/protocol';

export interface ToolFacts {
  readonly name: string;
  readonly description: string;
  /** The MCP server; missing for built-in tools. */
  readonly server?: string;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
}

export interface ToolDirectory {
  /** In the order of the model request. */
  list(): Promise<readonly ToolFacts[]>;
}

export interface McpServerFacts {
  readonly name: string;
  readonly status: 'connected' | 'connecting' | 'disconnected';
  readonly error?: string;
  readonly needsSignIn: boolean;
  readonly tools: readonly ToolFacts[];
  /** Slash command names. */
  readonly prompts: readonly string[];
}

export interface McpControls {
  list(): Promise<readonly McpServerFacts[]>;
  /** Resolves once the server is connected. Rejects with `mcp_auth_required` and instructions. */
  signIn(name: string, signal: AbortSignal): Promise<void>;
  /** Rejects with the reason of the failure. */
  reconnect(name: string): Promise<void>;
}

export interface AgentFacts {
  readonly name: string;
  readonly description: string;
  readonly source: 'app' | 'project' | 'user' | 'built-in';
  readonly tools?: readonly string[];
  readonly model?: string;
  /** The absolute path of its file. */
  readonly path?: string;
  readonly isReadOnly?: true;
}

export interface AgentDirectory {
  list(): Promise<readonly AgentFacts[]>;
}

export interface HookFacts {
  readonly event: string;
  readonly matcher?: string;
  /** The shell command, or `callback of the app`. */
  readonly action: string;
}

export interface HookDirectory {
  list(): Promise<readonly HookFacts[]>;
}

export interface RuleFacts {
  readonly behavior: 'allow' | 'ask' | 'deny';
  readonly rule: string;
}

export interface PermissionControls {
  readonly mode: PermissionMode;
  /** Takes effect with the next decision. Throws if the mode is not available. */
  setMode(mode: PermissionMode): void;
  rules(): Promise<readonly RuleFacts[]>;
}

export interface WorkspaceFolders {
  /** Absolute; the working folder first. */
  list(): readonly string[];
  /**
   * Returns the absolute path. `path` is relative to the working folder or starts with `~`. Rejects with
   * `invalid_payload` if it is not a folder or already included.
   */
  add(path: string): Promise<string>;
}
