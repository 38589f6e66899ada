import { parseJson, parseOrRepairJson } from '@qwen/protocol';
import { leavesTags, readFunction } from './text-call-functions.js';
import { readGemma, readMarked, readRequest } from './text-call-marks.js';
import {
  type Block,
  blockOf,
  callsOf,
  callsOfJson,
  elementsOf,
  INPUTS,
  match,
  NAMES,
  objectOf,
  type TextCall,
  type TextPiece,
} from './text-call-values.js';

/** The ASCII character, or the one that DeepSeek writes. */
export const BAR = '[|\uff5c]';
export const LOW = '[_\u2581]';

export function readBlock(text: string, at: number): Block | undefined {
  for (const read of READERS) {
    const block = read(text, at);
    if (block !== undefined) return block;
  }
  return undefined;
}

const END_MARK =
  '(?:<\\|(?:im_end|endoftext|end_of_text|end_of_turn|eot_id|eom_id|end|return|call|observation|user)\\|>|<[|\\uff5c]end[_\\u2581]of[_\\u2581]sentence[|\\uff5c]>|</s>|<end_of_turn>)';
/** What a model writes after an answer, at the start of a text. */
export const END_MARKS = new RegExp(`^(?:\\s*${END_MARK})+`);
const END_MARKS_AT_END = new RegExp(`(?:\\s*${END_MARK})+\\s*$`);

type BlockReader = (text: string, at: number) => Block | undefined;

const READERS: readonly BlockReader[] = [
  readTagged,
  readFunction,
  readInvocations,
  readDeepSeek,
  readKimi,
  readHarmony,
  readPythonTag,
  readMarked,
  readGemma,
  readRequest,
  readMistral,
  readElement,
  readReAct,
];

