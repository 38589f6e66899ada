import { expect, test } from 'vitest';
import { parsePrompt, toCommand, toPath } from './prompt-template.js';

const parse = (text: string) => parsePrompt(text, 'markdown');

test('in Markdown, $1, $ARGUMENTS, @path and !`command` are placeholders', () => {
  expect(parse('See @src/a.ts, $1 of $ARGUMENTS:\n!`git log "$2"` {{args}}')).toEqual([
    { kind: 'text', text: 'See ' },
    { kind: 'file', path: [{ kind: 'text', text: 'src/a.ts' }], isOptional: true },
    { kind: 'text', text: ', ' },
    { kind: 'args', number: 1 },
    { kind: 'text', text: ' of ' },
    { kind: 'args' },
    { kind: 'text', text: ':\n' },
    {
      kind: 'shell',
      command: [
        { kind: 'text', text: 'git log "' },
        { kind: 'args', number: 2, context: 'double' },
        { kind: 'text', text: '"' },
      ],
    },
    { kind: 'text', text: ' ' },
    { kind: 'args' },
  ]);
});

test('what only looks like a placeholder is text', () => {
  const text = 'Use @Override, jane@example.com, $10, `code` and an open !`.';
  expect(parse(text)).toEqual([{ kind: 'text', text }]);
  expect(parsePrompt('$1 !`ls` @a.ts')).toEqual([{ kind: 'text', text: '$1 !`ls` @a.ts' }]);
});

test('each argument is one quoted word; quotes keep blanks; a missing one is empty', () => {
  const [shell] = parse('!`grep -e $1 -- $2 $3`');
  if (shell?.kind !== 'shell') throw new Error('no command');
  expect(toCommand(shell.command, `"a b" x';touch*C`)).toBe(String.raw`grep -e 'a b' -- 'x'\'';touch*C'`);
  const [file] = parse('@docs/$1.md');
  if (file?.kind !== 'file') throw new Error('no file');
  expect(toPath(file.path, 'intro more')).toBe('docs/intro.md');
});
