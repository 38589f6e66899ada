import { readdirSync, readFileSync } from 'node:fs';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { printControlRequestsPage } from '../scripts/control-requests-page.js';
import { MESSAGE_SCHEMAS } from './agent-messages.js';
import { CONTROL_REQUESTS } from './control-requests.js';
import { createJsonSchemas, createOpenApi } from './json-schema.js';
import { DEFAULT_TIMEOUTS } from './options.js';

const schemas = createJsonSchemas();
const folder = new URL('../schema/', import.meta.url);

test('the committed documents are up to date', () => {
  verifies('J-12', 'O-54');
  const printed = new Map([...schemas, ['openapi', createOpenApi()]]);
  const committed = readdirSync(folder).map((name) => name.replace(/\.json$/, ''));
  const outdated = committed.filter((name) => {
    const text = readFileSync(new URL(`${name}.json`, folder), 'utf8');
    return text !== `${JSON.stringify(printed.get(name), null, 2)}\n`;
  });
  expect([outdated, committed.toSorted()]).toEqual([[], [...printed.keys()].toSorted()]);
});

test('there is one document for each kind of line and for both halves of each request', () => {
  verifies('J-12', 'O-54');
  const expected = [
    ...Object.keys(MESSAGE_SCHEMAS).map((type) => `message.${type}`),
    ...Object.keys(CONTROL_REQUESTS).flatMap((subtype) => [`control.${subtype}.payload`, `control.${subtype}.result`]),
    'control_request',
    'control_response',
    'control_cancel_request',
    'session_record',
    'settings',
  ];
  expect([...schemas.keys()].toSorted()).toEqual(expected.toSorted());
  for (const schema of schemas.values()) expect(schema['$schema']).toContain('2020-12');
});

test('the committed page of control requests is up to date', () => {
  const page = printControlRequestsPage({ requests: CONTROL_REQUESTS, schemas, timeouts: DEFAULT_TIMEOUTS });
  const committed = readFileSync(new URL('../../../docs/control-requests.md', import.meta.url), 'utf8');
  expect(committed).toBe(page);
  for (const subtype of Object.keys(CONTROL_REQUESTS)) expect(page).toContain(`| \`${subtype}\` |`);
});

test('a document matches its schema: unknown kinds pass, invalid known ones do not', () => {
  verifies('T27', 'O-54');
  const event = schemas.get('message.stream_event')?.['properties'] as { event: { anyOf: unknown[] } };
  expect(event.event.anyOf[1]).toMatchObject({
    properties: { type: { pattern: expect.stringContaining('content_block_delta') } },
  });
});
