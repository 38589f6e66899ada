import type { ModelRequest, UserPart } from '../parts.js';
import { BAR, END_MARKS, LOW, readBlock } from './text-call-forms.js';
import { type Block, offeredName, type TextCallOptions, type TextPiece, withOfferedName } from './text-call-values.js';
import { readWhole } from './text-call-whole.js';

const ELEMENT_NAMES =
  'read_file|write_to_file|replace_in_file|apply_diff|search_files|list_files|execute_command|write_file|edit_file|run_shell_command|list_directory|grep_search';

const ELEMENT = new RegExp(`^<(?:${ELEMENT_NAMES})>`, 'i');

/** Where a call may begin. */
const OPENER = new RegExp(
  [
    '<(?:(?:[a-z]+:|longcat_|\\|)?tool[_-]?call|tool_use|tool name=|function_?call|tools|(?:[a-z]+:)(?:invoke name=|function_calls)|invoke name=|function ?=|function name|start_function_call>|function_calls>)',
    `<${BAR}(?:tool${LOW}calls?${LOW}|DSML${BAR}|python_tag${BAR}>|channel${BAR}>|start${BAR}>assistant|START_ACTION${BAR}>|action_start${BAR}>)`,
    '\\[(?:TOOL_CALLS?|TOOL_REQUEST)\\]',
    `<(?:${ELEMENT_NAMES})>`,
    '^(?:Action ?:[^\\n]{1,80}\\nAction[ _]Input ?:|\\u273fFUNCTION\\u273f)',
  ].join('|'),
  'gim',
);
export const MAX_OPENER_LENGTH = 24;
export const OPENER_START = /[<[\u273f]/;
const OPENERS = [
  '<tool_call',
  '<toolcall',
  '<longcat_tool_call',
  '<function_call',
  '<functioncall',
  '<tools',
  '<invoke name=',
  '<function=',
  '<function =',
  '<function name',
  '<|tool_call',
  '<|toolcall',
  '<|tool_call_',
  '<|tool_calls_',
  '<|DSML|',
  '<|python_tag|>',
  '<|channel|>',
  '<|start|>assistant',
  '[TOOL_CALLS]',
  '[TOOL_REQUEST]',
  '<tool name=',
  '<tool_use',
  '<start_function_call>',
  '<|START_ACTION|>',
  '<|action_start|>',
  '<tool-call',
  '<|python_start|>',
  '\u273fFUNCTION\u273f',
];

export function isOpenerStart(text: string): boolean {
  // With any namespace: `<minimax:tool_call>`.
  const plain = text
    .replaceAll('\uff5c', '|')
    .replaceAll('\u2581', '_')
    .toLowerCase()
    .replace(/^<[a-z]+:/, '<');
  if (/^<[a-z_]{0,18}$/.test(plain)) return true;
  return OPENERS.some((opener) => opener.toLowerCase().startsWith(plain));
}

/** Lines at the end of a text that may become the opener of ReAct. */
export const REACT_START =
  /(?:^|\n)(A(?:c(?:t(?:i(?:o(?:n(?: ?(?::[^\n]{0,80}(?:\n[Action_ Iput:]{0,13})?)?)?)?)?)?)?)?)$/i;

export function hasOpener(text: string): boolean {
  OPENER.lastIndex = 0;
  return OPENER.test(text);
}

/** The position of the first opener from `from` where a call may begin; -1 if there is none. */
export function findOpener(text: string, from = 0): number {
  OPENER.lastIndex = from;
  for (let found = OPENER.exec(text); found !== null; found = OPENER.exec(text)) {
    if (!isQuotedAt(text, found.index)) return found.index;
  }
  return -1;
}

/** A tag or mark of another call, directly before. */
const AFTER_CALL = /(?:<\/[\w:]+>|[|\uff5c]>|<tool_calls>|\})$/i;
const SENTENCE_END = /[.!?\u2026\u3002\uff01\uff1f][)*_"'\u201d\u2019]*$/;
/** A line after which a text is a value, a string or a list of something. */
const BEFORE_VALUE = /[|>"'`([{=,\\+]$/;

function isQuotedAt(text: string, at: number): boolean {
  if (isInCode(text, at)) return true;
  const lines = text.slice(0, at).split('\n');
  const line = lines.at(-1) ?? '';
  if (/^(?:\s*>| {4}|\t)/.test(line)) return true;
  const before = line.trimEnd();
  if (before !== '') return !SENTENCE_END.test(before) && !AFTER_CALL.test(before) && !announcesCall(before);
  const above =
    lines
      .slice(0, -1)
      .findLast((each) => each.trim() !== '')
      ?.trimEnd() ?? '';
  const isRow = /^\s*\|.+\|$/.test(above);
  return BEFORE_VALUE.test(above) && !isRow && !AFTER_CALL.test(above) && !closesQuotation(above);
}

/** `Let me read the file:` */
function announcesCall(text: string): boolean {
  const sentence = lastSentence(text);
  const isExplanation = EXAMPLE.test(sentence) || /\b(?:show|explain|demonstrate|form)\b/i.test(sentence);
  return text.endsWith(':') && INTENTION.test(sentence) && !isExplanation;
}

const INTENTION =
  /\b(?:I'll|I\u2019ll|I will|I'm going to|I am going to|I need to|let me|let's|let us)\b|\u8ba9\u6211|\u6211\u6765/i;
/** Matches a sentence that introduces an example. */
const EXAMPLE =
  /\b(?:examples?|e\.g|for instance|such as|look(?:s|ed)? like|like this|formats?|syntax|template|would|(?:do not|don't|never|must not) (?:run|execute|call|write|send)|contain(?:s|ed)|says|said|inject(?:s|ed)|malicious|emits|writes|wrote|outputs|prints|printed|quoted?|instead of)\b|\u4f8b\u5982|\u6bd4\u5982|\u793a\u4f8b|\u683c\u5f0f/i;

/** A line that is nothing but such a word, as a heading or in bold. */
const EXAMPLE_HEADING = /(?:^|\n)\s*(?:#+\s*|<summary>|[*_]{1,2})examples?\b[^\n.]{0,20}\s*$/i;
const FORBIDDEN =
  /\b(?:do not|don't|don\u2019t|must not|never|will not|won't|won\u2019t|refuse to) (?:\w+ )?(?:run|execute|call|write|do|send) (?:this|that|these|the following|such|a call)\b/i;

function lastParagraph(text: string): string {
  return (
    text
      .trimEnd()
      .split(/\n\s*\n/)
      .at(-1) ?? ''
  );
}

function lastSentence(text: string): string {
  return (
    lastParagraph(text)
      .split(/(?<!e\.g)[.!?\u3002\uff01\uff1f]\s+/)
      .at(-1) ?? ''
  );
}

/** `` I will read `a.ts` `` */
function closesQuotation(line: string): boolean {
  const mark = /["'`]$/.exec(line)?.[0];
  return mark !== undefined && line.split(mark).length % 2 === 1;
}

export function isInCode(text: string, at: number): boolean {
  const lines = text.slice(0, at).split('\n');
  let fence: string | undefined;
  for (const line of lines) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark === undefined) continue;
    if (fence === undefined) fence = mark;
    else if (mark.startsWith(fence)) fence = undefined;
  }
  const ticks = lines.at(-1)?.match(/`/g)?.length ?? 0;
  return fence !== undefined || ticks % 2 === 1;
}

export function readTextCalls(given: string, options: TextCallOptions): readonly TextPiece[] {
  const whole = readWhole(given, options);
  if (whole !== undefined) return whole;
  const pieces: TextPiece[] = [];
  let text = given;
  let done = 0;
  let isAfterExample = false;
  let at = findOpener(text);
  while (at !== -1) {
    const block = readBlock(text, at);
    const real = block === undefined ? text : withoutInvented(text, block.end);
    const runs = block !== undefined && mayRun(real, { block, at, options, isAfterExample });
    if (!runs) {
      isAfterExample ||= block !== undefined && isExample(text, at, options.before ?? '');
      // The contents of a rejected or truncated call are not calls.
      if (block === undefined && ELEMENT.test(text.slice(at))) break;
      at = findOpener(text, Math.max(at + 1, block?.end ?? 0));
      continue;
    }
    text = real;
    const before = text.slice(done, at);
    if (before.trim() !== '') pieces.push({ type: 'text', text: before });
    pieces.push(...block.pieces.map((piece) => withOfferedName(piece, options.names)));
    done = endOf(text, block);
    at = findOpener(text, done);
  }
  const rest = text.slice(done);
  if (done === 0 || rest.trim() !== '') pieces.push({ type: 'text', text: rest });
  return pieces;
}

/** Where a model that does not stop after its calls begins to invent their results, or the next message. */
const INVENTED = new RegExp(
  [
    '</?(?:[a-z]+:)?(?:(?:tool|function)[_-]?(?:response|result|output)s?)>',
    `<${BAR}(?:tool${LOW}(?:response|result|output)s?(?:${LOW}\\w+)*|observation|user|START_TOOL_RESULT|im_start)${BAR}>`,
    `<${BAR}start${BAR}>(?!assistant)`,
    '\\[TOOL_RESULTS?\\]',
    '^(?:Observation|\\u273fRESULT\\u273f) ?:',
  ].join('|'),
  'gim',
);

/** Without what follows the first invented result between a call that ends there and the next call. */
function withoutInvented(text: string, end: number): string {
  const next = findOpener(text, end);
  const between = text.slice(end, next === -1 ? undefined : next);
  const found = [...between.matchAll(INVENTED)].find(({ index }) => !isInCode(between, index));
  return found === undefined ? text : text.slice(0, end + found.index);
}

interface Found {
  readonly block: Block;
  readonly at: number;
  readonly options: TextCallOptions;
  /** Calls after an example need an announcement. */
  readonly isAfterExample: boolean;
}

function mayRun(text: string, { block, at, options, isAfterExample }: Found): boolean {
  const { pieces } = block;
  const end = endOf(text, block);
  const areOffered = pieces.every(
    (piece) => piece.type !== 'call' || offeredName(piece.call.name, options.names) !== undefined,
  );
  // Text after it on the same line: the model writes about a call.
  const after = /^[^\S\n]*(\S?)/.exec(text.slice(end))?.[1] ?? '';
  const isAlone = after === '' || findOpener(text, end) === end + text.slice(end).indexOf(after);
  return (
    areOffered &&
    isAlone &&
    isApart(text, { at, end, before: options.before ?? '' }) &&
    !isExample(text, at, options.before ?? '') &&
    (!isAfterExample || INTENTION.test(lastSentence(text.slice(0, at)))) &&
    !options.isRepeated(text.slice(at, end).trim())
  );
}

/**
 * Text that continues after a call makes it an example, unless a sentence ended before it without a colon, the call is
 * announced, or another call follows.
 */
function isApart(text: string, { at, end, before }: { at: number; end: number; before: string }): boolean {
  const rest = text.slice(end).trim();
  const context = (before + text.slice(0, at)).trimEnd();
  if (rest === '' || context === '' || AFTER_CALL.test(context)) return true;
  return SENTENCE_END.test(context) || INTENTION.test(lastSentence(context)) || findOpener(text, end) !== -1;
}

function isExample(text: string, at: number, before: string): boolean {
  const context = before + text.slice(0, at);
  const sentence = lastSentence(context);
  const isOpen = /(?:[:\uff1a]|\u2014)[*_]{0,2}\s*$|\be\.g\.\s*$/.test(context);
  if (isOpen && EXAMPLE.test(sentence) && !INTENTION.test(sentence)) return true;
  if (EXAMPLE_HEADING.test(context) || FORBIDDEN.test(lastParagraph(context))) return true;
  if (/\bis (?:an|one) example\b|\bis (?:written|called) (?:as follows|like this)\b/i.test(sentence)) return true;
  return /^action/i.test(text.slice(at)) && /:\s*$/.test(context) && !/^Thought ?:/im.test(context);
}

function endOf(text: string, { end }: Block): number {
  const stray = STRAY_ENDS.exec(text.slice(end))?.[0].length ?? 0;
  return end + stray + (END_MARKS.exec(text.slice(end + stray))?.[0].length ?? 0);
}

const STRAY_ENDS = /^(?:\s*<\/tool_calls?>)+/;

/** A shorter text may be there by chance. */
const MIN_REPEATED_LENGTH = 20;

export function isInConversation(text: string, { messages, system }: ModelRequest): boolean {
  if (text.length < MIN_REPEATED_LENGTH) return false;
  const wanted = withoutBlanks(text);
  const contains = (given: string) => withoutBlanks(given).includes(wanted);
  const textOf = (parts: readonly UserPart[]) =>
    parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return (
    contains(system) ||
    messages.some((message) => {
      if (message.role === 'user') return contains(textOf(message.content));
      return message.role === 'tool' && message.results.some(({ content }) => contains(textOf(content)));
    })
  );
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
