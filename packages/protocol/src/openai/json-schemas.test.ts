import { readdirSync, readFileSync } from 'node:fs';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createIpcSchemas } from './json-schemas.js';

const folder = new URL('../../../../docs/ipc/', import.meta.url);

test('the committed documents are up to date, each with its version', () => {
  verifies('E-32', 'GAP-39');
  const schemas = createIpcSchemas();
  const committed = new Map(
    readdirSync(folder).map((name) => [name.replace(/\.json$/, ''), readFileSync(new URL(name, folder), 'utf8')]),
  );
  const printed = [...schemas].map(([name, schema]) => [name, `${JSON.stringify(schema, null, 2)}\n`] as const);
  expect(committed).toEqual(new Map(printed));
  expect(schemas.has('qwen-chat-request-schema')).toBe(true);
  for (const schema of schemas.values()) expect(schema['x-protocol-version']).toBe(1);
});
