import {
  bareToolName,
  canonicalToolName,
  isJsonObject,
  parseJson,
  parseOrRepairJson,
  repairJson,
  toolNameKey,
} from '@qwen/protocol';

/** A call that a model wrote as text. Without `input`, it is incomplete. */
export interface TextCall {
  readonly name: string;
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

/** `[read_file(path="a"), …]`, as Llama writes calls, or one without brackets. */
function callsOfPython(text: string): readonly TextCall[] | undefined {
  const written = text.trim().replace(/^<\|python_start\|>|<\|python_end\|>$/g, '');
  const printed = /^print\(([\s\S]*)\)$/.exec(written)?.[1] ?? written;
  const list = (/^\[([\s\S]*)\]$/.exec(printed)?.[1] ?? printed).replace(/,?\s*$/, '');
  const calls: TextCall[] = [];
  for (let at = 0; at < list.length; ) {
    const open = match(/\s*([A-Za-z_][\w.-]*?)(?:\.call)?\(/, list, at);
    const start = at + (open?.[0].length ?? 0);
    const end = endOfArguments(list, start);
    const name = open?.[1];
    if (name === undefined || end === undefined) return undefined;
    const input = objectOf(parseOrRepairJson(`{${withNamesQuoted(list.slice(start, end))}}`));
    const next = match(/\s*(?:,|\n|$)/, list, end + 1);
    if (input === undefined || next === undefined) return undefined;
    calls.push({ name, input });
    at = end + 1 + next[0].length;
  }
  return calls.length === 0 ? undefined : calls;
}

const PYTHON_TOKEN =
  /("{3}|'{3})[\s\S]*?\1|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|[()[\]{}]|([A-Za-z_]\w*)\s*=(?!=)/g;

function endOfArguments(text: string, start: number): number | undefined {
  let depth = 0;
  const tokens = new RegExp(PYTHON_TOKEN);
  tokens.lastIndex = start;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    if (/^[([{]$/.test(found[0])) depth += 1;
    if (!/^[)\]}]$/.test(found[0])) continue;
    if (depth === 0) return found[0] === ')' ? found.index : undefined;
    depth -= 1;
  }
  return undefined;
}

function withNamesQuoted(text: string): string {
  return text.replaceAll(PYTHON_TOKEN, (token, _quotes, name?: string) =>
    name === undefined ? token : `${JSON.stringify(name)}:`,
  );
}

export const NAMES = ['name', 'function', 'tool', 'tool_name', 'function_name'];
export const INPUTS = ['arguments', 'parameters', 'args', 'input', 'params'];

export function callsOfJson(value: unknown): readonly TextCall[] | undefined {
  if (Array.isArray(value)) {
    const calls = value.map(callOf);
    return calls.length > 0 && calls.every((call) => call !== undefined) ? calls : undefined;
  }
  const list = objectOf(value)?.['tool_calls'];
  if (Array.isArray(list)) return callsOfJson(list);
  const call = callOf(value);
  return call === undefined ? undefined : [call];
}

/** JSON of calls, also several between semicolons as Llama writes them, or a list in Python. */
export function callsOf(text: string): readonly TextCall[] | undefined {
  return (
    callsOfJson(parseJson(text)) ?? callsOfSemicolons(text) ?? callsOfJson(repairJson(text)) ?? callsOfPython(text)
  );
}

function callsOfSemicolons(text: string): readonly TextCall[] | undefined {
  const calls = text.split(/;\s*(?=\{)/).map((json) => callsOfJson(parseJson(json)));
  return calls.every((call) => call !== undefined) ? calls.flat() : undefined;
}

function callOf(value: unknown): TextCall | undefined {
  const object = objectOf(value);
  if (object === undefined) return undefined;
  const inner = objectOf(object['function']);
  if (inner !== undefined) return callOf(inner);
  const name = NAMES.map((key) => object[key]).find((text) => typeof text === 'string');
  const key = INPUTS.find((member) => Object.hasOwn(object, member));
  if (name === undefined || key === undefined) return undefined;
  const input = object[key];
  // The definition of a tool.
  if (isJsonObject(input) && input['type'] === 'object' && isJsonObject(input['properties'])) return undefined;
  return { name, input: typeof input === 'string' ? objectOf(parseOrRepairJson(input)) : objectOf(input ?? {}) };
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** At this position only. */
export function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  const sticky = new RegExp(pattern.source, `y${pattern.flags}`);
  sticky.lastIndex = at;
  return sticky.exec(text) ?? undefined;
}

export type TextPiece =
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  | { readonly type: 'call'; readonly call: TextCall };

export interface TextCallOptions {
  readonly names: readonly string[];
  readonly isRepeated: (text: string) => boolean;
  /** The text of the answer before. Default: none. */
  readonly before?: string;
}

export function withOfferedName(piece: TextPiece, names: readonly string[]): TextPiece {
  if (piece.type !== 'call') return piece;
  return { type: 'call', call: { ...piece.call, name: offeredName(piece.call.name, names) ?? piece.call.name } };
}

export function offeredName(written: string, names: readonly string[]): string | undefined {
  const bare = bareToolName(written);
  const canonical = canonicalToolName(bare);
  return (
    names.find((name) => name === bare || name === canonical) ?? names.find((n) => toolNameKey(n) === toolNameKey(bare))
  );
}

export interface Block {
  readonly pieces: readonly TextPiece[];
  readonly end: number;
}

export function blockOf(calls: readonly TextCall[], end: number): Block {
  return { pieces: calls.map((call) => ({ type: 'call', call })), end };
}

/** Undefined unless the text is nothing but elements. A value that has its own tags could end in several places. */
export function elementsOf(text: string): Readonly<Record<string, string>> | undefined {
  const members = new Map<string, string>();
  const pattern = /\s*<([A-Za-z_][\w.-]*)>([\s\S]*?)<\/\1>\s*(?=<[A-Za-z_][\w.-]*>|$)/y;
  while (pattern.lastIndex < text.length) {
    const [, key, value] = pattern.exec(text) ?? [];
    if (key === undefined || value === undefined) return undefined;
    if (members.has(key) || value.includes(`<${key}>`) || value.includes(`</${key}>`)) return undefined;
    members.set(key, value.replaceAll(/^\n|\n$/g, ''));
  }
  return Object.fromEntries(members);
}
