import { parseOrRepairJson } from '@qwen/protocol';
import { readTaggedCalls } from './text-call-forms.js';
import {
  callsOf,
  objectOf,
  offeredName,
  type TextCall,
  type TextCallOptions,
  type TextPiece,
  withOfferedName,
} from './text-call-values.js';

const JSON_START =
  /^\s*\[?\s*(?:\{\s*(?:"(?:n(?:a(?:m(?:e(?:".*)?)?)?)?|t(?:y(?:p(?:e(?:".*)?)?)?)?|f(?:u.*)?|t(?:o.*)?)?)?)?$/s;
const PYTHON_START =
  /^\s*(?:<\|python_start\|>.*|`{1,2}|```(?:t(?:o(?:o(?:l(?:_.*)?)?)?)?)?|\[\s*(?:[A-Za-z_][\w.-]*(?:\(\s*(?:\)|[A-Za-z_]\w*\s*(?:=.*)?)?)?)?[\],\s]*)?$/s;
const NAMED_START =
  /^\s*(?:functools\[.*|(?:>>>)?[A-Za-z_][\w.:-]{0,80}(?:\[[A-Z].*|\[|\{.*|\n(?:[<{].*)?|\(\s*(?:\{.*|[A-Za-z_]\w*\s*(?:=.*)?|\).*)?))$/s;
/** Tools start with a small letter. An answer that starts with a capital is shown at once. */
const NAME_START = /^\s*(?:>{1,3}|(?:>>>)?[a-z_][\w.:-]{0,80})$/;
/** gpt-oss without some or all of its marks. */
const CHANNEL_START = /^\s*(?:assistant)?(?:analysis[A-Z].*|<.*|(?:commentary)?\s*(?:t|to|to=.*|<.*)?)$/s;
const STARTS = [JSON_START, PYTHON_START, NAMED_START, NAME_START, CHANNEL_START];
/** It decides; reading all of a long text for each delta would take quadratic time. */
const START_LENGTH = 400;

export function mayBeWhole(text: string): boolean {
  const start = text.slice(0, START_LENGTH);
  return STARTS.some((pattern) => pattern.test(start));
}

export function readWhole(text: string, options: TextCallOptions): readonly TextPiece[] | undefined {
  if (!mayBeWhole(text) || options.isRepeated(text.trim())) return undefined;
  const written = text.replace(/(?:<\|(?!python_end)\w+\|>|<\/s>)\s*$/, '').trim();
  const channels = readChannels(written, options.names);
  if (channels !== undefined) return channels;
  const inner = /^```tool_(?:code|calls?)\s*\n([\s\S]*?)\n?```$/.exec(written)?.[1] ?? written;
  const calls = callsOf(inner.replace(/^functools(?=\[)/, '')) ?? callsAfterName(inner);
  const isClear = calls?.every(
    (call) => call.input !== undefined && offeredName(call.name, options.names) !== undefined,
  );
  if (calls === undefined || isClear !== true) return undefined;
  return calls.map((call) => withOfferedName({ type: 'call', call }, options.names));
}

const NAMED =
  /^(?:>>>)?([A-Za-z_][\w.-]*)(?::\d+)?(?:\[CALL_ID\]\w+)?(?:\[ARGS\]|\s*\n)?\s*(?:\((\{[\s\S]*\})\)|(\{[\s\S]*\}))$/;

/** `functions.read_file:0{…}` of Kimi, `read_file[ARGS]{…}` of Mistral, and GLM, each without its first marks. */
function callsAfterName(text: string): readonly TextCall[] | undefined {
  if (/<\/arg_value>\s*<\/tool_call>$/.test(text)) return readTaggedCalls(text.replace(/<\/tool_call>$/, '').trim());
  const [, name, given, plain] = NAMED.exec(text) ?? [];
  return name === undefined ? undefined : [{ name, input: objectOf(parseOrRepairJson(given ?? plain ?? '')) }];
}

const HEADER =
  /(?:<\|start\|>)?(?:assistant)?(?:<\|channel\|>)?(?:commentary|analysis)?\s*to=functions\.([\w.-]+)(?:<\|channel\|>\w+)?\s*(?:<\|constrain\|>)?(?:json|code)?\s*(?:<\|message\|>)?\s*(\{[\s\S]*\})$/;

function readChannels(text: string, names: readonly string[]): readonly TextPiece[] | undefined {
  const [, thinking = '', rest = text] =
    /^(?:assistant)?analysis([A-Z][\s\S]*?)(assistant(?:commentary|final)[\s\S]*)$/.exec(text) ?? [];
  const found = new RegExp(`^${HEADER.source}`).exec(rest);
  const [, written = '', json = ''] = found ?? [];
  const thought: readonly TextPiece[] = thinking === '' ? [] : [{ type: 'thinking', text: thinking }];
  if (found === null) {
    const answer = thinking === '' ? undefined : /^assistantfinal([\s\S]*)$/.exec(rest)?.[1];
    return answer === undefined ? undefined : [...thought, { type: 'text', text: answer }];
  }
  const name = offeredName(written, names) ?? offeredName(written.replace(/(?:json|code)$/, ''), names);
  const input = objectOf(parseOrRepairJson(json));
  return name === undefined || input === undefined ? undefined : [...thought, { type: 'call', call: { name, input } }];
}
