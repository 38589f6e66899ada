import * as z from 'zod/mini';
import type { Command } from '../../command.js';
import { fails } from '../../command-outcome.js';
import { badUsage } from '../command-text.js';
import { startingWith } from '../completions.js';

const argumentsSchema = z.record(z.string(), z.unknown());

export const toolsRunCommand: Command = {
  name: 'tools run',
  description: 'Calls a tool by hand.',
  kind: 'built-in',
  usage: 'NAME [{JSON}]',
  run: async ({ args }, { tools }) => {
    const [, name = '', json = ''] = /^(\S*)\s*([^]*)$/.exec(args) ?? [];
    if (name === '') return badUsage(toolsRunCommand);
    if (!(await tools.list()).some((tool) => tool.name === name)) {
      return fails('unknown_tool', `There is no tool "${name}".`);
    }
    const input = argumentsSchema.safeParse(json === '' ? {} : readJson(json));
    if (!input.success) return badUsage(toolsRunCommand, 'The arguments are not a JSON object.');
    return { type: 'tool', toolRequest: { name, args: input.data } };
  },
  complete: async (partial, { host }) =>
    startingWith(
      partial,
      (await host.tools.list()).map(({ name }) => name),
    ),
};

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
