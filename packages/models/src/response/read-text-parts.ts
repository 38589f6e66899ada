import { AgentError } from '@qwen/protocol';
import type { ModelPart, ModelRequest } from '../parts.js';
import type { TextPiece } from './text-call-values.js';
import { mayBeWhole } from './text-call-whole.js';
import {
  findOpener,
  hasOpener,
  isInCode,
  isInConversation,
  isOpenerStart,
  MAX_OPENER_LENGTH,
  OPENER_START,
  REACT_START,
  readTextCalls,
} from './text-calls.js';
import { CallIds } from './tool-input.js';

export interface TextReading {
  /** Calls written as text, if the answer has no other calls. Default true. */
  readonly toolCalls?: boolean | undefined;
  /** `<think>` blocks at the start of the text. Default true. */
  readonly thinkTags?: boolean | undefined;
}

/** Observed behavior of an endpoint; each answer may change it. */
export interface TextHabits {
  /** Answers begin with thinking whose opening tag is in the prompt. */
  startsInThinking: boolean;
}

/** Turns thinking and calls that a model wrote into its text into parts. Text that may become a call is held back. */
export async function* readTextParts(
  parts: AsyncGenerator<ModelPart, undefined>,
  request: ModelRequest,
  { toolCalls = true, thinkTags = true, habits = { startsInThinking: false } }: TextReading & { habits?: TextHabits },
): AsyncGenerator<ModelPart, undefined> {
  const options = { toolCalls: toolCalls && request.tools.length > 0, thinkTags, habits };
  const create = () => new TextReader(request, options);
  let reader = create();
  for await (const part of parts) {
    switch (part.type) {
      case 'text_delta':
        yield* reader.add(part.text);
        continue;
      case 'tool_call_start':
        yield* reader.flush();
        reader.stopReadingCalls();
        break;
      case 'thinking_delta':
        reader.noteThinking(part.text);
        break;
      case 'finish':
        yield* reader.end();
        break;
      case 'failure':
        yield* reader.flush();
        break;
      case 'retry':
        reader = create();
        break;
      default:
        break;
    }
    yield part;
  }
}

