import { AgentError } from '@qwen/protocol';
import type { Command } from '../command.js';
import { failure, info } from '../command-outcome.js';
import type { McpServerInfo } from '../host/directories.js';
import { list, startingWith, unknownSubcommand } from './command-parts.js';
import { type ToolDetail, toolLines } from './tools.js';

const completeServer: NonNullable<Command['complete']> = async (partial, { host }) =>
  startingWith(
    partial,
    (await host.mcp.list()).map(({ name, status }) => ({ value: name, description: status })),
  );

const auth: Command = {
  name: 'mcp auth',
  description: 'Sign in to an MCP server.',
  kind: 'built-in',
  usage: '[SERVER]',
  run: async ({ args, signal }, { mcp }) => {
    if (args === '') {
      const waiting = (await mcp.list()).filter(({ needsSignIn }) => needsSignIn).map(({ name }) => name);
      return info(list('Sign-in required:', waiting, 'No MCP server requires sign-in.'));
    }
    await mcp.signIn(args, signal);
    return info(`Signed in to ${args}. The server is connected.`);
  },
  complete: completeServer,
};

const desc: Command = {
  name: 'mcp desc',
  description: 'List MCP servers with tool descriptions.',
  aliases: ['descriptions'],
  kind: 'built-in',
  run: async (_call, { mcp }) => info(serverText(await mcp.list(), 'descriptions')),
};

const listServers: Command = {
  name: 'mcp list',
  description: 'List MCP servers and their tools.',
  aliases: ['ls', 'nodesc'],
  kind: 'built-in',
  run: async (_call, { mcp }) => info(serverText(await mcp.list(), 'names')),
};

const mcpGroup: Command = {
  name: 'mcp',
  description: 'List MCP servers, their tools and prompts.',
  kind: 'built-in',
  run: async (call, host) => (call.args === '' ? listServers.run(call, host) : unknownSubcommand('mcp', call.args)),
};

const refresh: Command = {
  name: 'mcp refresh',
  description: 'Reconnect to one or all MCP servers.',
  kind: 'built-in',
  usage: '[SERVER]',
  run: async ({ args }, { mcp }) => {
    const names = args === '' ? (await mcp.list()).map(({ name }) => name) : [args];
    if (names.length === 0) return info('There are no MCP servers.');
    const results = await Promise.allSettled(names.map((name) => mcp.reconnect(name)));
    const lines = results.map((result, index) => {
      const state = result.status === 'fulfilled' ? 'connected' : AgentError.from(result.reason).message;
      return `${names[index]}: ${state}`;
    });
    const isSuccess = results.every(({ status }) => status === 'fulfilled');
    return isSuccess ? info(lines.join('\n')) : failure('mcp_failed', lines.join('\n'));
  },
  complete: completeServer,
};

const schema: Command = {
  name: 'mcp schema',
  description: 'List MCP servers with tool schemas.',
  kind: 'built-in',
  run: async (_call, { mcp }) => info(serverText(await mcp.list(), 'schemas')),
};

function serverText(servers: readonly McpServerInfo[], detail: ToolDetail): string {
  if (servers.length === 0) return 'There are no MCP servers.';
  return servers.map((server) => oneServer(server, detail).join('\n')).join('\n');
}

function oneServer(server: McpServerInfo, detail: ToolDetail): string[] {
  const { name, status, error, needsSignIn, tools, prompts } = server;
  const problem = needsSignIn ? `: sign in with /mcp auth ${name}` : error === undefined ? '' : `: ${error}`;
  return [
    `${name} - ${status}${problem}`,
    ...tools.flatMap((tool) => toolLines(tool, detail)),
    ...prompts.map((prompt) => `  /${prompt}`),
  ];
}

export const mcpCommands: readonly Command[] = [mcpGroup, auth, desc, listServers, refresh, schema];
