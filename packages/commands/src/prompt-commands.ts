import type { Command } from './command.js';
import type { PromptContent } from './command-outcome.js';
import type { CommandSource } from './command-registry.js';

export interface ServerPrompt {
  /** `mcp__<server>__<prompt>`, without the slash. */
  readonly commandName: string;
  readonly description: string;
  readonly parameters: readonly PromptParameter[];
  /** Calls the server. Rejects with its reason. */
  readonly fill: (values: Readonly<Record<string, string>>) => Promise<PromptContent>;
}

/** `prompts` is called for each query, because servers come and go. */
export function promptCommands(prompts: () => readonly ServerPrompt[]): CommandSource {
  return { list: () => prompts().map(toCommand) };
}

/** Rejects with the server's reason. */
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

function completeParameter(parameters: readonly PromptParameter[], partial: string) {
  const [, before = '', word = ''] = /^([^]*?)(\S*)$/.exec(partial) ?? [];
  return parameters
    .filter(({ name }) => `--${name}=`.startsWith(word) && !before.includes(`--${name}=`))
    .map(({ name, required }) => ({
      value: `${before}--${name}=`,
      description: required ? 'required' : 'optional',
    }));
}

export interface PromptParameter {
  readonly name: string;
  readonly required: boolean;
}

/** A word, or `--name="value with spaces"`. */
const WORD = /(?:[^\s"']+|"[^"]*"|'[^']*')+/g;

/** `--name=value` by name, other words in order. The last parameter takes the rest. */
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
