import { AgentError, type ControlPayload, type ControlResult, type JsonRpcMessage } from '@qwen/protocol';
import * as z from 'zod/mini';

/** What a tool of the app answered. */
export interface ToolOutcome {
  /** The text blocks of the answer, joined by line ends. */
  readonly text: string;
  readonly isError: boolean;
  /** All blocks as they came. */
  readonly content: readonly unknown[];
}

/** Carries one `mcp_message` to the app. */
export type AskMcp = (payload: ControlPayload<'mcp_message'>) => Promise<ControlResult<'mcp_message'>>;

const toolAnswerSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.optional(z.string()) })),
  isError: z.optional(z.boolean()),
});

/** The client side of the MCP servers in the app, as far as calls of tools need it. */
export class InAppTools {
  readonly #ask: AskMcp;
  readonly #greeted = new Map<string, Promise<void>>();
  #lastId = 0;

  constructor(ask: AskMcp) {
    this.#ask = ask;
  }

  /** Calls `mcp__server__tool`. Throws `unknown_tool` for another name; what the server refuses is an outcome. */
  async call(toolName: string, input: Record<string, unknown>): Promise<ToolOutcome> {
    const [, serverName, name] = /^mcp__(.+?)__(.+)$/.exec(toolName) ?? [];
    if (serverName === undefined || name === undefined) {
      throw new AgentError('unknown_tool', `${toolName} is no tool of an MCP server in the app: mcp__server__tool.`);
    }
    try {
      await this.#greet(serverName);
      const result = await this.#request(serverName, { method: 'tools/call', params: { name, arguments: input } });
      const { content, isError = false } = toolAnswerSchema.parse(result);
      return { text: content.flatMap(({ text = [] }) => text).join('\n'), isError, content };
    } catch (thrown) {
      const text = AgentError.from(thrown).message;
      return { text, isError: true, content: [{ type: 'text', text }] };
    }
  }

  #greet(serverName: string): Promise<void> {
    const greeted = this.#greeted.get(serverName) ?? this.#initialize(serverName);
    this.#greeted.set(serverName, greeted);
    return greeted;
  }

  async #initialize(serverName: string): Promise<void> {
    const clientInfo = { name: 'scripted-cli', version: '1.0.0' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    await this.#request(serverName, { method: 'initialize', params });
    const message = { jsonrpc: '2.0', method: 'notifications/initialized' };
    await this.#ask({ server_name: serverName, message });
  }

  async #request(serverName: string, request: Pick<JsonRpcMessage, 'method' | 'params'>): Promise<unknown> {
    this.#lastId += 1;
    const message = { jsonrpc: '2.0', id: this.#lastId, ...request };
    const { error, mcp_response: response } = await this.#ask({ server_name: serverName, message });
    const why = error ?? response?.error?.message;
    if (why !== undefined) throw new AgentError('mcp_failed', why);
    return response?.result;
  }
}
