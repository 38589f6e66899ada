import type { AnyTool, Tool } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import * as z from 'zod/mini';
import type { ManagedServer } from './managed-server.js';

const listSchema = z.object({ server: z.optional(z.string()) });
const readSchema = z.object({ server: z.string(), uri: z.string() });

const SERVER = { type: 'string', description: 'Name of the MCP server.' };

export function createResourceTools(servers: () => readonly ManagedServer[]): AnyTool[] {
  const withResources = () => servers().filter(({ connection }) => connection?.hasResources === true);
  const list: Tool<z.infer<typeof listSchema>> = {
    name: 'list_mcp_resources',
    aliases: ['ListMcpResources', 'ListMcpResourcesTool'],
    description: 'Lists the resources of the connected MCP servers, or of one of them.',
    inputSchema: { type: 'object', properties: { server: SERVER }, additionalProperties: false },
    kind: 'other',
    parse: (input) => parse('list_mcp_resources', listSchema, input),
    paths: () => [],
    async execute({ server }, { signal }) {
      const asked = withResources().filter(({ name }) => server === undefined || name === server);
      if (asked.length === 0) throw noServer(server);
      const lists = await Promise.all(
        asked.map(async (one) => {
          const connection = await one.connect();
          const resources = await connection.listResources({ signal });
          return resources.map((resource) => ({ server: one.name, ...resource }));
        }),
      );
      return { content: JSON.stringify(lists.flat(), undefined, 1) };
    },
  };
  const read: Tool<z.infer<typeof readSchema>> = {
    name: 'read_mcp_resource',
    aliases: ['ReadMcpResource', 'ReadMcpResourceTool'],
    description: 'Reads one resource of an MCP server.',
    inputSchema: {
      type: 'object',
      properties: { server: SERVER, uri: { type: 'string', description: 'URI of the resource as it was listed.' } },
      required: ['server', 'uri'],
      additionalProperties: false,
    },
    kind: 'other',
    parse: (input) => parse('read_mcp_resource', readSchema, input),
    paths: () => [],
    async execute({ server, uri }, { signal }) {
      const found = withResources().find(({ name }) => name === server);
      if (found === undefined) throw noServer(server);
      const connection = await found.connect();
      return { content: await connection.readResource(uri, { signal }) };
    },
  };
  return [list, read];
}

function parse<Schema extends z.ZodMiniType>(name: string, schema: Schema, input: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, input ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AgentError('invalid_tool_input', `${name}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
}

function noServer(name: string | undefined): AgentError {
  const which = name === undefined ? 'No MCP server' : `No MCP server "${name}"`;
  return new AgentError('invalid_tool_input', `${which} with resources is connected.`);
}
