import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod3';
import { failureOf, resultOf } from '../../test/programs.js';
import { type OutputSchema, query } from '../index.js';
import { type ScriptedResult, scriptedCli } from '../testing/index.js';

const JSON_SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
} as const;

/** The result that an app sees when the CLI ends a turn with these members. */
async function resultWith(outputSchema: OutputSchema, members: ScriptedResult) {
  const cli = scriptedCli(({ result }) => result(members));
  const seen = await resultOf(query({ prompt: 'x', options: { outputSchema, transport: cli.transport } }));
  return { seen, payload: cli.requests[0]?.payload };
}

test.each<[string, OutputSchema]>([
  ['zod 4', z.object({ city: z.string() })],
  ['zod 3', z3.object({ city: z3.string() })],
  ['JSON Schema', JSON_SCHEMA],
])('a schema of %s travels as JSON Schema, and a fitting answer is a success', async (_kind, outputSchema) => {
  const { seen, payload } = await resultWith(outputSchema, { structured_output: { city: 'Bern' } });
  expect(payload).toMatchObject({ outputSchema: JSON_SCHEMA });
  expect(seen).toMatchObject({ subtype: 'success', is_error: false, structured_output: { city: 'Bern' } });
});

test.each<[string, OutputSchema]>([
  ['zod 4', z.object({ city: z.string() })],
  ['zod 3', z3.object({ city: z3.string() })],
  ['JSON Schema', JSON_SCHEMA],
])('output that does not match a schema of %s is never a success', async (_kind, outputSchema) => {
  const { seen } = await resultWith(outputSchema, { result: '{"city":7}', structured_output: { city: 7 } });
  expect(seen).toMatchObject({
    subtype: 'error_output_schema',
    is_error: true,
    error: { code: 'invalid_output', message: expect.stringContaining('options.outputSchema') },
  });
  expect(seen).not.toHaveProperty('structured_output');
  expect(seen).not.toHaveProperty('result');
});

test('a success without structured output is an error', async () => {
  const { seen } = await resultWith(JSON_SCHEMA, { result: 'It is Bern.' });
  expect(seen).toMatchObject({ subtype: 'error_output_schema', is_error: true, error: { code: 'invalid_output' } });
});

test('applies zod refinements, transforms and defaults', async () => {
  const schema = z.object({
    city: z.string().transform((name) => name.toUpperCase()),
    country: z.string().default('CH'),
    zip: z.number().refine((zip) => zip !== 13, 'unlucky'),
  });
  const good = await resultWith(schema, { structured_output: { city: 'Bern', zip: 3000 } });
  expect(good.seen.structured_output).toEqual({ city: 'BERN', country: 'CH', zip: 3000 });
  const bad = await resultWith(schema, { structured_output: { city: 'Bern', zip: 13 } });
  expect(bad.seen).toMatchObject({ is_error: true, error: { message: expect.stringContaining('unlucky') } });
});

const asCity = ({ city }: { city: string }) => ({ city, upper: city.toUpperCase() });

test.each<[string, OutputSchema]>([
  ['a transform', z.object({ city: z.string() }).transform(asCity)],
  ['a preprocessed object', z.preprocess((value) => value, z.object({ city: z.string() }).transform(asCity))],
  ['a choice of objects', z.union([z.object({ town: z.string() }), z.object({ city: z.string() }).transform(asCity)])],
  ['an effect of zod 3', z3.object({ city: z3.string() }).transform(asCity)],
  ['a pipe of zod 3', z3.object({ city: z3.string() }).transform(asCity).pipe(z3.object({}).passthrough())],
])('the schema may be %s', async (_kind, outputSchema) => {
  const { seen, payload } = await resultWith(outputSchema, { structured_output: { city: 'Bern' } });
  expect(payload).toMatchObject({ outputSchema: { type: 'object' } });
  expect(seen.structured_output).toEqual({ city: 'Bern', upper: 'BERN' });
});

test.each([
  z.string(),
  z.object({}).nullable(),
  z.union([z.object({}), z.string()]),
  z3.string(),
  z3.array(z3.object({})),
])('a schema that also describes other values is refused', (outputSchema) => {
  const invalid = () => query({ prompt: 'x', options: { outputSchema } });
  expect(invalid).toThrow(expect.objectContaining({ code: 'invalid_options' }));
});

test('keeps failed and interrupted results unchanged', async () => {
  verifies('FB8');
  const interrupted = await resultWith(JSON_SCHEMA, { subtype: 'interrupted' });
  expect(interrupted.seen).toMatchObject({ subtype: 'interrupted', is_error: false });
  const error = { code: 'max_turns', message: 'enough' };
  const failed = await resultWith(JSON_SCHEMA, { subtype: 'error_max_turns', is_error: true, error });
  expect(failed.seen).toMatchObject({ subtype: 'error_max_turns', error });
});

test('a schema without a JSON Schema form fails the query and names the option', async () => {
  const cli = scriptedCli(() => undefined);
  const outputSchema = z.object({ when: z.date() });
  const conversation = query({ prompt: 'x', options: { outputSchema, transport: cli.transport } });
  expect(await failureOf(conversation.next())).toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining('options.outputSchema'),
  });
  expect(cli.requests).toEqual([]);
});
