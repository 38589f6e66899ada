import { mkdir, writeFile } from 'node:fs/promises';
import { BUILTIN_TOOL_NAMES, type BuiltinToolName, TOOL_TABLE, toolAliases } from '@qwen/protocol';
import { builtinTools } from '@qwen/tools';

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly default?: unknown;
  readonly [keyword: string]: unknown;
}

const KINDS = {
  read: 'reads only',
  edit: 'changes files',
  execute: 'runs programs',
  network: 'opens connections',
  other: 'unknown effects',
} as const;

/** Keywords that a row states beside type and description. */
const LIMITS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern'] as const;

export async function writeToolPages(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [file, text] of toolPages()) await writeFile(`${folder}/${file}`, text);
}

/** With those that some sessions lack. */
export function documentedTools() {
  const skills = { names: ['release'], open: () => Promise.reject(new Error('Only described here.')) };
  const webSearch = { provider: 'searxng', url: 'https://search.example' } as const;
  return builtinTools({ answersQuestions: true, skills, webSearch });
}

/** The text of each page by its file name, from the tools as the model sees them. */
export function toolPages(): ReadonlyMap<string, string> {
  const tools = new Map(documentedTools().map((tool) => [tool.name, tool]));
  const pages = new Map<string, string>();
  for (const name of BUILTIN_TOOL_NAMES) {
    const tool = tools.get(name);
    if (tool === undefined) throw new Error(`The tool ${name} has no code.`);
    pages.set(`${name}.md`, toolPage(name, tool.description, tool.inputSchema));
  }
  pages.set('index.md', indexPage());
  return pages;
}

function indexPage(): string {
  const rows = BUILTIN_TOOL_NAMES.map(
    (name) => `| [\`${name}\`](${name}.md) | ${TOOL_TABLE[name].title} | ${KINDS[TOOL_TABLE[name].kind]} |`,
  );
  return `# Built-in tools

The model calls these tools. [Permission rules](../permissions.md) decide which calls need approval; MCP servers and
[the SDK](../sdk.md) add more tools.

| name | title | effect |
|---|---|---|
${rows.join('\n')}
`;
}

function toolPage(name: BuiltinToolName, description: string, schema: Schema): string {
  const aliases = toolAliases(name).map((alias) => `\`${alias}\``);
  return `# \`${name}\`

${description}

| | |
|---|---|
| Title | ${TOOL_TABLE[name].title} |
| Effect | ${KINDS[TOOL_TABLE[name].kind]} |
${aliases.length === 0 ? '' : `| Other names in rules | ${aliases.join(', ')} |\n`}
## Input

| member | type | required | description |
|---|---|---|---|
${rowsOf(schema).join('\n')}

::: details JSON Schema
\`\`\`json
${JSON.stringify(schema, null, 2)}
\`\`\`
:::
`;
}

/** One row per member; members of nested objects follow theirs, by path. */
function rowsOf(schema: Schema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    const required = schema.required?.includes(name) === true ? 'yes' : 'no';
    const row = `| \`${path}\` | ${cell(typeOf(member))} | ${required} | ${cell(detailsOf(member))} |`;
    const nested = member.items ?? member;
    return [row, ...rowsOf(nested, `${path}${member.items === undefined ? '.' : '[].'}`)];
  });
}

function typeOf({ type, enum: values, items, anyOf }: Schema): string {
  if (values !== undefined) return values.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (items !== undefined) return `array of ${typeOf(items)}`;
  if (type === undefined) return 'any';
  return typeof type === 'string' ? type : type.join(' or ');
}

function detailsOf(schema: Schema): string {
  const limits = LIMITS.filter((keyword) => schema[keyword] !== undefined && !isNonEmpty(keyword, schema[keyword])).map(
    (keyword) => `\`${keyword}\` ${JSON.stringify(schema[keyword])}`,
  );
  const fallback = schema.default === undefined ? [] : [`default \`${JSON.stringify(schema.default)}\``];
  return [schema.description ?? '', [...limits, ...fallback].join(', ')].filter((text) => text !== '').join(' ');
}

/** Texts and lists may hardly ever be empty: that is no news. */
function isNonEmpty(keyword: string, value: unknown): boolean {
  return /^min(?:Length|Items)$/.test(keyword) && value === 1;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
