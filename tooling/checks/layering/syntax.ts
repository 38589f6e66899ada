import { parseAst } from 'vitest/node';

/** A node of the syntax tree, as far as the rules look at it. */
export interface SyntaxNode {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** What a file is written in, as its ending says. */
export type SourceLanguage = 'ts' | 'tsx';

export function parse(text: string, lang: SourceLanguage): SyntaxNode {
  const program: unknown = parseAst(text, { lang });
  if (!isNode(program)) throw new Error('the parser gave no program');
  return program;
}

/** Every node of the tree, parents first. */
export function* allNodes(node: SyntaxNode): Generator<SyntaxNode> {
  yield node;
  for (const child of childNodes(node)) yield* allNodes(child);
}

export function* childNodes(node: SyntaxNode): Generator<SyntaxNode> {
  for (const value of Object.values(node)) {
    for (const item of Array.isArray(value) ? value : [value]) if (isNode(item)) yield item;
  }
}

/** The name of an identifier, or the last name of a member expression. */
export function nameOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  if (value.type === 'MemberExpression') return nameOf(value['property']);
  return typeof value['name'] === 'string' ? value['name'] : undefined;
}

/** The text of a string literal. */
export function literal(value: unknown): string | undefined {
  return isNode(value) && typeof value['value'] === 'string' ? value['value'] : undefined;
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
