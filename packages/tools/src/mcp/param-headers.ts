const TOKEN = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];
const PLAIN_VALUE = /^(?! )[\x20-\x7e]+(?<! )$/;
const ENCODED = /^=\?base64\?.*\?=$/;

interface Declaration {
  readonly path: readonly string[];
  readonly name: string;
}

/** Members of the input that a modern HTTP server also wants as headers (`x-mcp-header`); undefined if invalid. */
export function declaredHeaders(inputSchema: unknown): readonly Declaration[] | undefined {
  const found: Declaration[] = [];
  const names = new Set<string>();
  let isValid = true;
  const visit = (node: unknown, path: readonly string[] | undefined): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      for (const one of node) visit(one, undefined);
      return;
    }
    const schema = node as Record<string, unknown>;
    const name = schema['x-mcp-header'];
    if (name !== undefined) {
      const isFit = path !== undefined && path.length > 0 && typeof name === 'string' && TOKEN.test(name);
      const isNew = typeof name === 'string' && !names.has(name.toLowerCase());
      if (!isFit || !isNew || !TYPES.includes(schema['type'])) {
        isValid = false;
        return;
      }
      names.add(name.toLowerCase());
      found.push({ path, name });
    }
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword !== 'properties') {
        if (!DATA.has(keyword)) visit(value, undefined);
      } else if (typeof value === 'object' && value !== null) {
        for (const [member, child] of Object.entries(value)) visit(child, path && [...path, member]);
      }
    }
  };
  visit(inputSchema, []);
  return isValid ? found : undefined;
}

/** Keywords whose values are not schemas. */
const DATA = new Set(['default', 'const', 'enum', 'examples']);

/** For one call. Missing members send no header. */
export function paramHeaders(inputSchema: unknown, input: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, name } of declaredHeaders(inputSchema) ?? []) {
    const value = path.reduce<unknown>((node, member) => memberOf(node, member), input);
    if (typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)) {
      headers[`Mcp-Param-${name}`] = encode(String(value));
    }
  }
  return headers;
}

function memberOf(node: unknown, member: string): unknown {
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, member)) return undefined;
  return (node as Record<string, unknown>)[member];
}

function encode(value: string): string {
  if (PLAIN_VALUE.test(value) && !ENCODED.test(value)) return value;
  return `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
