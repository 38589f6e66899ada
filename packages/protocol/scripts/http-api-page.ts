import { bareSchema, type JsonSchema } from '@qwen/protocol/json-schema';
import { CHAT_API, CHAT_EVENT_SCHEMAS, type ChatRoute, PAGE_API } from '@qwen/protocol/server';

/** A table of a page: each row is a list of cells. */
const toTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

/** The routes and events of the chat API in the page `docs/http-api.md`, between its two marks. */
export function printHttpApi(): string {
  const routes = Object.entries<ChatRoute>({ ...CHAT_API, ...PAGE_API });
  const events = Object.entries(CHAT_EVENT_SCHEMAS);
  const eventRows = events.map(([type, schema]) => [`\`${type}\``, membersOf(bareSchema(schema), 'type').join(', ')]);
  return [
    ...routes.map(printRoute),
    '### Events of `/api/chat/stream`\n',
    toTable(['type', 'members'], eventRows),
  ].join('\n');
}

function printRoute([path, { meaning, scope, request, response, form = 'json', failures }]: [
  string,
  ChatRoute,
]): string {
  const rows = [
    ['scope', `\`${scope}\``],
    ['request', ...membersOf(bareSchema(request))],
    ['response', ...(form === 'json' ? responseOf(bareSchema(response)) : ['a stream of events'])],
    ...Object.entries(failures).map(([status, when]) => [status, when]),
  ];
  const lines = rows.map(
    ([name = '', ...words]) => `- **${name}**: ${words.length === 0 ? 'nothing' : words.join('; ')}\n`,
  );
  return `### \`POST ${path}\`\n\n${meaning}\n\n${lines.join('')}`;
}

function responseOf(schema: JsonSchema): readonly string[] {
  const forms = schema['anyOf'];
  return Array.isArray(forms)
    ? [forms.map((form) => membersOf(Object(form)).join('; ')).join(' — or ')]
    : membersOf(schema);
}

function membersOf(schema: JsonSchema, except = ''): readonly string[] {
  const required = new Set<unknown>(Array.isArray(schema['required']) ? schema['required'] : []);
  return Object.entries(Object(schema['properties']))
    .filter(([name]) => name !== except)
    .map(([name, member]) => describeMember(required.has(name) ? name : `${name}?`, Object(member)));
}

function describeMember(name: string, member: JsonSchema): string {
  const words = [valuesOf(member), member['description']].filter((part) => typeof part === 'string').join('. ');
  const inside = membersOf(member);
  const nested = inside.length === 0 ? '' : ` {${inside.join(', ')}}`;
  return `\`${name}\`${nested}${words === '' ? '' : ` (${words})`}`;
}

function valuesOf(member: JsonSchema): string | undefined {
  const { enum: values, const: value } = member;
  if (Array.isArray(values)) return values.map((one) => `\`${String(one)}\``).join(', ');
  return value === undefined ? undefined : `\`${JSON.stringify(value)}\``;
}
