import type { Command } from '../command.js';
import type { PromptContent } from '../command-outcome.js';
import type { CommandSource } from '../command-registry.js';
import { type PromptParameter, readArguments } from './prompt-arguments.js';

/** A prompt of an MCP server that is connected. */
export interface ServerPrompt {
  /** Of the slash command, without the slash: `mcp__<server>__<prompt>`. */
  readonly commandName: string;
  readonly description: string;
  readonly parameters: readonly PromptParameter[];
  /** Has the server fill it in. Rejects with the server's reason. */
  readonly fill: (values: Readonly<Record<string, string>>) => Promise<PromptContent>;
}

/** The prompts of MCP servers as commands; `prompts` is read afresh each time, since servers come and go. */
export function promptCommands(prompts: () => readonly ServerPrompt[]): CommandSource {
  return { list: () => prompts().map(toCommand) };
}

/** Has the server fill a prompt in with what stood behind its name. Rejects with the server's reason. */
export function fillPrompt({ parameters, fill }: ServerPrompt, words: string): Promise<PromptContent> {
  return fill(readArguments(parameters, words));
}

function toCommand(prompt: ServerPrompt): Command {
  const { commandName, description, parameters } = prompt;
  const usage = parameters.map(({ name, required }) => (required ? `--${name}=…` : `[--${name}=…]`)).join(' ');
  return {
    name: commandName,
    description,
    kind: 'mcp-prompt',
    ...(usage !== '' && { usage }),
    run: async ({ args }) => ({ type: 'submit_prompt', content: await fillPrompt(prompt, args) }),
    complete: async (partial) => completeParameter(parameters, partial),
  };
}

/** Names of parameters that were not given yet. */
function completeParameter(parameters: readonly PromptParameter[], partial: string) {
  const [, before = '', word = ''] = /^([^]*?)(\S*)$/.exec(partial) ?? [];
  return parameters
    .filter(({ name }) => `--${name}=`.startsWith(word) && !before.includes(`--${name}=`))
    .map(({ name, required }) => ({
      value: `${before}--${name}=`,
      description: required ? 'required' : 'optional',
    }));
}
