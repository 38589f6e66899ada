import { expect, test } from 'vitest';
import { compileOutputSchema } from './compile-schema.js';

const PERSON = {
  type: 'object',
  properties: { name: { type: 'string' }, tags: { type: 'array', items: { $ref: '#/$defs/tag' } } },
  required: ['name'],
  additionalProperties: false,
  $defs: { tag: { enum: ['a', 'b'] } },
};

test('a valid value has no problems', () => {
  expect(compileOutputSchema(PERSON).problemsOf({ name: 'Ada', tags: ['a'] })).toEqual([]);
});

test('each problem has its location and the expected value', () => {
  expect(compileOutputSchema(PERSON).problemsOf({ tags: ['c'], age: 3 })).toEqual([
    "the value must have required property 'name'",
    'the value must NOT have additional properties "age"',
    '/tags/0 must be equal to one of the allowed values ["a","b"]',
  ]);
});

test('the default is draft 2020-12, unless the schema states draft 7', () => {
  const tuple = { type: 'array', prefixItems: [{ type: 'number' }], items: false };
  expect(compileOutputSchema(tuple).problemsOf([1, 2])).not.toEqual([]);
  const older = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'array', items: [{ type: 'number' }] };
  expect(compileOutputSchema(older).problemsOf([1, 'x'])).toEqual([]);
  expect(compileOutputSchema(older).problemsOf(['x'])).toEqual(['/0 must be number']);
});

test('unknown keywords and formats refuse nothing', () => {
  const schema = { type: 'string', format: 'email', nullable: true, example: 'x', 'x-order': 3 };
  expect(compileOutputSchema(schema).problemsOf('not an address')).toEqual([]);
});

test.each([
  [{ type: 'strin' }, /output schema is invalid: \/type /],
  [
    { properties: { a: { type: 'object', required: 'b' } } },
    /output schema is invalid: \/properties\/a\/required must be array/,
  ],
  [{ $ref: '#/$defs/gone' }, /output schema is invalid: .*#\/\$defs\/gone/],
  [{ $ref: 'https://example.com/schema.json' }, /output schema is invalid: .*example\.com/],
  [{ type: 'string', pattern: '(' }, /output schema is invalid: .*pattern|regular expression/i],
])('%j is refused with its location', (schema, message) => {
  expect(() => compileOutputSchema(schema)).toThrow(
    expect.objectContaining({ code: 'invalid_payload', message: expect.stringMatching(message) }),
  );
});
