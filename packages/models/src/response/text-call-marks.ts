import { parseOrRepairJson } from '@qwen/protocol';
import { type Block, blockOf, callsOf, match, objectOf } from './text-call-values.js';

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
