import { expect, test } from 'vitest';
import { chooseVerb } from './choose-verb.js';
import { readWords } from './read-words.js';

const FLAGS = {
  yes: { type: 'boolean', short: 'y', meaning: 'No question.' },
  at: { type: 'string', value: 'ID', meaning: 'Where.' },
  env: { type: 'string', short: 'e', multiple: true, meaning: 'Variables.' },
  form: { type: 'string', choices: ['a', 'b'], meaning: 'How.' },
} as const;
const SPEC = { meaning: 'Things.', verbs: { take: { words: 'ID', meaning: 'Take one.', flags: FLAGS } } } as const;

const read = (...words: string[]) => readWords(words, { command: 'x take', flags: FLAGS });

test('a command that takes only flags refuses other arguments', () => {
  const onlyFlags = { command: 'x list', flags: FLAGS, onlyFlags: true };
  expect(readWords(['--yes'], onlyFlags).rest).toEqual([]);
  expect(() => readWords(['a', 'b'], onlyFlags)).toThrow('x list: unexpected argument "a b"; see qwen x list --help');
});

test('reads flags in either form, repeated ones together, and arguments after -- verbatim', () => {
  expect(read('one', '-y', '--at=1', '-e', 'A=1', '--env', 'B=2', '--', '--at')).toEqual({
    flags: { yes: true, at: '1', env: ['A=1', 'B=2'] },
    rest: ['one', '--at'],
  });
  expect(read()).toEqual({ flags: {}, rest: [] });
});

test.each([
  [['--fomr', 'a'], 'x take: unknown flag --fomr; did you mean --form?'],
  [['--far-away'], 'x take: unknown flag --far-away; see qwen x take --help'],
  [['--toString'], 'x take: unknown flag --toString; see qwen x take --help'],
  [['--at'], 'x take: --at needs a value'],
  [['--yes=no'], 'x take: --yes takes no value'],
  [['--form', 'c'], 'x take: --form: "c" is not one of a, b'],
])('%j is refused', (words, message) => {
  expect(() => read(...words)).toThrow(expect.objectContaining({ code: 'usage', message }));
});

test('finds verbs, prints their help and suggests similar ones', () => {
  expect(chooseVerb('x', SPEC, ['take', '-y'])).toEqual({ kind: 'verb', verb: 'take', words: ['-y'] });
  expect(chooseVerb('x', SPEC, ['take', '--', '--help'])).toMatchObject({ kind: 'verb' });
  for (const words of [[], ['help'], ['--help']]) {
    expect(chooseVerb('x', SPEC, words)).toMatchObject({
      kind: 'help',
      text: expect.stringMatching(/^Usage: qwen x COMMAND\n\nThings\.\n\n {2}take ID +Take one\.\n {6}-y, --yes/),
    });
  }
  expect(chooseVerb('x', SPEC, ['take', '--help'])).toMatchObject({
    text: expect.stringMatching(/^Usage: qwen x take ID \[flags\]\n\nTake one\.\n/),
  });
  expect(() => chooseVerb('x', SPEC, ['tkae'])).toThrow('x: "tkae" is not one of take; did you mean "take"?');
  expect(() => chooseVerb('x', SPEC, ['toString'])).toThrow('is not one of take');
});
