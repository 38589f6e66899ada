import { AgentError } from '@qwen/protocol';
import { argumentContext, type QuotableContext, quoteArgument } from './shell-quoting.js';

/** Arguments, files and output are inserted after parsing, so placeholders in them are not expanded. */
export type TemplatePiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'args' }
  | { readonly kind: 'file'; readonly path: readonly PlainPiece[] }
  | { readonly kind: 'shell'; readonly command: readonly ShellPiece[] };

export type PlainPiece = Extract<TemplatePiece, { kind: 'text' | 'args' }>;

export type ShellPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'args'; readonly context: QuotableContext };

const ARGS = '{{args}}';

/**
 * Throws `invalid_settings` with `data.line` for an unclosed brace and for arguments that cannot be quoted safely.
 */
export function parsePrompt(prompt: string): readonly TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  let textStart = 0;
  for (const { index } of prompt.matchAll(/[@!]\{/g)) {
    if (index < textStart) continue;
    const end = closingBrace(prompt, index + 1);
    if (end === undefined) throw problem(prompt, index, `${prompt.slice(index, index + 2)} is never closed`);
    pieces.push(...splitArgs(prompt.slice(textStart, index)));
    const inside = splitArgs(prompt.slice(index + 2, end));
    if (prompt[index] === '@') {
      pieces.push({ kind: 'file', path: inside });
    } else {
      const command = toShellPieces(inside);
      if (command === undefined) throw problem(prompt, index, `${ARGS} cannot be quoted safely in this place`);
      pieces.push({ kind: 'shell', command });
    }
    textStart = end + 1;
  }
  return [...pieces, ...splitArgs(prompt.slice(textStart))];
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
    .map((piece) => (piece.kind === 'args' ? args : piece.text))
    .join('')
    .trim();
}

/** Inserts the arguments as one quoted word. */
export function toCommand(command: readonly ShellPiece[], args: string): string {
  return command
    .map((piece) => (piece.kind === 'text' ? piece.text : quoteArgument(args, piece.context)))
    .join('')
    .trim();
}

function splitArgs(text: string): PlainPiece[] {
  return text
    .split(ARGS)
    .flatMap((part, index): PlainPiece[] => [
      ...(index === 0 ? [] : [{ kind: 'args' } as const]),
      ...(part === '' ? [] : [{ kind: 'text', text: part } as const]),
    ]);
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
    command.push({ kind: 'args', context });
    before += quoteArgument('x', context);
  }
  return command;
}

function problem(prompt: string, index: number, message: string): AgentError {
  const line = prompt.slice(0, index).split('\n').length;
  return new AgentError('invalid_settings', `line ${line} of the prompt: ${message}`, { data: { line } });
}
