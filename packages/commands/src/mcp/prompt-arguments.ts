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
