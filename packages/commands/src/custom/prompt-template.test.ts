import { expect, test } from 'vitest';
import { parsePrompt, takesArguments, toPath } from './prompt-template.js';

test('text, arguments, files and commands', () => {
  expect(parsePrompt('a {{args}} b @{src/x.ts} !{git log -{{args}} | awk "{print}"} c')).toEqual([
    { kind: 'text', text: 'a ' },
    { kind: 'args' },
    { kind: 'text', text: ' b ' },
    { kind: 'file', path: [{ kind: 'text', text: 'src/x.ts' }] },
    { kind: 'text', text: ' ' },
    {
      kind: 'shell',
      command: [
        { kind: 'text', text: 'git log -' },
        { kind: 'args', context: 'plain' },
        { kind: 'text', text: ' | awk "{print}"' },
      ],
    },
    { kind: 'text', text: ' c' },
  ]);
});

test('arguments are inserted before the file is read, and are not expanded', () => {
  const [piece] = parsePrompt('@{{{args}}}');
  expect(piece).toEqual({ kind: 'file', path: [{ kind: 'args' }] });
  expect(toPath([{ kind: 'args' }], ' a}b ')).toBe('a}b');
});

test.each([
  ['@{src', 'line 1 of the prompt: @{ is never closed'],
  ['one\ntwo !{echo {a}', 'line 2 of the prompt: !{ is never closed'],
])('an unclosed brace is an error: %s', (prompt, message) => {
  expect(() => parsePrompt(prompt)).toThrow(message);
});

test.each([
  ['no place', false],
  ['a {{args}}', true],
  ['@{{{args}}}', true],
  ['!{ls {{args}}}', true],
  ['{{ args }}', false],
])('"%s" takes arguments: %s', (prompt, takes) => {
  expect(takesArguments(parsePrompt(prompt))).toBe(takes);
});
