import type { Command } from './command.js';
import type { PromptContent } from './command-outcome.js';
import type { CommandSource } from './command-registry.js';

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

/** A parameter of a prompt. */
export interface PromptParameter {
  readonly name: string;
  readonly required: boolean;
}

/** A word, or `--name=value` with blanks where the value is in quotes. */
const WORD = /(?:[^\s"']+|"[^"]*"|'[^']*')+/g;

/**
 * What stands behind a slash command, by the names of its parameters: `--name=value` by name, all other words in the
 * order of the parameters that are left; the last of them takes everything that is left.
 */
export function readArguments(
  parameters: readonly Pick<PromptParameter, 'name'>[],
  text: string,
): Record<string, string> {
  const values: Record<string, string> = {};
  const words: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    const [, name = '', value = ''] = /^--([^=\s]+)=([^]*)$/.exec(word) ?? [];
    if (parameters.some((parameter) => parameter.name === name)) values[name] = unquoted(value);
    else words.push(unquoted(word));
  }
  const open = parameters.filter(({ name }) => values[name] === undefined);
  for (const [index, { name }] of open.entries()) {
    const isLast = index === open.length - 1;
    const taken = isLast ? words.splice(0).join(' ') : words.shift();
    if (taken !== undefined && taken !== '') values[name] = taken;
  }
  return values;
}

function unquoted(word: string): string {
  return word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double: string | undefined, single: string | undefined) => {
    return double ?? single ?? '';
  });
}
