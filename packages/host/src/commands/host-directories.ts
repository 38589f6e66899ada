import { type AnyTool, knownAgents } from '@qwen/agent';
import type { AgentInfo, HookInfo, McpControls, McpServerInfo, ToolInfo } from '@qwen/commands';
import { AgentError } from '@qwen/protocol';
import { builtinTools } from '@qwen/tools';
import type { ManagedServer } from '../mcp/managed-server.js';
import type { CommandContext } from './command-context.js';

export function listTools({ configuration, host, mcpServers }: CommandContext): readonly ToolInfo[] {
  const servers = mcpServers();
  const own = () => builtinTools().filter((tool) => configuration.tools.some((name) => name === tool.name));
  const tools = host().tools ?? [...own(), ...servers.flatMap((server) => server.tools)];
  return tools.map((tool) => toToolFacts(tool, servers));
}

function toToolFacts(tool: AnyTool, servers: readonly ManagedServer[]): ToolInfo {
  const server = servers.find((one) => one.tools.some(({ name }) => name === tool.name));
  const { name, description, inputSchema } = tool;
  return { name, description, inputSchema, ...(server !== undefined && { server: server.name }) };
}

export function mcpControls({ mcpServers }: CommandContext): McpControls {
  const named = (name: string): ManagedServer => {
    const server = mcpServers().find((one) => one.name === name);
    if (server === undefined) throw new AgentError('invalid_payload', `There is no MCP server "${name}".`);
    return server;
  };
  return {
    list: async () => mcpServers().map((server) => toServerFacts(server, mcpServers())),
    signIn: async (name) => {
      named(name);
      throw new AgentError('mcp_auth_required', `Sign in with: qwen mcp login ${name}, then /mcp refresh.`);
    },
    reconnect: (name) => named(name).reconnect(),
  };
}

function toServerFacts(server: ManagedServer, servers: readonly ManagedServer[]): McpServerInfo {
  const { name, status, error, needsSignIn, tools, connection } = server;
  return {
    name,
    status,
    ...(error !== undefined && { error }),
    needsSignIn,
    tools: tools.map((tool) => toToolFacts(tool, servers)),
    prompts: (connection?.prompts ?? []).map((prompt) => prompt.commandName),
  };
}

export function listAgents({ agents }: CommandContext): readonly AgentInfo[] {
  return knownAgents(agents()).map(({ name, description, tools, filePath, level, model, isReadOnly }) => ({
    name,
    description: description ?? '',
    source: level === 'project' || level === 'user' || level === 'built-in' ? level : 'app',
    ...(tools && { tools }),
    ...(model && { model }),
    ...(filePath && { path: filePath }),
    ...(isReadOnly && { isReadOnly }),
  }));
}

export function listHooks({ configuration, hooks }: CommandContext): readonly HookInfo[] {
  const ofSettings = configuration.settings.hooks.flatMap(({ event, group: { matcher, hooks: commands } }) =>
    commands.map(({ command }) => ({ event, ...(matcher !== undefined && { matcher }), action: command })),
  );
  return [...ofSettings, ...hooks().map(({ event }) => ({ event, action: 'callback of the app' }))];
}
