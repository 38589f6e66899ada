import { AgentError, describeIssue } from '@qwen/protocol';
import { parse, TomlError } from 'smol-toml';
import * as z from 'zod/mini';
import { parsePrompt } from './prompt-template.js';
import type { FileCommand } from './run-custom-command.js';
import { runCustomCommand } from './run-custom-command.js';

const MAX_DESCRIPTION_LENGTH = 200;

const commandFileSchema = z.lazy(() =>
  z.looseObject({
    prompt: z.string().check(z.regex(/\S/, 'expected some words')),
    description: z.optional(z.string()),
  }),
);

/** What a command file is called. */
export interface CommandFileName {
  /** Of the command, e.g. `git:review`. */
  readonly name: string;
  /** Of the file, e.g. `review.toml`. */
  readonly fileName: string;
}

/**
 * The command that a TOML text describes: `prompt`, and optionally `description` (CF-63). Throws `invalid_settings` with
 * the line that is wrong.
 */
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
    // The rest of its message shows the lines around; a notice is one line.
    const [reason = ''] = thrown.message.split('\n', 1);
    throw new AgentError('invalid_settings', `line ${thrown.line}: ${reason}`, { data: { line: thrown.line } });
  }
}
