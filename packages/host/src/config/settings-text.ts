import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';

/** 1-based. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

export type ReadSettingsText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string; readonly place: TextPosition };

/** For people; any other problem is "not valid JSON". */
const PROBLEMS: ReadonlyMap<string, string> = new Map([
  ['InvalidSymbol', 'unexpected word'],
  ['PropertyNameExpected', 'expected a member name in double quotes'],
  ['ValueExpected', 'expected a value'],
  ['ColonExpected', 'expected a colon'],
  ['CommaExpected', 'expected a comma'],
  ['CloseBraceExpected', 'expected }'],
  ['CloseBracketExpected', 'expected ]'],
  ['EndOfFileExpected', 'unexpected text after the end'],
  ['UnexpectedEndOfComment', 'unterminated comment'],
  ['UnexpectedEndOfString', 'unterminated string'],
]);

/** Reads JSON with comments and trailing commas. Never quotes the text: it may contain a secret. */
export function readSettingsText(text: string): ReadSettingsText {
  const { tree, error } = parse(text);
  if (tree !== undefined && error === undefined) return { ok: true, value: getNodeValue(tree) };
  const problem =
    error === undefined
      ? 'expected a value'
      : (PROBLEMS.get(printParseErrorCode(error.error)) ?? 'this is not valid JSON');
  return { ok: false, problem, place: placeOf(text, error?.offset ?? 0) };
}

export function recoverSettings(text: string): unknown {
  const { tree } = parse(text);
  return tree === undefined ? undefined : getNodeValue(tree);
}

/** The position of a path's value, or of the nearest node around it. Undefined for text that is not JSON. */
export function findPlace(text: string, path: readonly (string | number)[]): TextPosition | undefined {
  const { tree } = parse(text);
  if (tree === undefined) return undefined;
  for (let length = path.length; length >= 0; length -= 1) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node !== undefined) return placeOf(text, beginOf(node));
  }
  return undefined;
}

function beginOf(node: Node): number {
  return node.parent?.type === 'property' ? node.parent.offset : node.offset;
}

function parse(text: string): { readonly tree?: Node | undefined; readonly error?: ParseError | undefined } {
  const errors: ParseError[] = [];
  try {
    const tree = parseTree(text, errors, { allowTrailingComma: true });
    return { tree, error: errors[0] };
  } catch {
    // Nested too deeply for the stack.
    return {};
  }
}

function placeOf(text: string, offset: number): TextPosition {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
