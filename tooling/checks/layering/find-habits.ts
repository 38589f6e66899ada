import { allNodes, isNode, literal, nameOf, type SyntaxNode } from './syntax.js';

const MOST_LINES = { source: 350, test: 400 };

export interface HabitQuestion {
  readonly isTest: boolean;
  /** The tree of the text. */
  readonly program: SyntaxNode;
}

/** Forbidden patterns in a file, as short texts. */
export function findHabits(text: string, { isTest, program }: HabitQuestion): string[] {
  const lines = text.trimEnd().split('\n').length;
  const most = isTest ? MOST_LINES.test : MOST_LINES.source;
  const isPrinted = text.startsWith('// Printed:');
  const found = lines > most && !isPrinted ? [`${lines} lines, more than ${most}`] : [];
  const tables = new Set<string>();
  for (const node of allNodes(program)) {
    const table = isTest ? undefined : openTableOf(node);
    if (table !== undefined && !text.includes(`Object.hasOwn(${table}`)) tables.add(table);
    if (tables.has(lookedUpIn(node) ?? '')) found.push('a lookup that also finds "constructor": use a Map');
    if (isMutableStatic(node)) found.push('static state that changes');
    if (!isTest && isUncheckedCast(node)) found.push('a cast where data should be parsed');
    if (isTest && isModuleMock(node)) found.push('a module mock');
    if (isTest && isPartialRun(node)) found.push('a test that is skipped or runs alone');
  }
  return found;
}

/** The name of a constant of the type `Record<string, …>`. */
function openTableOf(node: SyntaxNode): string | undefined {
  if (node.type !== 'VariableDeclarator' || !isNode(node['id'])) return undefined;
  const name = nameOf(node['id']) ?? '';
  return /^[A-Z][A-Z\d_]*$/.test(name) && [...allNodes(node['id'])].some(isOpenRecord) ? name : undefined;
}

function isOpenRecord(node: SyntaxNode): boolean {
  if (node.type !== 'TSTypeReference' || nameOf(node['typeName']) !== 'Record') return false;
  const parameters = node['typeArguments'];
  const [key] = isNode(parameters) && Array.isArray(parameters['params']) ? parameters['params'] : [];
  return isNode(key) && key.type === 'TSStringKeyword';
}

function lookedUpIn(node: SyntaxNode): string | undefined {
  if (node.type !== 'MemberExpression' || node['computed'] !== true) return undefined;
  return literal(node['property']) === undefined ? nameOf(node['object']) : undefined;
}

function isMutableStatic(node: SyntaxNode): boolean {
  return node.type === 'PropertyDefinition' && node['static'] === true && node['readonly'] !== true;
}

/** `JSON.parse(…) as T` and `… as unknown as T`. */
function isUncheckedCast(node: SyntaxNode): boolean {
  if (node.type !== 'TSAsExpression') return false;
  const inner = node['expression'];
  if (!isNode(inner)) return false;
  if (inner.type === 'TSAsExpression') return true;
  const callee = inner.type === 'CallExpression' ? inner['callee'] : undefined;
  const target = node['typeAnnotation'];
  const becomesUnknown = isNode(target) && target.type === 'TSUnknownKeyword';
  return isNode(callee) && nameOf(callee) === 'parse' && nameOf(callee['object']) === 'JSON' && !becomesUnknown;
}

function isModuleMock(node: SyntaxNode): boolean {
  if (node.type !== 'MemberExpression' || nameOf(node['object']) !== 'vi') return false;
  return ['mock', 'doMock', 'hoisted'].includes(nameOf(node['property']) ?? '');
}

function isPartialRun(node: SyntaxNode): boolean {
  if (node.type !== 'MemberExpression') return false;
  const [object, property] = [nameOf(node['object']) ?? '', nameOf(node['property']) ?? ''];
  return ['test', 'it', 'describe'].includes(object) && ['only', 'skip', 'todo', 'fails'].includes(property);
}
