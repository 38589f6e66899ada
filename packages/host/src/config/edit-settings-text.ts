import { AgentError } from '@qwen/protocol';
import { applyEdits, type Edit, type Node, type ParseError, parseTree } from 'jsonc-parser';

export interface SettingsEdit {
  /** Member names and list indexes; at least one. The index after the last item appends. */
  readonly path: readonly (string | number)[];
  /** Plain JSON; `undefined` removes the member. */
  readonly value: unknown;
}

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Changes one member; the rest stays byte for byte. Empty text is an empty object. Throws `invalid_settings` for text
 * that is not an object. Pure.
 */
export function editSettingsText(source: string, text: string, { path, value }: SettingsEdit): string {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const body = text.slice(mark.length);
  const json = body.trim() === '' ? '{}\n' : body;
  const errors: ParseError[] = [];
  const root = parseTree(json, errors, { allowTrailingComma: true });
  if (root === undefined || errors.length > 0) throw notUnderstood(source, 'it is not valid JSON');
  return mark + applyEdits(json, findEdits({ source, json, node: root, done: [] }, path, value));
}

interface EditContext {
  readonly source: string;
  readonly json: string;
  readonly node: Node;
  readonly done: SettingsEdit['path'];
}

function findEdits(place: EditContext, [key = '', ...further]: SettingsEdit['path'], value: unknown): Edit[] {
  const { source, json, node, done } = place;
  if (node.type !== (typeof key === 'string' ? 'object' : 'array')) {
    throw notUnderstood(source, `${done.join('.') || 'it'} does not have the expected type`);
  }
  const { member, held } = findMember(node, key);
  if (member === undefined || held === undefined) {
    return value === undefined ? [] : insertion(json, node, { key, value: wrap(further, value) });
  }
  if (further.length > 0) return findEdits({ ...place, node: held, done: [...done, key] }, further, value);
  if (value === undefined) return removal(json, node, member);
  const text = memberText(value, indentationOf(json, member.offset));
  return [{ offset: held.offset, length: held.length, content: text }];
}

function findMember({ children = [] }: Node, key: string | number) {
  if (typeof key === 'number') return { member: children[key], held: children[key] };
  const member = children.findLast(({ children: [name] = [] }) => name?.value === key);
  return { member, held: member?.children?.[1] };
}

function wrap(keys: SettingsEdit['path'], value: unknown): unknown {
  return keys.reduceRight((inner: unknown, key) => (typeof key === 'number' ? [inner] : { [key]: inner }), value);
}

function insertion(json: string, { offset, length, children = [] }: Node, member: NewMember): Edit[] {
  const last = children.at(-1);
  const outer = indentationOf(json, offset);
  const isOneLine = last !== undefined && !json.slice(offset, offset + length).includes('\n');
  const inner = last === undefined ? { ...outer, depth: outer.depth + outer.unit } : indentationOf(json, last.offset);
  const name = typeof member.key === 'string' ? `${JSON.stringify(member.key)}: ` : '';
  const written = name + (isOneLine ? JSON.stringify(member.value) : memberText(member.value, inner));
  const begin = last === undefined ? offset + 1 : endOf(last);
  const { comma, lineEnd } = readGap(json, begin);
  if (isOneLine) return [{ offset: begin, length: 0, content: `, ${written}` }];
  const closes = last === undefined && !json.slice(lineEnd, offset + length).includes('\n');
  const content = `${inner.eol}${inner.depth}${written}${closes ? outer.eol + outer.depth : ''}`;
  if (last === undefined) return [{ offset: lineEnd, length: 0, content }];
  // Keeps a trailing comma trailing.
  if (comma !== undefined) return [{ offset: Math.max(lineEnd, comma + 1), length: 0, content: `${content},` }];
  return [
    { offset: begin, length: 0, content: ',' },
    { offset: lineEnd, length: 0, content },
  ];
}

interface NewMember {
  readonly key: string | number;
  readonly value: unknown;
}

/** Including the preceding white space and one comma. */
function removal(json: string, { children = [] }: Node, member: Node): Edit[] {
  const before = children[children.indexOf(member) - 1];
  const { comma } = readGap(json, endOf(member));
  const [space = ''] = /\s*$/.exec(json.slice(0, member.offset)) ?? [];
  const begin = member.offset - space.length;
  const whole = { offset: begin, length: (comma === undefined ? endOf(member) : comma + 1) - begin, content: '' };
  const commaBefore = before === undefined ? undefined : readGap(json, endOf(before)).comma;
  if (comma !== undefined || commaBefore === undefined) return [whole];
  // The comma may start the removed range.
  return [{ offset: commaBefore, length: 1, content: '' }, whole];
}

interface Gap {
  readonly comma?: number;
  /** The end of the line, or of the text before a bracket, without white space. */
  readonly lineEnd: number;
}

const BETWEEN_MEMBERS = /\n|[^\S\n]+|,|\/\/[^\n\r]*|\/\*[^]*?\*\//y;

function readGap(json: string, begin: number): Gap {
  let comma: number | undefined;
  let lineEnd: number | undefined;
  let shown = begin;
  BETWEEN_MEMBERS.lastIndex = begin;
  for (let found = BETWEEN_MEMBERS.exec(json); found !== null; found = BETWEEN_MEMBERS.exec(json)) {
    const [text] = found;
    if (text === ',') comma = found.index;
    if (text === '\n') lineEnd ??= shown;
    if (text.trim() !== '') shown = found.index + text.length;
    // After the comma, comments on the next line belong to the next member.
    if (comma !== undefined && lineEnd !== undefined) break;
  }
  return { lineEnd: lineEnd ?? shown, ...(comma !== undefined && { comma }) };
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function notUnderstood(source: string, problem: string): AgentError {
  return new AgentError('invalid_settings', `${source} is invalid and was not changed: ${problem}`, {
    data: { path: source, problem },
  });
}

interface Indentation {
  readonly depth: string;
  /** Indentation per level. */
  readonly unit: string;
  readonly eol: string;
}

/** Two spaces per level when unknown. */
function indentationOf(json: string, offset: number): Indentation {
  const line = json.slice(json.lastIndexOf('\n', offset - 1) + 1, offset);
  const [depth = ''] = /^[^\S\n]*/.exec(line) ?? [];
  const [, unit = '  '] = /\n([ \t]+)\S/.exec(json) ?? [];
  return { depth, unit, eol: json.includes('\r\n') ? '\r\n' : '\n' };
}

function memberText(value: unknown, { depth, unit, eol }: Indentation): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', eol + depth);
}
