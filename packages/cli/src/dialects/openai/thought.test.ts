import { answer, text, thinking } from '@qwen/host/test/agent-events.js';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { annotationsOf, completions, tell } from '../../../test/event-lists.js';
import { toThought } from './thought.js';

test.each([
  ['**Analyzing repo**\nListing tsconfig patterns...', 'Analyzing repo', 'Listing tsconfig patterns...'],
  ['Well. **The plan** is this.', 'The plan', 'Well.\nis this.'],
  ['I look at the file. Then I change it.', 'I look at the file.', 'Then I change it.'],
  ['Version 1.2 is old', 'Version 1.2 is old', ''],
  ['先看文件。再修改。', '先看文件。', '再修改。'],
  ['First line\nsecond line', 'First line', 'second line'],
])('the thought %j has a subject and a description', (thought, subject, description) => {
  verifies('D-34', 'D-35');
  expect(toThought(thought)).toEqual({ type: 'x-qwen-thought', subject, description });
});

test('a long sentence is cut between words, and the description contains all of it', () => {
  const sentence = `${'word '.repeat(40)}end.`;
  const found = toThought(sentence);
  expect(found?.subject).toMatch(/^(word )+word…$/);
  expect(found?.subject.length).toBeLessThanOrEqual(80);
  expect(found?.description).toBe(sentence);
});

test('empty text is not a thought; control characters are shown', () => {
  expect(toThought(' \n')).toBeUndefined();
  expect(toThought('a\u001b[2Jb')?.subject).toBe(String.raw`a\u001b[2Jb`);
});

test.each(['message', 'chunk'] as const)('thoughts are annotations, not content, in the format of a %s', (format) => {
  verifies('CF-57', 'D-01', 'D-02', 'B-18', 'C-12');
  const lines = tell(answer([thinking('**Look**', ' around'), text('Hi'), thinking('Again.')]), { format });
  const thoughts = annotationsOf(lines).filter(({ type }) => type === 'x-qwen-thought');
  expect(thoughts).toEqual([
    { type: 'x-qwen-thought', subject: 'Look', description: 'around' },
    { type: 'x-qwen-thought', subject: 'Again.', description: '' },
  ]);
  if (format === 'message') expect(completions(lines).at(-1)?.choices[0]?.message.content).toBe('Hi');
});
