import { AgentError, describeIssue } from '@qwen/protocol';
import { parse, TomlError } from 'smol-toml';
import { parseDocument } from 'yaml';
import * as z from 'zod/mini';
import { failure } from '../command-outcome.js';
import { parsePrompt } from './prompt-template.js';
import type { FileCommand } from './run-custom-command.js';
import { runCustomCommand } from './run-custom-command.js';

const MAX_DESCRIPTION_LENGTH = 200;

const commandFileSchema = z.lazy(() =>
  z.looseObject({
    prompt: z.string().check(z.regex(/\S/, 'must not be blank')),
    description: z.optional(z.string()),
    'argument-hint': z.optional(z.string()),
  }),
);

export interface CommandFileName {
  /** Command name, e.g. `git:review`. */
  readonly name: string;
  /** For example `review.toml`. */
  readonly fileName: string;
}

/**
 * Parses a TOML command file with `prompt` and optional `description`, or Markdown whose front matter may have a
 * `description`. Throws `invalid_settings` with the line.
 */
export function readCommandFile(text: string, { name, fileName }: CommandFileName): FileCommand {
  const body = text.replace(/^\uFEFF/, '');
  const syntax = fileName.endsWith('.md') ? 'markdown' : 'toml';
  const members = readMembers(syntax === 'markdown' ? parseMarkdown(body) : parseToml(body));
  const { prompt, description, 'argument-hint': hint } = members;
  const pieces = parsePrompt(prompt, syntax);
  const words = (description ?? '').replaceAll(/\s+/g, ' ').trim();
  return {
    name,
    description:
      words === '' ? `Custom command from ${fileName}` : [...words].slice(0, MAX_DESCRIPTION_LENGTH).join(''),
    kind: 'file',
    usage: hint ?? '[ARGUMENTS]',
    run: async (call, host) => runCustomCommand(pieces, call, host),
  };
}

/** A text that is sent as it is; nothing in it is expanded. */
export interface TextCommand {
  readonly name: string;
  readonly description: string;
  /** Default `[ARGUMENTS]`. */
  readonly usage?: string;
  readonly text: (args: string) => string;
}

export function textCommand({ name, description, text, usage = '[ARGUMENTS]' }: TextCommand): FileCommand {
  return {
    name,
    description: [...description].slice(0, MAX_DESCRIPTION_LENGTH).join(''),
    kind: 'file',
    usage,
    run: async ({ args }) =>
      args.includes('\0')
        ? failure('invalid_payload', 'Arguments must not contain a NUL byte.')
        : { type: 'submit_prompt', content: text(args) },
  };
}

function readMembers(members: unknown) {
  const read = commandFileSchema.safeParse(members);
  if (read.success) return read.data;
  throw new AgentError('invalid_settings', describeIssue('command', read.error));
}

const MARKDOWN = /^(?:---[ \t]*\r?\n(?<front>.*?)^---[ \t]*(?:\r?\n|$))?(?<prompt>.*)$/ms;

function parseMarkdown(text: string): unknown {
  const { front = '', prompt = '' } = MARKDOWN.exec(text)?.groups ?? {};
  return { ...readFrontMatter(front), prompt: prompt.trim() };
}

const HINT = /^argument-hint:[ \t]*(.+?)[ \t]*\r?$/m;

/** The members of front matter, in which line 1 is the line after `---`. Throws `invalid_settings` with the line. */
function readFrontMatter(front: string): Readonly<Record<string, unknown>> {
  // Usually written as [NAME] [OTHER], which is not valid YAML.
  const [, hint] = HINT.exec(front) ?? [];
  const document = parseDocument(front.replace(HINT, '#'));
  const [error] = document.errors;
  if (error !== undefined) {
    const line = (error.linePos?.[0].line ?? 0) + 1;
    throw new AgentError('invalid_settings', `line ${line}: the front matter is not valid YAML`, { data: { line } });
  }
  const description = document.get('description');
  return {
    ...(description !== undefined && description !== null && { description }),
    ...(hint !== undefined && { 'argument-hint': hint.replace(/^(["'])(.*)\1$/, '$2') }),
  };
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
