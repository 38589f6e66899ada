import { parseOrRepairJson } from '@qwen/protocol';
import { type Block, blockOf, match, objectOf } from './text-call-values.js';

/** Whether a call that ends there had tags of Qwen3-Coder in a value, so that it could end in several places. */
export function leavesTags(text: string, end: number): boolean {
  const rest = text.slice(end);
  const [next = ''] = rest.split(/<tool_call>|<function[\s=]/, 1);
  const count = (pattern: RegExp) => rest.match(pattern)?.length ?? 0;
  return /<\/(?:parameter|function)>/.test(next) || count(/<\/parameter>/g) > count(/<parameter[\s=]/g);
}

const FUNCTION_END = /<\/function>(?=\s*(?:<\/tool_call>|<tool_call>|<function=|$)|[^\S\n]*\n)/g;

/** The first one after a whole parameter: a value can contain this tag too. */
function functionEnd(text: string): RegExpExecArray | undefined {
  const ends = [...text.matchAll(FUNCTION_END)];
  return ends.find(({ index }) => /<\/parameter>\s*$/.test(text.slice(Math.max(index - 100, 0), index))) ?? ends[0];
}

/** Qwen3-Coder, or Llama with JSON between the tags. */
export function readFunction(text: string, at: number): Block | undefined {
  const open = match(/<function(?:\s*=|\s+name\s*=)\s*["']?([^>\s"']+)["']?\s*(?:>|(?=\n<parameter))/, text, at);
  const name = open?.[1];
  if (open === undefined || name === undefined) return undefined;
  const start = at + open[0].length;
  const close = functionEnd(text.slice(start));
  if (close === undefined) return blockOf([{ name }], text.length);
  const inner = text.slice(start, start + close.index);
  const end = start + close.index + close[0].length;
  if (leavesTags(text, end)) return blockOf([{ name }], text.length);
  const stray = match(/\s*<\/tool_call>/, text, end)?.[0].length ?? 0;
  const isInTag = /<tool_call>\s*$/.test(text.slice(0, at));
  return blockOf([{ name, input: parametersOf(inner) }], isInTag ? end : end + stray);
}

function parametersOf(inner: string): Readonly<Record<string, unknown>> | undefined {
  if (/^\s*\{/.test(inner)) return objectOf(parseOrRepairJson(inner));
  const members = new Map<string, string>();
  for (let at = 0; at < inner.length; ) {
    const [all = '', written = '', given = ''] = match(PARAMETER, inner, at) ?? [];
    const key = written.trim();
    if (all === '') return inner.slice(at).trim() === '' ? Object.fromEntries(members) : undefined;
    if (members.has(key) || hasOwnTags(given)) return undefined;
    members.set(key, given.replaceAll(/^\n|\n$/g, ''));
    at += all.length;
  }
  return Object.fromEntries(members);
}

const PARAMETER =
  /\s*<parameter(?:\s*=|\s+name\s*=)\s*["']?([^>\n"']+)["']?>([\s\S]*?)(?:<\/parameter>\s*(?=<parameter[\s=]|$)|$)/;

function hasOwnTags(value: string): boolean {
  if (/<\/parameter>|<function=/.test(value)) return true;
  const tag = value.startsWith('\n') ? /^[^\S\n]*<parameter[\s=]|<parameter[\s=][^>\n]*>[^\S\n]*$/m : /<parameter[\s=]/;
  return tag.test(value);
}
