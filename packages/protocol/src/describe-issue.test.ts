import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { describeIssue } from './describe-issue.js';

function describe(schema: z.ZodMiniType, value: unknown): string {
  const parsed = schema.safeParse(value);
  if (parsed.success) throw new Error('the value fits');
  return describeIssue('options', parsed.error);
}

test('describes the location and the expected value', () => {
  const schema = z.object({ list: z.array(z.object({ mode: z.enum(['plan', 'yolo']), limit: z.number() })) });
  expect(describe(schema, { list: [{ mode: 'plan', limit: '1' }] })).toBe('options.list.0.limit: expected number');
  expect(describe(schema, { list: [{ mode: 'x', limit: 1 }] })).toBe('options.list.0.mode: expected "plan" or "yolo"');
  expect(describe(schema, null)).toBe('options: expected object');
});

test('for a union it describes the option that matched furthest', () => {
  const schema = z.union([z.string(), z.object({ inner: z.object({ name: z.string() }) })]);
  expect(describe(schema, { inner: { name: 1 } })).toBe('options.inner.name: expected string');
});

test('an unknown kind is described as unknown', () => {
  const schema = z.discriminatedUnion('type', [z.object({ type: z.literal('a') }), z.object({ type: z.literal('b') })]);
  expect(describe(schema, { type: 'c' })).toBe('options.type: expected one of the known kinds');
});

test('unknown members and limits are named', () => {
  const schema = z.strictObject({ turns: z.optional(z.number().check(z.minimum(1), z.maximum(9))) });
  expect(describe(schema, { turn: 1, x: 2 })).toBe('options: unknown member "turn", "x"');
  expect(describe(schema, { turns: 0 })).toBe('options.turns: expected at least 1');
  expect(describe(schema, { turns: 10 })).toBe('options.turns: expected at most 9');
});

test('keeps the message of a check', () => {
  const schema = z.string().check(z.refine((text) => text === 'x', 'must be x'));
  expect(describe(schema, 'y')).toBe('options: must be x');
});
