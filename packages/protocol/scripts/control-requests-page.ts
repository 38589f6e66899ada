import type { ControlRequestSpec } from '@qwen/protocol';
import type { JsonSchema } from '@qwen/protocol/json-schema';

export interface PageSource {
  readonly requests: Readonly<Record<string, ControlRequestSpec>>;
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  readonly timeouts: Readonly<Record<string, number>>;
}

const HEAD = `# Control requests

Printed from the table in \`packages/protocol/src/control-requests.ts\` by \`pnpm --filter @qwen/protocol schema\`;
do not edit. The app is whoever drives the agent, the agent is the CLI. A member with \`?\` may be missing.
The exact shapes are the JSON Schemas in \`packages/protocol/schema\`.

| subtype | asked by | payload | result | waits | meaning |
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

/** Names the members; the forms of a union stand one after the other. */
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
