import { bareToolName, canonicalToolName, toolNameKey } from '@qwen/protocol';
import { BAR, type Block, callsOfJson, LOW, parse, readBlock, type TextPiece } from './text-call-forms.js';

/** Where a call may begin. */
const OPENER = new RegExp(
  [
    '<(?:tool_call|function_call|tools|function_calls|invoke name=|minimax:tool_call|function=)',
    `<${BAR}(?:tool${LOW}calls?${LOW}|DSML${BAR}|python_tag${BAR}>|channel${BAR}>|start${BAR}>assistant)`,
    '\\[TOOL_CALLS\\]',
  ].join('|'),
  'g',
);
/** No opener is longer. */
export const MAX_OPENER_LENGTH = 24;
/** What an opener starts with. */
export const OPENER_START = /[<[]/;

/** The position of the first opener from `from` that is neither in code nor in a quotation; -1 if there is none. */
export function findOpener(text: string, from = 0): number {
  OPENER.lastIndex = from;
  for (let found = OPENER.exec(text); found !== null; found = OPENER.exec(text)) {
    if (!isQuotedAt(text, found.index)) return found.index;
  }
  return -1;
}

function isQuotedAt(text: string, at: number): boolean {
  const lines = text.slice(0, at).split('\n');
  const line = lines.at(-1) ?? '';
  let fence: string | undefined;
  for (const each of lines) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(each)?.[1];
    if (mark === undefined) continue;
    if (fence === undefined) fence = mark;
    else if (mark.startsWith(fence)) fence = undefined;
  }
  const ticks = line.match(/`/g)?.length ?? 0;
  return fence !== undefined || ticks % 2 === 1 || /^\s*>/.test(line) || /^(?: {4}|\t)|["'(\u201c\u2018]$/.test(line);
}

export interface TextCallOptions {
  /** Of the offered tools. */
  readonly names: readonly string[];
  /** Whether the conversation contains this text. */
  readonly isRepeated: (text: string) => boolean;
}

/** Calls and text, in order. What is no call of an offered tool stays text. */
export function readTextCalls(text: string, options: TextCallOptions): readonly TextPiece[] {
  const whole = readWhole(text, options);
  if (whole !== undefined) return whole;
  const pieces: TextPiece[] = [];
  let done = 0;
  let at = findOpener(text);
  while (at !== -1) {
    const block = readBlock(text, at);
    const runs = block !== undefined && mayRun(text, { block, at, options });
    if (!runs) {
      at = findOpener(text, at + 1);
      continue;
    }
    const before = text.slice(done, at);
    if (before.trim() !== '') pieces.push({ type: 'text', text: before });
    pieces.push(...block.pieces.map((piece) => withOfferedName(piece, options.names)));
    done = block.end;
    at = findOpener(text, done);
  }
  const rest = text.slice(done);
  if (done === 0 || rest.trim() !== '') pieces.push({ type: 'text', text: rest });
  return pieces;
}

/** An answer that is nothing but the JSON of calls. */
function readWhole(text: string, options: TextCallOptions): readonly TextPiece[] | undefined {
  if (!/^\s*[[{]/.test(text) || options.isRepeated(text.trim())) return undefined;
  const calls = callsOfJson(parse(text));
  const isClear = calls?.every(
    (call) => call.input !== undefined && offeredName(call.name, options.names) !== undefined,
  );
  if (calls === undefined || isClear !== true) return undefined;
  return calls.map((call) => withOfferedName({ type: 'call', call }, options.names));
}

interface Found {
  readonly block: Block;
  readonly at: number;
  readonly options: TextCallOptions;
}

function mayRun(text: string, { block, at, options }: Found): boolean {
  const { pieces, end } = block;
  const areOffered = pieces.every(
    (piece) => piece.type !== 'call' || offeredName(piece.call.name, options.names) !== undefined,
  );
  // Text after it on the same line: the model writes about a call.
  const after = /^[^\S\n]*(\S?)/.exec(text.slice(end))?.[1] ?? '';
  const isAlone = after === '' || findOpener(text, end) === end + text.slice(end).indexOf(after);
  return areOffered && isAlone && !options.isRepeated(text.slice(at, end).trim());
}

function withOfferedName(piece: TextPiece, names: readonly string[]): TextPiece {
  if (piece.type !== 'call') return piece;
  return { type: 'call', call: { ...piece.call, name: offeredName(piece.call.name, names) ?? piece.call.name } };
}

function offeredName(written: string, names: readonly string[]): string | undefined {
  const bare = bareToolName(written);
  const canonical = canonicalToolName(bare);
  return (
    names.find((name) => name === bare || name === canonical) ?? names.find((n) => toolNameKey(n) === toolNameKey(bare))
  );
}
