import type { PermissionMode } from '@qwen/protocol';

export interface ToolInfo {
  readonly name: string;
  readonly description: string;
  /** The MCP server; missing for built-in tools. */
  readonly server?: string;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
}

export interface ToolDirectory {
  /** In the order of the model request. */
  list(): Promise<readonly ToolInfo[]>;
}

export interface McpServerInfo {
  readonly name: string;
  readonly status: 'connected' | 'connecting' | 'disconnected';
  readonly error?: string;
  readonly needsSignIn: boolean;
  readonly tools: readonly ToolInfo[];
  /** Slash command names. */
  readonly prompts: readonly string[];
}

export interface McpControls {
  list(): Promise<readonly McpServerInfo[]>;
  /** Resolves once the server is connected. Rejects with `mcp_auth_required` and instructions. */
  signIn(name: string, signal: AbortSignal): Promise<void>;
  /** Rejects with the reason of the failure. */
  reconnect(name: string): Promise<void>;
}

export interface AgentInfo {
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
  list(): Promise<readonly AgentInfo[]>;
}

export interface HookInfo {
  readonly event: string;
  readonly matcher?: string;
  /** The shell command, or `callback of the app`. */
  readonly action: string;
}

export interface HookDirectory {
  list(): Promise<readonly HookInfo[]>;
}

export interface RuleInfo {
  readonly behavior: 'allow' | 'ask' | 'deny';
  readonly rule: string;
}

export interface PermissionControls {
  readonly mode: PermissionMode;
  /** Takes effect with the next decision. Throws if the mode is not available. */
  setMode(mode: PermissionMode): void;
  rules(): Promise<readonly RuleInfo[]>;
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
