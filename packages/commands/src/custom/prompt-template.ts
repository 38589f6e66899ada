import { AgentError } from '@qwen/protocol';
import { argumentContext, type QuotableContext, quoteArgument } from './shell-quoting.js';

/** Arguments, files and output are inserted after parsing, so placeholders in them are not expanded. */
export type TemplatePiece =
  | { readonly kind: 'text'; readonly text: string }
  /** All arguments, or the one of this number, from 1. */
  | { readonly kind: 'args'; readonly number?: number }
  /** An optional file that cannot be read stays in the text. */
  | { readonly kind: 'file'; readonly path: readonly PlainPiece[]; readonly isOptional?: true }
  | { readonly kind: 'shell'; readonly command: readonly ShellPiece[] };

export type PlainPiece = Extract<TemplatePiece, { kind: 'text' | 'args' }>;

/** In Markdown, `!`command`` and `@path` mean the same as in braces. */
export type TemplateSyntax = 'toml' | 'markdown';

export type ShellPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'args'; readonly context: QuotableContext; readonly number?: number };

const ARGUMENTS = { toml: /(\{\{args\}\})/, markdown: /(\{\{args\}\}|\$ARGUMENTS\b|\$[1-9](?!\d))/ } as const;
const STARTS = { toml: /[@!]\{/g, markdown: /[@!]\{|!`|(?<=^|\s)@(?=[^\s`{@])/gm } as const;
/** A name with a slash or a dot inside; others, such as `@Override`, are text. */
const FILE_NAME = /^[^\s`]*[^\s`.,;:!?)\]]/;

/**
 * Throws `invalid_settings` with `data.line` for an unclosed brace and for arguments that cannot be quoted safely.
 */
export function parsePrompt(prompt: string, syntax: TemplateSyntax = 'toml'): readonly TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  let textStart = 0;
  for (const { index, 0: mark } of prompt.matchAll(STARTS[syntax])) {
    if (index < textStart) continue;
    const inside = insideOf(prompt, index, mark);
    if (inside === undefined) continue;
    pieces.push(...splitArgs(prompt.slice(textStart, index), syntax));
    const words = splitArgs(inside.text, syntax);
    if (mark.startsWith('@')) {
      pieces.push({ kind: 'file', path: words, ...(mark === '@' && { isOptional: true }) });
    } else {
      const command = toShellPieces(words);
      if (command === undefined) throw problem(prompt, index, 'the arguments cannot be quoted safely in this place');
      pieces.push({ kind: 'shell', command });
    }
    textStart = inside.end;
  }
  return [...pieces, ...splitArgs(prompt.slice(textStart), syntax)];
}

interface Inside {
  readonly text: string;
  /** After the closing mark. */
  readonly end: number;
}

/** Undefined for what only looks like a placeholder. Throws for an open brace. */
function insideOf(prompt: string, index: number, mark: string): Inside | undefined {
  const from = index + mark.length;
  if (mark === '@') {
    const [name = ''] = FILE_NAME.exec(prompt.slice(from)) ?? [];
    return /[./$]/.test(name) ? { text: name, end: from + name.length } : undefined;
  }
  if (mark === '!`') {
    const end = prompt.indexOf('`', from);
    return end === -1 ? undefined : { text: prompt.slice(from, end), end: end + 1 };
  }
  const end = closingBrace(prompt, index + 1);
  if (end === undefined) throw problem(prompt, index, `${mark} is never closed`);
  return { text: prompt.slice(from, end), end: end + 1 };
}

/** Without a placeholder, arguments are appended to the prompt. */
export function takesArguments(pieces: readonly TemplatePiece[]): boolean {
  const isArgs = ({ kind }: TemplatePiece) => kind === 'args';
  return pieces.some((piece) => {
    if (piece.kind === 'file') return piece.path.some(isArgs);
    if (piece.kind === 'shell') return piece.command.some(isArgs);
    return isArgs(piece);
  });
}

export function toPath(path: readonly PlainPiece[], args: string): string {
  return path
    .map((piece) => (piece.kind === 'args' ? argumentOf(args, piece.number) : piece.text))
    .join('')
    .trim();
}

/** Inserts the arguments as one quoted word. */
export function toCommand(command: readonly ShellPiece[], args: string): string {
  return command
    .map((piece) => (piece.kind === 'text' ? piece.text : quoteArgument(argumentOf(args, piece.number), piece.context)))
    .join('')
    .trim();
}

const ARGUMENT = /"([^"]*)"|'([^']*)'|\S+/g;

/** Quotes keep blanks in one argument. Empty if there is none of this number. */
export function argumentOf(args: string, number: number | undefined): string {
  if (number === undefined) return args;
  const [word = '', double, single] = [...args.matchAll(ARGUMENT)][number - 1] ?? [];
  return double ?? single ?? word;
}

function splitArgs(text: string, syntax: TemplateSyntax): PlainPiece[] {
  return text.split(ARGUMENTS[syntax]).flatMap((part, index): PlainPiece[] => {
    if (index % 2 === 0) return part === '' ? [] : [{ kind: 'text', text: part }];
    return [/^\$\d$/.test(part) ? { kind: 'args', number: Number(part[1]) } : { kind: 'args' }];
  });
}

function closingBrace(text: string, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

function toShellPieces(pieces: readonly PlainPiece[]): ShellPiece[] | undefined {
  const command: ShellPiece[] = [];
  // The arguments must not influence how the rest is parsed, so a plain word replaces them.
  let before = '';
  for (const piece of pieces) {
    if (piece.kind === 'text') {
      command.push(piece);
      before += piece.text;
      continue;
    }
    const context = argumentContext(before);
    if (context === undefined) return undefined;
    command.push({ ...piece, context });
    before += quoteArgument('x', context);
  }
  return command;
}

function problem(prompt: string, index: number, message: string): AgentError {
  const line = prompt.slice(0, index).split('\n').length;
  return new AgentError('invalid_settings', `line ${line} of the prompt: ${message}`, { data: { line } });
}
