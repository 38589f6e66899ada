import type { ControlRequestSpec } from '@qwen/protocol';
import type { JsonSchema } from '@qwen/protocol/json-schema';

export interface PageSource {
  readonly requests: Readonly<Record<string, ControlRequestSpec>>;
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  readonly timeouts: Readonly<Record<string, number>>;
}

const HEAD = `# Control requests

Control requests are the calls that an app and the agent make to each other over the [protocol](protocol.md#control). The
app drives the agent, for example with the SDK; the agent is the CLI. This request changes the permission mode:

\`\`\`json
{"type":"control_request","request_id":"1","request":{"subtype":"set_permission_mode","mode":"plan"}}
{"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"status":"updated","mode":"plan"}}}
\`\`\`

A member with \`?\` is optional. The exact shapes are the JSON Schemas in \`packages/protocol/schema\`. The deadline is a
member of the option \`timeout\`, with its default.

<!-- printed by \`pnpm --filter @qwen/protocol schema\`; do not edit -->

| subtype | sent by | payload | result | deadline | meaning |
|---|---|---|---|---|---|
`;

/** The page of all control requests, from the same table as the types and the schemas. */
export function printControlRequestsPage({ requests, schemas, timeouts }: PageSource): string {
  const rows = Object.entries(requests).map(([subtype, spec]) => {
    const cells = [
      `\`${subtype}\``,
      spec.asker,
      describeMembers(schemas.get(`control.${subtype}.payload`)),
      describeMembers(schemas.get(`control.${subtype}.result`)),
      `\`${spec.deadline}\`, ${(timeouts[spec.deadline] ?? 0) / 1000} s`,
      spec.meaning,
    ];
    return `| ${cells.join(' | ')} |\n`;
  });
  return HEAD + rows.join('');
}

/** Names the members; the forms of a union are joined by "or". */
function describeMembers(schema: JsonSchema | undefined): string {
  const forms = schema?.['oneOf'] ?? schema?.['anyOf'];
  if (Array.isArray(forms)) return forms.map((form: JsonSchema) => describeMembers(form)).join(' or ');
  if (schema?.['type'] === 'null') return 'null';
  if (schema?.['type'] !== 'object') return 'anything';
  const properties = Object.entries(schema['properties'] ?? {});
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  if (properties.length === 0) return 'none';
  return properties.map(([name, member]) => describeMember(required.has(name) ? name : `${name}?`, member)).join(', ');
}

function describeMember(name: string, member: unknown): string {
  const fixed = typeof member === 'object' && member !== null && 'const' in member ? member.const : undefined;
  return fixed === undefined ? `\`${name}\`` : `\`${name}: ${JSON.stringify(fixed)}\``;
}