function readTagged(text: string, at: number): Block | undefined {
  const open = match(
    /<(\|?)((?:[a-z]+:)?(?:longcat_)?(?:tool[_-]?calls?|tool_use|function_?call|tools|tool(?= name=[^>]*>[\s\S]*<\/tool>)))(?: name=["']([\w.:-]+)["'])?\1>\s*/i,
    text,
    at,
  );
  if (open === undefined) return undefined;
  const start = at + open[0].length;
  const [, , , ownName] = open;
  const closing = `<${open[1]}/${open[2]}${open[1]}>`;
  for (let close = text.indexOf(closing, start); close !== -1; close = text.indexOf(closing, close + 1)) {
    // A whole parameter before the end: only the end of the function is missing.
    const inner = text
      .slice(start, close)
      .trim()
      .replace(/^(<function[\s=][\s\S]*<\/parameter>)$/, '$1</function>');
    const calls =
      ownName === undefined
        ? (readTaggedCalls(inner) ?? callsOfJson(parseJson(`${inner}}`)))
        : callsOfElement(ownName, inner);
    if (calls === undefined) continue;
    const end = close + closing.length;
    if (!leavesTags(text, end)) return blockOf(calls, end);
    return blockOf(calls.map(withoutInput), text.length);
  }
  if (ownName !== undefined) return blockOf([{ name: ownName }], text.length);
  const rest = text.slice(start).replace(END_MARKS_AT_END, '').trim();
  // Only JSON shows where it ends without the closing tag.
  const cut = GLM_CALL.exec(rest)?.[1];
  const calls = cut !== undefined ? [{ name: cut }] : (readTaggedCalls(rest) ?? incomplete(text.slice(start)));
  return calls === undefined ? undefined : blockOf(calls, text.length);
}

const withoutInput = ({ name }: TextCall): TextCall => ({ name });

export function readTaggedCalls(tagged: string): readonly TextCall[] | undefined {
  const inner = /^```\w*\n([\s\S]*?)\n?```$/.exec(tagged)?.[1] ?? tagged;
  if (/^[[{]/.test(inner)) {
    const [, doubled] = /^\{\s*(\{[\s\S]*\})\s*\}$/.exec(inner) ?? [];
    return callsOfJson(parseOrRepairJson(doubled ?? inner)) ?? callsOfLines(inner);
  }
  if (/^<function[\s=]/.test(inner)) return callsInSequence(inner, readFunction);
  if (/^<tool_call>/i.test(inner)) return callsInSequence(inner, readTagged);
  if (/^<(?:[a-z]+:)?invoke/.test(inner)) return callsIn(readInvokes(inner, 0));
  if (/^<[a-z_]/i.test(inner)) return callsOfElements(inner);
  const [, lineName, json] =
    /^([\w.-]+)\s*(?:\n|<tool_sep>)\s*(?:```\w*\s*)?(\{[\s\S]*\})\s*(?:```)?$/.exec(inner) ?? [];
  if (lineName !== undefined) return [{ name: lineName, input: objectOf(parseOrRepairJson(json ?? '')) }];
  const [, name, given = ''] = GLM_CALL.exec(inner) ?? [];
  if (name === undefined) return undefined;
  const pairs = given.replaceAll('longcat_arg', 'arg');
  const found = [...pairs.matchAll(GLM_PAIR)];
  const isWhole =
    pairs.replaceAll(GLM_PAIR, '').trim() === '' && found.every(([, , value = '']) => !GLM_TAG.test(value));
  if (!isWhole) return [{ name }];
  return [{ name, input: Object.fromEntries(found.map(([, key = '', value = '']) => [key, value])) }];
}

const GLM_CALL = /^([\w.-]+)(?:<tool_sep>)?\s*((?:<(?:longcat_)?arg_key>[\s\S]*<\/(?:longcat_)?arg_value>)?)$/;
const GLM_TAG = /<\/?arg_(?:key|value)>/;
const GLM_PAIR = /<arg_key>\s*([^<]*?)\s*<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g;

/** `<name>…</name><arguments>…</arguments>`, or an element with the name of the tool. */
function callsOfElements(text: string): readonly TextCall[] | undefined {
  const members = elementsOf(text);
  if (members === undefined) return undefined;
  const entries = Object.entries(members);
  const [key, value] = entries[0] ?? [];
  if (key === undefined || value === undefined) return undefined;
  if (entries.length === 1 && value.trimStart().startsWith('<') && NAMES.includes(key)) return callsOfElements(value);
  if (!NAMES.includes(key)) return entries.length === 1 ? callsOfElement(key, value) : undefined;
  const name = value.trim();
  const [inputKey, input] = entries[1] ?? [];
  if (inputKey === undefined) return [{ name, input: {} }];
  if (entries.length === 2 && INPUTS.includes(inputKey) && input !== undefined) return callsOfElement(name, input);
  return [{ name, input: Object.fromEntries(entries.slice(1)) }];
}

function callsOfElement(name: string, inner: string): readonly TextCall[] {
  if (inner.trim() === '') return [{ name, input: {} }];
  return [{ name, input: /^\s*\{/.test(inner) ? objectOf(parseOrRepairJson(inner)) : elementsOf(inner) }];
}

/** Undefined unless the text is nothing but such blocks. */
function callsInSequence(text: string, read: BlockReader): readonly TextCall[] | undefined {
  const calls: TextCall[] = [];
  for (let at = 0; at < text.length; ) {
    const block = read(text, at);
    if (block === undefined) return undefined;
    calls.push(...callsIn(block));
    at = block.end + (/^\s*/.exec(text.slice(block.end))?.[0].length ?? 0);
  }
  return calls;
}

function callsOfLines(text: string): readonly TextCall[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const calls = lines.map((line) => callsOfJson(parseOrRepairJson(line)));
  return lines.length > 1 && calls.every((call) => call !== undefined) ? calls.flat() : undefined;
}

function incomplete(text: string): readonly TextCall[] | undefined {
  const name =
    /^\s*\{\s*"name"\s*:\s*"([^"]+)"\s*,/.exec(text)?.[1] ??
    /^\s*<function=([^>\s]+)>/.exec(text)?.[1] ??
    /^\s*<((?:tool_)?name)>\s*([\w.:-]+)\s*<\/\1>/.exec(text)?.[2];
  return name === undefined ? undefined : [{ name }];
}

/** `<invoke name="…">` with parameters, as Anthropic, MiniMax and DeepSeek write it. */
function readInvocations(text: string, at: number): Block | undefined {
  const open = match(/<(?:[|\uff5c]DSML[|\uff5c]|[a-z]+:)?(function_calls|tool_call|tool_calls)>\s*/, text, at);
  const start = at + (open?.[0].length ?? 0);
  if (open === undefined && match(/<(?:[|\uff5c]DSML[|\uff5c]|[a-z]+:)?invoke name=/, text, at) === undefined)
    return undefined;
  const block = readInvokes(text, start);
  if (block === undefined) return undefined;
  const close = match(
    /\s*<\/(?:[|\uff5c]DSML[|\uff5c]|[a-z]+:)?(?:function_calls|tool_call|tool_calls)>/,
    text,
    block.end,
  );
  return { ...block, end: block.end + (close?.[0].length ?? 0) };
}

const INVOKE =
  /\s*<(?:[|\uff5c]DSML[|\uff5c]|[a-z]+:)?invoke name=["']([^"']+)["']>([\s\S]*?)<\/(?:[|\uff5c]DSML[|\uff5c]|[a-z]+:)?invoke>/;

function readInvokes(text: string, at: number): Block | undefined {
  const calls: TextCall[] = [];
  let end = at;
  for (let found = match(INVOKE, text, end); found !== undefined; found = match(INVOKE, text, end)) {
    const [all, name = '', inner = ''] = found;
    const pattern =
      /<(?:[|\uff5c]DSML[|\uff5c]|[a-z]+:)?parameter name=["']([^"']+)["'](?: string="(true|false)")?>([\s\S]*?)<\/(?:[|\uff5c]DSML[|\uff5c]|[a-z]+:)?parameter>/g;
    const isWhole = inner.replaceAll(pattern, '').trim() === '';
    const members = [...inner.matchAll(pattern)].map(([, key = '', isText, value = '']): [string, unknown] => [
      key,
      isText === 'false' ? (parseOrRepairJson(value) ?? value) : value.replace(/^\n|\n$/g, ''),
    ]);
    const isNested = members.some(
      ([, value]) => typeof value === 'string' && /<(?:\S{1,10}:)?parameter name=/.test(value),
    );
    calls.push(isWhole && !isNested ? { name, input: Object.fromEntries(members) } : { name });
    end += all.length;
  }
  if (calls.length > 0) return blockOf(calls, end);
  const name = /^\s*<(?:[|\uff5c]DSML[|\uff5c]|[a-z]+:)?invoke name=["']([^"']+)["']>/.exec(text.slice(at))?.[1];
  return name === undefined ? undefined : blockOf([{ name }], text.length);
}

const DEEPSEEK_CALL = new RegExp(
  `\\s*<${BAR}tool${LOW}call${LOW}begin${BAR}>(?:function<${BAR}tool${LOW}sep${BAR}>)?([\\w.-]+)` +
    `(?:<${BAR}tool${LOW}sep${BAR}>|\\n)([\\s\\S]*?)(?<end><${BAR}tool${LOW}call${LOW}end${BAR}>|$)`,
);

function readDeepSeek(text: string, at: number): Block | undefined {
  const open = match(new RegExp(`<${BAR}tool${LOW}calls${LOW}begin${BAR}>`), text, at);
  return readSequence(text, {
    at: at + (open?.[0].length ?? 0),
    call: DEEPSEEK_CALL,
    close: new RegExp(`\\s*<${BAR}tool${LOW}calls${LOW}end${BAR}>`),
  });
}

function readKimi(text: string, at: number): Block | undefined {
  const open = match(/<\|tool_calls?_section_begin\|>/, text, at);
  return readSequence(text, {
    at: at + (open?.[0].length ?? 0),
    call: /\s*<\|tool_call_begin\|>\s*([\w.:-]+)\s*<\|tool_call_argument_begin\|>([\s\S]*?)(?<end><\|tool_call_end\|>|$)/,
    close: /\s*<\|tool_calls?_section_end\|>/,
  });
}

interface Sequence {
  readonly at: number;
  readonly call: RegExp;
  readonly close: RegExp;
}

function readSequence(text: string, { at, call, close }: Sequence): Block | undefined {
  const calls: TextCall[] = [];
  let end = at;
  for (let found = match(call, text, end); found !== undefined; found = match(call, text, end)) {
    const [all, name = '', json = ''] = found;
    // Without arguments, only the mark of the end shows that none were cut off.
    const none = found.groups?.['end'] ? {} : undefined;
    calls.push({ name, input: json.trim() === '' ? none : objectOf(parseOrRepairJson(json)) });
    end += all.length;
  }
  if (calls.length === 0) return undefined;
  return blockOf(calls, end + (match(close, text, end)?.[0].length ?? 0));
}

const HARMONY =
  /\s*(?:<\|start\|>assistant)?(?: to=([\w.-]+))?<\|channel\|>(\w+)(?: to=([\w.-]+))?[^<]*(?:<\|constrain\|>\w*\s*)?<\|message\|>([\s\S]*?)(?:<\|(?:end|call|return)\|>|(?=<\|start\|>|<\|channel\|>)|$)/;

/** The channels of gpt-oss. */
function readHarmony(text: string, at: number): Block | undefined {
  const pieces: TextPiece[] = [];
  let end = at;
  for (let found = match(HARMONY, text, end); found !== undefined; found = match(HARMONY, text, end)) {
    const [all, before, channel, after, body = ''] = found;
    const name = before ?? after;
    if (name !== undefined) pieces.push({ type: 'call', call: { name, input: objectOf(parseOrRepairJson(body)) } });
    else pieces.push({ type: channel === 'analysis' ? 'thinking' : 'text', text: body });
    end += all.length;
  }
  return pieces.length === 0 ? undefined : { pieces, end };
}

function readPythonTag(text: string, at: number): Block | undefined {
  const found = match(/<\|python_tag\|>([\s\S]*?)(?:<\|e(?:om|ot)_id\|>|$)/, text, at);
  const json = found?.[1] ?? '';
  const calls = callsOf(json);
  return found === undefined || calls === undefined ? undefined : blockOf(calls, at + found[0].length);
}

/** `<read_file><path>a</path></read_file>` of Cline. */
function readElement(text: string, at: number): Block | undefined {
  const name = match(/<([a-z]+(?:_[a-z]+)+)>/, text, at)?.[1];
  if (name === undefined) return undefined;
  const start = at + name.length + 2;
  const closing = `</${name}>`;
  for (let close = text.indexOf(closing, start); close !== -1; close = text.indexOf(closing, close + 1)) {
    const input = elementsOf(text.slice(start, close));
    if (input !== undefined && Object.keys(input).length > 0) return blockOf([{ name, input }], close + closing.length);
  }
  return undefined;
}

const REACT_HEAD =
  /(?:Action ?:|\u273fFUNCTION\u273f ?:) *[`*]*([\w.:-]+)[`*]*[ \t]*\n(?:Action[ _]Input ?:|\u273fARGS\u273f ?:)\s*(?=\{|```|$)/i;
/** Where a text in ReAct can continue after the arguments of a call. */
const REACT_NEXT =
  /\n\s*(?=(?:Observation|Thought|Action|Final Answer|\u273fRESULT\u273f|\u273fRETURN\u273f|\u273fFUNCTION\u273f) ?:)/gi;

function readReAct(text: string, at: number): Block | undefined {
  const found = match(REACT_HEAD, text, at);
  const [all = '', name] = found ?? [];
  if (name === undefined) return undefined;
  const start = at + all.length;
  for (const { index } of text.slice(start).matchAll(REACT_NEXT)) {
    // Only valid JSON shows that the arguments end before the line, which could be part of a text.
    const input = objectOf(parseJson(withoutFence(text.slice(start, start + index))));
    if (input !== undefined) return blockOf([{ name, input }], start + index);
  }
  const json = text.slice(start).replace(/\n\s*(?:Observation ?:?|\u273fRESULT\u273f ?:?)\s*$/i, '');
  const input = objectOf(parseOrRepairJson(json.replace(END_MARKS_AT_END, '')));
  if (input === undefined && /\}\s*\n\s*\S/.test(json)) return undefined;
  return blockOf([{ name, input }], text.length);
}

function withoutFence(text: string): string {
  return /^```\w*\s*([\s\S]*?)\s*```\s*$/.exec(text)?.[1] ?? text;
}

function readMistral(text: string, at: number): Block | undefined {
  const open = match(/\[TOOL_CALLS\]\s*/, text, at);
  if (open === undefined) return undefined;
  const start = at + open[0].length;
  const calls = callsOfJson(parseOrRepairJson(text.slice(start).replace(/(?:<\/s>|\[\/TOOL_CALLS\])\s*$/, '')));
  if (calls !== undefined) return blockOf(calls, text.length);
  return readSequence(text, {
    at,
    call: /(?:\s*\[TOOL_CALLS\])\s*([\w.-]+)(?:\[CALL_ID\]\w+)?(?:\[ARGS\]|\s*(?=\{))([\s\S]*?)(?=(?<end>\[TOOL_CALLS\]|<\/s>|$))/,
    close: /<\/s>/,
  });
}

function callsIn(block: Block | undefined): readonly TextCall[] {
  return (block?.pieces ?? []).flatMap((piece) => (piece.type === 'call' ? [piece.call] : []));
}
