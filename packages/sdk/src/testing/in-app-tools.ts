import { AgentError, type ControlPayload, type ControlResult, type JsonRpcMessage } from '@qwen/protocol';
import * as z from 'zod/mini';

/** Result of a tool of the app. */
export interface ToolOutcome {
  /** The text blocks, joined with line ends. */
  readonly text: string;
  readonly isError: boolean;
  /** All blocks, unchanged. */
  readonly content: readonly unknown[];
}

export type AskMcp = (payload: ControlPayload<'mcp_message'>) => Promise<ControlResult<'mcp_message'>>;

const toolAnswerSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.optional(z.string()) })),
  isError: z.optional(z.boolean()),
});

export class InAppTools {
  readonly #ask: AskMcp;
  readonly #ready = new Map<string, Promise<void>>();
  #lastId = 0;

  constructor(ask: AskMcp) {
    this.#ask = ask;
  }

  /** Calls `mcp__server__tool`. Throws `unknown_tool` for another name; an error of the server is a result. */
  async call(toolName: string, input: Record<string, unknown>): Promise<ToolOutcome> {
    const [, serverName, name] = /^mcp__(.+?)__(.+)$/.exec(toolName) ?? [];
    if (serverName === undefined || name === undefined) {
      throw new AgentError('unknown_tool', `Unknown tool ${toolName}. Use the form mcp__server__tool.`);
    }
    try {
      await this.#connect(serverName);
      const result = await this.#request(serverName, { method: 'tools/call', params: { name, arguments: input } });
      const { content, isError = false } = toolAnswerSchema.parse(result);
      return { text: content.flatMap(({ text = [] }) => text).join('\n'), isError, content };
    } catch (thrown) {
      const text = AgentError.from(thrown).message;
      return { text, isError: true, content: [{ type: 'text', text }] };
    }
  }

  #connect(serverName: string): Promise<void> {
    const ready = this.#ready.get(serverName) ?? this.#initialize(serverName);
    this.#ready.set(serverName, ready);
    return ready;
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
