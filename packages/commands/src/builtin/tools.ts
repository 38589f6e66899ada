import { parseJson } from '@qwen/protocol';
import * as z from 'zod/mini';
import type { Command } from '../command.js';
import { failure, info } from '../command-outcome.js';
import type { CommandHost } from '../host/command-host.js';
import type { ToolInfo } from '../host/directories.js';
import { badUsage, startingWith, unknownSubcommand } from './command-parts.js';

const toolsGroup: Command = {
  name: 'tools',
  description: 'List the available tools.',
  kind: 'built-in',
  run: async ({ args }, host) => (args === '' ? listTools(host, 'names') : unknownSubcommand('tools', args)),
};

/** Lists the built-in tools only; `/mcp` lists those of MCP servers. */
async function listTools({ tools }: CommandHost, detail: ToolDetail) {
  const own = (await tools.list()).filter(({ server }) => server === undefined);
  if (own.length === 0) return info('There are no tools.');
  return info(['Tools:', ...own.flatMap((tool) => toolLines(tool, detail))].join('\n'));
}

const desc: Command = {
  name: 'tools desc',
  description: 'List tools with descriptions.',
  aliases: ['descriptions'],
  kind: 'built-in',
  run: async (_call, host) => listTools(host, 'descriptions'),
};

const nodesc: Command = {
  name: 'tools nodesc',
  description: 'List tool names.',
  kind: 'built-in',
  run: async (_call, host) => listTools(host, 'names'),
};

export type ToolDetail = 'names' | 'descriptions' | 'schemas';

export function toolLines({ name, description, inputSchema }: ToolInfo, detail: ToolDetail): string[] {
  const words = detail === 'names' || description === '' ? [] : description.trim().split('\n');
  const schema =
    detail === 'schemas' && inputSchema !== undefined ? JSON.stringify(inputSchema, undefined, 2).split('\n') : [];
  return [`  ${name}`, ...[...words, ...schema].map((line) => `    ${line}`)];
}

const argumentsSchema = z.record(z.string(), z.unknown());

const run: Command = {
  name: 'tools run',
  description: 'Call a tool directly.',
  kind: 'built-in',
  usage: 'NAME [{JSON}]',
  run: async ({ args }, { tools }) => {
    const [, name = '', json = ''] = /^(\S*)\s*([^]*)$/.exec(args) ?? [];
    if (name === '') return badUsage(run);
    if (!(await tools.list()).some((tool) => tool.name === name)) {
      return failure('unknown_tool', `Unknown tool "${name}". /tools lists the available ones.`);
    }
    const input = argumentsSchema.safeParse(json === '' ? {} : parseJson(json));
    if (!input.success) return badUsage(run, 'The arguments must be a JSON object.');
    return { type: 'tool', toolRequest: { name, args: input.data } };
  },
  complete: async (partial, { host }) =>
    startingWith(
      partial,
      (await host.tools.list()).map(({ name }) => name),
    ),
};

export const toolCommands: readonly Command[] = [toolsGroup, desc, nodesc, run];
