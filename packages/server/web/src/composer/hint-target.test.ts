import { expect, test } from 'vitest';
import { findHintTarget, takeSuggestion } from './hint-target.js';

test.each([
  ['/', { trigger: 'slash', start: 1 }],
  ['/chat sa', { trigger: 'slash', start: 6 }],
  ['?he', { trigger: 'slash', start: 1 }],
  ['@', { trigger: 'at', start: 1 }],
  ['explain @src/an', { trigger: 'at', start: 9 }],
  ['(@src', { trigger: 'at', start: 2 }],
  ['@my\\ file', { trigger: 'at', start: 1 }],
  ['mail me@example', undefined],
  ['@a done', undefined],
  ['what is this?', undefined],
  ['/review\nmore', undefined],
])('%j', (text, target) => {
  expect(findHintTarget(text, text.length)).toEqual(target);
});

test('a suggestion replaces the word at the cursor; a folder can be continued', () => {
  expect(takeSuggestion('see @sr now', { start: 5, cursor: 7 }, 'src/a.ts')).toEqual({
    text: 'see @src/a.ts now',
    cursor: 13,
  });
  expect(takeSuggestion('@sr', { start: 1, cursor: 3 }, 'src/')).toEqual({ text: '@src/', cursor: 5 });
  expect(takeSuggestion('/rev', { start: 1, cursor: 4 }, 'review')).toEqual({ text: '/review ', cursor: 8 });
});
