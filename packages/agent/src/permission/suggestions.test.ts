import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { suggestionsFor } from './suggestions.js';

const typesOf = (...call: Parameters<typeof suggestionsFor>) => suggestionsFor(...call)?.map(({ type }) => type);

test('every kind offers allow and deny, and edits can also be changed', () => {
  verifies('M-52', 'GAP-23');
  for (const kind of ['read', 'execute', 'network', 'other'] as const) {
    expect(typesOf(kind, { a: 1 })).toEqual(['allow', 'deny']);
  }
  expect(suggestionsFor('edit', { file_path: '/a' })?.at(-1)).toMatchObject({
    type: 'modify',
    modifiedInput: { file_path: '/a' },
  });
});

test('an input that is not an object has no suggestions', () => {
  verifies('GAP-23');
  for (const input of [null, 'text', [1], 3, undefined]) expect(suggestionsFor('edit', input)).toBeNull();
});
