import { expect, test } from 'vitest';
import { editSettingsText } from './edit-settings-text.js';

const set = (text: string, path: string[], value: unknown) => editSettingsText('the file', text, { path, value });

test.each([
  ['{}', '{\n  "a": 1\n}'],
  ['', '{\n  "a": 1\n}\n'],
  ['{\n}\n', '{\n  "a": 1\n}\n'],
  ['{ // why\n}\n', '{ // why\n  "a": 1\n}\n'],
  ['{ "b": 2 }', '{ "b": 2, "a": 1 }'],
  ['{\n    "b": [1,  2]\n}\n', '{\n    "b": [1,  2],\n    "a": 1\n}\n'],
  ['{\n\t"b": 2, // two\n}', '{\n\t"b": 2, // two\n\t"a": 1,\n}'],
  ['{\n  "b": 2 // two\n  /* end */\n}', '{\n  "b": 2, // two\n  "a": 1\n  /* end */\n}'],
  ['{\n  "b": 2 /* x */,\n}', '{\n  "b": 2 /* x */,\n  "a": 1,\n}'],
  ['{\n  "b": 2\n  ,\n}', '{\n  "b": 2\n  ,\n  "a": 1,\n}'],
  ['{\n  "a" : 9 , "b": 2 }', '{\n  "a" : 1 , "b": 2 }'],
])('%j with one more member is %j', (before, after) => {
  expect(set(before, ['a'], 1)).toBe(after);
});

test('missing parent objects are created with the layout of the rest', () => {
  expect(set('{\n    "b": {}\n}', ['b', 'c'], { d: [1] })).toBe(
    '{\n    "b": {\n        "c": {\n            "d": [\n                1\n            ]\n        }\n    }\n}',
  );
  expect(set('{\r\n  "b": 1\r\n}', ['c', 'd'], 1)).toBe('{\r\n  "b": 1,\r\n  "c": {\r\n    "d": 1\r\n  }\r\n}');
});

test.each([
  ['{"a": 1}', '{}'],
  ['{\n  "a": 1\n}\n', '{\n}\n'],
  ['{\n  "b": 2, // two\n  "a": 1\n}', '{\n  "b": 2 // two\n}'],
  ['{\n  "a": 1, // one\n  "b": 2\n}', '{ // one\n  "b": 2\n}'],
  ['{\n  "b": 2,\n  "a": 1,\n}', '{\n  "b": 2,\n}'],
  ['{ "b": 2, "a": 1 }', '{ "b": 2 }'],
  ['{ "b": 2 }', '{ "b": 2 }'],
])('%j without the member is %j', (before, after) => {
  expect(set(before, ['a'], undefined)).toBe(after);
});

test.each(['[]', 'null', '{"a": ', '{"a": {"b": 1}} x', '{"a": 1}'])('%s is not changed', (text) => {
  expect(() => set(text, ['a', 'b'], 1)).toThrow(/was not changed/);
});
