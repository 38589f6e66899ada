import { AgentError } from '@qwen/protocol';
import type { SdkMcpServerConfigWithInstance } from '../options/options.js';
import type { McpTransport, SdkMcpServerInstance } from './mcp-transport.js';
import type { ServedTools } from './serve-tools.js';
import type { AnySdkMcpTool } from './tool.js';

export interface CreateSdkMcpServerOptions {
  /** The model sees the tools as `mcp__<name>__<tool>`. */
  readonly name: string;
  /** Reported to the client. Default: `1.0.0`. */
  readonly version?: string | undefined;
  /** How to use the tools; the server reports it when it connects. */
  readonly instructions?: string | undefined;
  /** Has no effect: tools are always offered. */
  readonly alwaysLoad?: boolean | undefined;
  readonly tools?: readonly AnySdkMcpTool[] | undefined;
}

/**
 * Creates an MCP server whose tools run in this process, for the option `mcpServers`. One server can serve several
 * queries at once.
 *
 * @example
 * import { createSdkMcpServer, query, tool } from '@qwen/sdk';
 *
 * const now = tool('now', 'Tells the time.', {}, () => ({
 *   content: [{ type: 'text', text: new Date().toISOString() }],
 * }));
 * const clock = createSdkMcpServer({ name: 'clock', tools: [now] });
 * for await (const message of query({ prompt: 'What time is it?', options: { mcpServers: { clock } } })) {
 *   console.log(message);
 * }
 *
 * @throws {AgentError} `invalid_options` without a name, or if two tools have the same name.
 */
export function createSdkMcpServer(options: CreateSdkMcpServerOptions): SdkMcpServerConfigWithInstance {
  const { name, version = '1.0.0', instructions, tools = [], alwaysLoad: _alwaysLoad, ...unknown } = options;
  refuseMembers(unknown);
  if (typeof name !== 'string' || name === '') throw refusal('name must be a non-empty string');
  if (!Array.isArray(tools)) throw refusal(`the tools of ${name} must be a list`);
  const seen = new Set<string>();
  for (const { name: toolName } of tools) {
    if (seen.has(toolName)) throw refusal(`${name} has two tools called ${toolName}`);
    seen.add(toolName);
  }
  return { type: 'sdk', name, instance: new LocalMcpServer({ name, version, instructions, tools }) };
}

function refusal(fault: string): AgentError {
  return new AgentError('invalid_options', `createSdkMcpServer: ${fault}.`);
}

function refuseMembers(unknown: Readonly<Record<string, unknown>>): void {
  const [name] = Object.keys(unknown).filter((member) => unknown[member] !== undefined);
  if (name === undefined) return;
  const advice =
    name === 'timeout' ? 'set timeout.mcpRequest of the query' : 'use name, version, instructions and tools';
  throw refusal(`${name} is not supported; ${advice}`);
}

/** Each connection gets its own `McpServer`: two queries must not share a transport. */
class LocalMcpServer implements SdkMcpServerInstance {
  readonly #options: ServedTools;
  readonly #transports = new Set<McpTransport>();

  constructor(options: ServedTools) {
    this.#options = options;
  }

  async connect(transport: McpTransport): Promise<void> {
    // Loaded on demand: the MCP library costs more than the rest of the SDK.
    const { serveTools } = await import('./serve-tools.js');
    await serveTools(this.#options, transport);
    this.#transports.add(transport);
    const { onclose } = transport;
    transport.onclose = () => {
      this.#transports.delete(transport);
      onclose?.();
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#transports].map((transport) => transport.close()));
  }
}