/** Ends thinking whose opening tag is in the prompt: the tag alone on its line. */
const LONE_THINK_END = /^[ \t]*<\/think(?:ing)?>[ \t]*$/m;
const LONGEST_THINK_END = '</thinking>'.length;
/** Includes those of Seed-OSS, Magistral, Kimi and Command. */
const THINK_TAGS: readonly (readonly [open: string, close: string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<seed:think>', '</seed:think>'],
  ['[THINK]', '[/THINK]'],
  ['\u25c1think\u25b7', '\u25c1/think\u25b7'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
];
interface ReaderOptions {
  readonly toolCalls: boolean;
  readonly thinkTags: boolean;
  readonly habits: TextHabits;
}

class TextReader {
  readonly #request: ModelRequest;
  readonly #ids = new CallIds();
  #readsCalls: boolean;
  #readsThinking: boolean;
  /** The closing tag that is awaited. */
  #thinking: string | undefined;
  #isBeforeThinking = false;
  /** Blank lines between thinking and text are dropped. */
  #isAfterThinking = false;
  #shown = '';
  /** The end of it, and whether it is not only blanks: reading all of it for each delta would take quadratic time. */
  #tail = '';
  #hasShown = false;
  #held = '';
  #isHolding = false;
  #thought = '';
  readonly #habits: TextHabits;
  /** Whether thinking was seen, or a call that is not text. */
  #isSettled = false;
  /** Thinking without an opening tag. Undefined if there is one. */
  #assumed: string | undefined;

  constructor(request: ModelRequest, { toolCalls, thinkTags, habits }: ReaderOptions) {
    this.#request = request;
    this.#habits = habits;
    this.#readsCalls = toolCalls;
    this.#readsThinking = thinkTags;
  }

  stopReadingCalls(): void {
    this.#readsCalls = false;
    this.#isSettled = true;
  }

  noteThinking(text: string): void {
    this.#isSettled = true;
    this.#thought += text;
  }

  *add(text: string): Generator<ModelPart> {
    this.#held += text;
    if (this.#thinking !== undefined) yield* this.#takeThinking(false);
    if (this.#thinking !== undefined) return;
    yield* this.#takeLoneEnd(false);
    if (this.#isHolding) return;
    if (this.#isAfterThinking) this.#held = this.#held.trimStart();
    if (this.#held === '') return;
    this.#isAfterThinking = false;
    if (this.#readsThinking && !this.#hasShown) {
      const start = this.#held.trimStart();
      const [open, close] = THINK_TAGS.find(([tag]) => start.startsWith(tag)) ?? [];
      if (open !== undefined) {
        this.#held = start.slice(open.length);
        yield* this.#startThinking(close);
        return;
      }
      if (THINK_TAGS.some(([tag]) => tag.startsWith(start))) return;
      if (this.#habits.startsInThinking && !this.#isSettled) {
        this.#assumed = '';
        yield* this.#startThinking('</think>');
        return;
      }
    }
    yield* this.#takeText();
  }

  *#startThinking(closing: string | undefined): Generator<ModelPart> {
    this.#thinking = closing;
    this.#isSettled = true;
    this.#isBeforeThinking = true;
    yield* this.#takeThinking(false);
    if (this.#thinking === undefined) yield* this.add('');
  }

  /** The text so far was thinking, which became clear only now: the answer begins again. */
  *#takeLoneEnd(isEnd: boolean): Generator<ModelPart> {
    const isPossible = this.#readsThinking && !this.#isSettled && (this.#tail + this.#held).includes('</think');
    if (!isPossible) return;
    const whole = this.#shown + this.#held;
    const found = LONE_THINK_END.exec(whole);
    if (found === null || isInCode(whole, found.index)) return;
    const end = found.index + found[0].length;
    if ((end === whole.length && !isEnd) || /<think(?:ing)?>/.test(whole.slice(0, end))) return;
    this.#habits.startsInThinking = true;
    this.#isSettled = true;
    this.#isHolding = false;
    if (this.#shown !== '')
      yield* restart('The model wrote its reasoning as text; the answer is shown again without it.');
    [this.#shown, this.#tail, this.#hasShown] = ['', '', false];
    this.#held = whole.slice(end);
    this.#isAfterThinking = true;
    const thinking = whole.slice(0, found.index).trim();
    if (thinking !== '') yield { type: 'thinking_delta', text: thinking };
    if (!isEnd) yield* this.add('');
  }

  *flush(): Generator<ModelPart> {
    if (this.#thinking !== undefined) yield* this.#takeThinking(true);
    const text = this.#held;
    this.#held = '';
    this.#isHolding = false;
    this.#noteShown(text);
    if (text !== '') yield { type: 'text_delta', text };
  }

  *end(): Generator<ModelPart> {
    if (this.#thinking !== undefined) yield* this.#takeThinking(true);
    if (this.#thinking !== undefined && this.#assumed !== undefined) {
      this.#habits.startsInThinking = false;
      this.#thinking = undefined;
      this.#held = this.#assumed;
      yield* restart('The model wrote no reasoning this time; its text is shown as the answer.');
    } else if (this.#thinking === undefined) {
      yield* this.#takeLoneEnd(true);
      if (this.#isAfterThinking) this.#held = this.#held.trimStart();
    }
    if (!this.#readsCalls || this.#held.trim() === '') {
      yield* this.flush();
      if (this.#readsCalls && !this.#hasShown) yield* this.#takeThoughtCalls();
      return;
    }
    const [past, tail, hadShown] = [this.#shown, this.#tail, this.#hasShown];
    for (const piece of this.#read(this.#held, past)) yield* this.#toParts(piece);
    this.#held = '';
    [this.#shown, this.#tail, this.#hasShown] = [past, tail, hadShown];
  }

  #read(text: string, before: string): readonly TextPiece[] {
    const names = this.#request.tools.map(({ name }) => name);
    return readTextCalls(text, { names, isRepeated: (call) => isInConversation(call, this.#request), before });
  }

  /** A model that stops directly after a call, without an answer, did not only consider it. */
  *#takeThoughtCalls(): Generator<ModelPart> {
    if (!hasOpener(this.#thought)) return;
    const pieces = this.#read(this.#thought, '');
    const calls = pieces.slice(pieces.findLastIndex(({ type }) => type !== 'call') + 1);
    if (calls.some((piece) => piece.type === 'call' && piece.call.input === undefined)) return;
    for (const call of calls) yield* this.#toParts(call);
  }

  *#takeThinking(isEnd: boolean): Generator<ModelPart> {
    const tag = this.#thinking ?? '';
    if (this.#isBeforeThinking) this.#held = this.#held.trimStart();
    if (this.#held !== '') this.#isBeforeThinking = false;
    const close = this.#held.indexOf(tag);
    const end = close === -1 ? (isEnd ? this.#held.length : this.#held.length - startOf(tag, this.#held)) : close;
    const text = this.#held.slice(0, end);
    this.#held = close === -1 ? this.#held.slice(end) : this.#held.slice(end + tag.length);
    if (this.#assumed !== undefined) this.#assumed += text;
    this.#thought += text;
    if (close !== -1) [this.#thinking, this.#isAfterThinking] = [undefined, true];
    if (text !== '') yield { type: 'thinking_delta', text };
  }

  *#takeText(): Generator<ModelPart> {
    if (this.#readsCalls) {
      if (this.#shown === '' && mayBeWhole(this.#held)) return;
      // The start of an opener is always held, so the text before is only read if there is one.
      const isPossible = hasOpener(this.#tail.slice(-1) + this.#held);
      const opener = isPossible ? findOpener(this.#shown + this.#held, this.#shown.length) : -1;
      this.#isHolding = opener !== -1;
      yield* this.#show(opener === -1 ? this.#safeEnd() : opener - this.#shown.length);
      return;
    }
    yield* this.#show(this.#held.length);
  }

  #noteShown(text: string): void {
    this.#shown += text;
    this.#tail = (this.#tail + text).slice(-LONGEST_THINK_END);
    this.#hasShown ||= /\S/.test(text);
  }

  *#show(end: number): Generator<ModelPart> {
    const text = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    this.#noteShown(text);
    if (text !== '') yield { type: 'text_delta', text };
  }

  #safeEnd(): number {
    const from = Math.max(this.#held.length - MAX_OPENER_LENGTH, 0);
    const tail = this.#held.slice(from);
    for (const { index } of tail.matchAll(new RegExp(OPENER_START, 'g'))) {
      if (isOpenerStart(tail.slice(index))) return from + index;
    }
    const found = REACT_START.exec(this.#held.slice(-MAX_REACT_LENGTH))?.[1];
    if (found !== undefined) return this.#held.length - found.length;
    return this.#held.length;
  }

  *#toParts(piece: TextPiece): Generator<ModelPart> {
    if (piece.type !== 'call') {
      yield { type: piece.type === 'text' ? 'text_delta' : 'thinking_delta', text: piece.text };
      return;
    }
    const { name, input } = piece.call;
    const id = this.#ids.take(undefined);
    yield { type: 'tool_call_start', id, name };
    if (input === undefined) {
      const problem = `The arguments of ${name} are not complete, or a value contains tags of a call.`;
      const error = new AgentError('invalid_tool_input', `${problem} Write no such tags in a value.`);
      yield { type: 'tool_call_end', id, name, error };
      return;
    }
    yield { type: 'tool_call_delta', id, json: JSON.stringify(input) };
    yield { type: 'tool_call_end', id, name, input };
  }
}

/** Discards what was emitted; nothing is requested again. */
function* restart(reason: string): Generator<ModelPart> {
  const error = new AgentError('bad_model_response', reason);
  yield { type: 'retry', attempt: 1, delayMs: 0, discards: true, error };
  yield { type: 'start' };
}

const MAX_REACT_LENGTH = 120;

function startOf(tag: string, text: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
