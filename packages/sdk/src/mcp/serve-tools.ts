import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type ProgressToken,
  type ServerNotification,
} from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '@qwen/protocol';
import type { McpTransport } from './mcp-transport.js';
import type { AnySdkMcpTool, CallToolResult, ToolProgress } from './tool.js';
import { readToolInput } from './tool-input.js';

export { readToolInput };

export interface ServedTools {
  readonly name: string;
  readonly version: string;
  readonly instructions?: string | undefined;
  readonly tools: readonly AnySdkMcpTool[];
}

interface ServedTool {
  readonly definition: AnySdkMcpTool;
  readonly inputSchema: { type: 'object'; [keyword: string]: unknown };
  readonly parse: (input: unknown) => Promise<unknown>;
}

/** Not with `registerTool`, which accepts only zod: a JSON Schema must reach the model unchanged. */
export async function serveTools(options: ServedTools, transport: McpTransport): Promise<void> {
  const { name, version, instructions } = options;
  const server = new McpServer(
    { name, version },
    { capabilities: { tools: {} }, ...(instructions !== undefined && { instructions }) },
  ).server;
  const tools = new Map<string, ServedTool>();
  for (const definition of options.tools) {
    tools.set(definition.name, { definition, ...readToolInput(definition.inputSchema) });
  }
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()].map(({ definition, inputSchema }) => ({
      name: definition.name,
      description: definition.description,
      inputSchema,
      ...(definition.annotations !== undefined && { annotations: { ...definition.annotations } }),
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
    const served = tools.get(request.params.name);
    if (served === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${request.params.name}.`);
    const token = request.params._meta?.progressToken;
    const reportProgress = (progress: ToolProgress) => sendProgress(extra.sendNotification, token, progress);
    return callTool(served, request.params.arguments ?? {}, { signal: extra.signal, reportProgress });
  });
  await server.connect(transport);
}

async function callTool(
  { definition, parse }: ServedTool,
  input: unknown,
  extra: Parameters<AnySdkMcpTool['handler']>[1],
): Promise<CallToolResult> {
  try {
    return await definition.handler(await parse(input), extra);
  } catch (thrown) {
    const text = messageOf(thrown);
    return { content: [{ type: 'text', text }], isError: true };
  }
}

async function sendProgress(
  send: (notification: ServerNotification) => Promise<void>,
  progressToken: ProgressToken | undefined,
  progress: ToolProgress,
): Promise<void> {
  if (progressToken === undefined) return;
  await send({ method: 'notifications/progress', params: { progressToken, ...progress } });
}
