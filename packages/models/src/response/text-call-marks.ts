import { parseOrRepairJson } from '@qwen/protocol';
import { type Block, blockOf, callsOf, callsOfJson, match, objectOf } from './text-call-values.js';

const MARKED =
  /(?:<\|START_ACTION\|>([\s\S]*?)<\|END_ACTION\|>|<\|tool_call_start\|>([\s\S]*?)<\|tool_call_end\|>|<\|action_start\|>\s*<\|plugin\|>([\s\S]*?)<\|action_end\|>|<function_calls>([\s\S]*?)<\/function_calls>)/;

/** JSON or a list in Python between marks, as Command, LFM, InternLM and OLMo write it. */
export function readMarked(text: string, at: number): Block | undefined {
  const found = match(MARKED, text, at);
  const inner = found?.slice(1).find((group) => group !== undefined) ?? '';
  const calls = callsOf(inner);
  return found === undefined || calls === undefined ? undefined : blockOf(calls, at + found[0].length);
}

/** `<|tool_call>call:read_file{file_path:<|"|>a.ts<|"|>}<tool_call|>` */
export function readGemma(text: string, at: number): Block | undefined {
  const found = match(
    /(?:<\|tool_call>|<start_function_call>)call:([\w.-]+)(\{[\s\S]*?\})(?:<tool_call\|>|<end_function_call>)/,
    text,
    at,
  );
  const [all, name, written = ''] = found ?? [];
  if (all === undefined || name === undefined) return undefined;
  const json = written.replaceAll(
    /(<\|"\|>|<escape>)([\s\S]*?)\1|([A-Za-z_]\w*)\s*:/g,
    (...[, , value, key]: (string | undefined)[]) =>
      key === undefined ? JSON.stringify(value) : `${JSON.stringify(key)}:`,
  );
  return blockOf([{ name, input: objectOf(parseOrRepairJson(json)) }], at + all.length);
}

const REQUEST_ENDS: ReadonlyMap<string, RegExp> = new Map([
  ['[TOOL_REQUEST]', /\[END_TOOL_REQUEST\]/gi],
  ['[TOOL_CALL]', /\[\/TOOL_CALL\]/gi],
]);

/** `[TOOL_REQUEST]{…}[END_TOOL_REQUEST]` of LM Studio. */
export function readRequest(text: string, at: number): Block | undefined {
  const open = match(/\[(?:TOOL_REQUEST|TOOL_CALL)\]/i, text, at)?.[0];
  const closing = REQUEST_ENDS.get(open?.toUpperCase() ?? '');
  if (open === undefined || closing === undefined) return undefined;
  const start = at + open.length;
  const rest = text.slice(start);
  for (const { index, 0: mark } of rest.matchAll(closing)) {
    const calls = callsOfJson(parseOrRepairJson(rest.slice(0, index).trim()));
    if (calls !== undefined) return blockOf(calls, start + index + mark.length);
  }
  const calls = callsOfJson(parseOrRepairJson(rest.trim()));
  if (calls !== undefined) return blockOf(calls, text.length);
  const name = /^\s*\[?\s*\{\s*"name"\s*:\s*"([^"]+)"/.exec(rest)?.[1];
  return name === undefined ? undefined : blockOf([{ name }], text.length);
}
