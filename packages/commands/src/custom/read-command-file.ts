import { AgentError, describeIssue } from '@qwen/protocol';
import { parse, TomlError } from 'smol-toml';
import * as z from 'zod/mini';
import { parsePrompt } from './prompt-template.js';
import type { FileCommand } from './run-custom-command.js';
import { runCustomCommand } from './run-custom-command.js';

const MAX_DESCRIPTION_LENGTH = 200;

const commandFileSchema = z.lazy(() =>
  z.looseObject({
    prompt: z.string().check(z.regex(/\S/, 'must not be blank')),
    description: z.optional(z.string()),
  }),
);

export interface CommandFileName {
  /** Command name, e.g. `git:review`. */
  readonly name: string;
  /** For example `review.toml`. */
  readonly fileName: string;
}

/** Parses a TOML command file with `prompt` and optional `description`. Throws `invalid_settings` with the line. */
export function readCommandFile(text: string, { name, fileName }: CommandFileName): FileCommand {
  const { prompt, description } = readMembers(text.replace(/^\uFEFF/, ''));
  const pieces = parsePrompt(prompt);
  const words = (description ?? '').replaceAll(/\s+/g, ' ').trim();
  return {
    name,
    description:
      words === '' ? `Custom command from ${fileName}` : [...words].slice(0, MAX_DESCRIPTION_LENGTH).join(''),
    kind: 'file',
    usage: '[ARGUMENTS]',
    run: async (call, host) => runCustomCommand(pieces, call, host),
  };
}

function readMembers(text: string) {
  const read = commandFileSchema.safeParse(parseToml(text));
  if (read.success) return read.data;
  throw new AgentError('invalid_settings', describeIssue('command', read.error));
}

function parseToml(text: string): unknown {
  try {
    return parse(text);
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw AgentError.from(thrown, 'invalid_settings');
    // Keeps the first line only; the others quote the file.
    const [reason = ''] = thrown.message.split('\n', 1);
    throw new AgentError('invalid_settings', `line ${thrown.line}: ${reason}`, { data: { line: thrown.line } });
  }
}
