import type { AnyTool } from '@qwen/agent';
import type { AgentError } from '@qwen/protocol';
import type { McpPrompt, PromptMessages } from './prompts.js';
import type { ResourceEntry, ResourceText } from './resources.js';

/** A live client of one MCP server. Whoever connected closes it. */
export interface McpConnection {
  readonly serverName: string;
  /** The tools of the server as ours, in its order. */
  readonly tools: readonly AnyTool[];
  /** The prompts of the server, in its order. */
  readonly prompts: readonly McpPrompt[];
  /** Whether the server has resources to read. */
  readonly hasResources: boolean;
  /** Settles when the connection has ended: with the reason, or with undefined after `close()`. Never rejects. */
  readonly ended: Promise<AgentError | undefined>;
  /** Rejects with `tool_failed` or `mcp_failed`. */
  listResources(options: { readonly signal: AbortSignal }): Promise<readonly ResourceEntry[]>;
  readResource(uri: string, options: { readonly signal: AbortSignal }): Promise<ResourceText>;
  /** Fills a prompt in. Rejects with `invalid_tool_input` for arguments that are missing. */
  getPrompt(name: string, values: Readonly<Record<string, string>>): Promise<PromptMessages>;
  /** Ends what still runs on it with `mcp_failed`. Idempotent. */
  close(): Promise<void>;
}
