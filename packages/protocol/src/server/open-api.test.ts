import { verifies } from '@qwen/testkit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { UNKNOWN_KIND } from '../open-union.js';
import { CHAT_API } from './chat-api.js';
import { CLOUD_API } from './cloud-api.js';
import { createOpenApi } from './open-api.js';
import { PAGE_API } from './page-api.js';

const document = createOpenApi();
const paths: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>> = Object(
  document['paths'],
);
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

test('the document contains every route of every table, under its method', () => {
  verifies('GAP-101', 'GAP-102');
  expect(Object.keys({ ...CHAT_API, ...PAGE_API }).filter((path) => paths[path]?.['post'] === undefined)).toEqual([]);
  expect(operations).toHaveLength(Object.keys({ ...CHAT_API, ...PAGE_API, ...CLOUD_API }).length + 2);
  expect(paths['/health']?.['get']).toBeDefined();
  expect(paths['/api/v1/cloud/sessions/{session_id}']?.['delete']).toMatchObject({
    parameters: [{ name: 'session_id', in: 'path', required: true }],
    security: [{ token: [] }],
    'x-scope': 'write',
  });
});

test('operation names are unique', () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z\d]+$/);
});

test('every operation has a description and a tag of the document', () => {
  const tags: readonly unknown[] = Array.isArray(document['tags']) ? document['tags'] : [];
  const known = tags.map((tag) => Object(tag).name);
  for (const { operationId, description, tags: used } of operations) {
    expect(description, String(operationId)).toMatch(/\w{4}.*\./);
    expect(known).toEqual(expect.arrayContaining(Object(used)));
  }
});

test('every schema is JSON Schema, and every reference resolves', () => {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ $id: 'https://example.test/document', ...document });
  const text = JSON.stringify(document);
  for (const [, pointer = ''] of text.matchAll(/"\$ref":"(#[^"]+)"/g)) {
    expect(ajv.getSchema(`https://example.test/document${pointer}`), pointer).toBeDefined();
  }
  expect(text).not.toContain('$schema');
});

test('a stream is described by its events', () => {
  expect(paths['/api/chat/stream']?.['post']).toMatchObject({
    responses: {
      200: { content: { 'text/event-stream': { schema: { $ref: '#/components/schemas/ChatEvent' } } } },
      409: { content: { 'application/json': { schema: { $ref: '#/components/schemas/ChatError' } } } },
    },
  });
});

test('describes headers, notices of streams and failures of the server', () => {
  const cloud = '/api/v1/cloud/sessions/{session_id}/events';
  const header = (name: string) => expect.objectContaining({ name, in: 'header', required: false });
  const StreamedEvent = { $ref: '#/components/schemas/StreamedEvent' };
  expect(paths['/api/chat/stream']?.['post']).toMatchObject({ parameters: [header('Idempotency-Key')] });
  expect(paths[cloud]?.['post']?.['parameters']).toContainEqual(header('Idempotency-Key'));
  const streams = [paths[`${cloud}/stream`]?.['get'], paths['/api/chat/follow']?.['post']];
  expect(streams[0]?.['parameters']).toContainEqual(header('Last-Event-ID'));
  for (const stream of streams) {
    expect(stream?.['responses']).toMatchObject({
      200: { content: { 'text/event-stream': { schema: StreamedEvent } } },
    });
  }
  for (const { responses } of operations.filter(({ tags }) => !String(tags).includes('health'))) {
    expect(Object.keys(Object(responses))).toEqual(expect.arrayContaining(['408', '503', '507']));
  }
  expect(paths['/ready']?.['get']?.['responses']).toHaveProperty('507');
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ $id: 'https://example.test/document', ...document });
  const isStreamed = ajv.getSchema('https://example.test/document#/components/schemas/StreamedEvent');
  expect(isStreamed?.({ type: 'lagging', lag_bytes: 1, max_lag_bytes: 2 })).toBe(true);
  expect(isStreamed?.({ type: 'server_shutdown', reason: 'closing', seq: 3 })).toBe(true);
  expect(isStreamed?.({ type: 'lagging' })).toBe(false);
  expect(JSON.stringify(document)).not.toContain(UNKNOWN_KIND);
});
