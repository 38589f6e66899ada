import { expect, test } from 'vitest';
import { fieldChoices, isProposed } from './field-choices.js';
import { formFields } from './form-fields.js';
import { readField } from './read-field.js';

const fieldsOf = (properties: object, required: readonly string[] = []) =>
  formFields({ message: 'Hm?', requested_schema: { type: 'object', properties, required } });

function typedField(member: object, isRequired = false) {
  const [field] = fieldsOf({ a: member }, isRequired ? ['a'] : []);
  if (field?.kind !== 'text' && field?.kind !== 'number') throw new Error('it is not typed');
  return field;
}

function pickedField(member: object, isRequired = false) {
  const [field] = fieldsOf({ a: member }, isRequired ? ['a'] : []);
  if (field === undefined || field.kind === 'text' || field.kind === 'number') throw new Error('it is not picked');
  return field;
}

test('creates a field per property, in order, with its constraints', () => {
  const options = [
    { value: 'r', label: 'Red' },
    { value: 'b', label: 'Blue' },
  ];
  const titled = [
    { const: 'r', title: 'Red' },
    { const: 'b', title: 'Blue' },
  ];
  expect(
    fieldsOf(
      {
        name: { type: 'string', title: 'Your name', description: 'As people say it', maxLength: 9 },
        age: { type: 'integer', minimum: 1, default: 30 },
        share: { type: 'number' },
        sure: { type: 'boolean', default: false },
        colour: { type: 'string', enum: ['r', 'b'], enumNames: ['Red', 'Blue'], default: 'b' },
        other: { type: 'string', oneOf: titled },
        many: { type: 'array', items: { anyOf: titled }, default: ['r'] },
        plain: { type: 'array', items: { type: 'string', enum: ['x'] } },
      },
      ['name'],
    ),
  ).toMatchObject([
    { name: 'name', label: 'Your name', description: 'As people say it', isRequired: true, kind: 'text' },
    { name: 'age', label: 'age', isRequired: false, kind: 'number', rules: { isWhole: true }, initial: '30' },
    { name: 'share', kind: 'number', rules: { isWhole: false } },
    { name: 'sure', kind: 'yes_no', initial: false },
    { name: 'colour', kind: 'choice', options, initial: 'b' },
    { name: 'other', kind: 'choice', options },
    { name: 'many', kind: 'choices', options, initial: ['r'] },
    { name: 'plain', kind: 'choices', options: [{ value: 'x', label: 'x' }], initial: [] },
  ]);
});

test.each([[{}], [{ properties: 7 }], [{ properties: { a: 'text' } }]])(
  'a form that is none, %j, has no fields',
  (form) => {
    expect(formFields({ message: 'Hm?', requested_schema: form })).toEqual([]);
  },
);

test('names what is sent for a field that is left out', () => {
  const fields = fieldsOf(
    { a: { type: 'boolean', default: true }, b: { type: 'array', default: ['x'] }, c: { default: 'y' }, d: {} },
    ['c'],
  );
  expect(fields.map(({ fallback }) => fallback)).toEqual(['true', '["x"]', undefined, undefined]);
});

test('treats a property with an invalid schema as text', () => {
  expect(fieldsOf({ a: { type: 7, title: [], enum: 'x', minLength: 'y' } })).toMatchObject([
    { kind: 'text', label: 'a' },
  ]);
});

test.each([
  [{ type: 'string' }, ' Ada ', 'Ada'],
  [{ type: 'string', format: 'email' }, 'ada@example.org', 'ada@example.org'],
  [{ type: 'string', format: 'date' }, '2026-01-31', '2026-01-31'],
  [{ type: 'number' }, '1.5', 1.5],
  [{ type: 'integer', minimum: 1 }, '2', 2],
])('into %j goes %j', (member, typed, value) => {
  expect(readField(typedField(member), typed)).toEqual({ kind: 'value', value });
});

test.each([
  [{ type: 'string', minLength: 3 }, 'ab', 'at least 3'],
  [{ type: 'string', maxLength: 3 }, 'abcd', 'at most 3'],
  [{ type: 'string', format: 'email' }, 'ada', 'e-mail'],
  [{ type: 'string', format: 'uri' }, 'example', 'URL'],
  [{ type: 'string', format: 'date' }, '2026-13-99', 'date'],
  [{ type: 'string', format: 'date-time' }, 'noon', 'time'],
  [{ type: 'number' }, 'many', 'a number'],
  [{ type: 'integer' }, '1.5', 'whole'],
  [{ type: 'integer', minimum: 5 }, '4', 'minimum is 5'],
  [{ type: 'integer', maximum: 5 }, '6', 'maximum is 5'],
])('into %j does not go %j', (member, typed, message) => {
  expect(readField(typedField(member), typed)).toEqual({ kind: 'problem', message: expect.stringContaining(message) });
});

test('accepts an empty answer for an optional field', () => {
  expect(readField(typedField({ type: 'number' }), ' ')).toEqual({ kind: 'empty' });
  expect(readField(typedField({ type: 'number' }, true), ' ')).toMatchObject({ kind: 'problem' });
});

test('offers each option, and "no answer" only for optional fields', () => {
  const labels = (member: object, isRequired: boolean, ticked: readonly string[] = []) =>
    fieldChoices(pickedField(member, isRequired), ticked).map(({ label }) => label);
  expect(labels({ type: 'boolean' }, true)).toEqual(['Yes', 'No']);
  expect(labels({ type: 'string', enum: ['a', 'b'] }, false)).toEqual(['a', 'b', 'Skip']);
  const many = { type: 'array', items: { enum: ['a', 'b'] } };
  expect(labels(many, true, ['b'])).toEqual(['[ ] a', '[x] b', 'Done (1 selected)']);
});

test('preselects the default of the server', () => {
  const field = pickedField({ type: 'boolean', default: false });
  const proposed = fieldChoices(field, []).filter(({ value }) => isProposed(field, value));
  expect(proposed.map(({ label }) => label)).toEqual(['No']);
});
