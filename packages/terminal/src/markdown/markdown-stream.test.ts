import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainText, type StyledLine } from '../lines/styled-line.js';
import { lineWidth } from '../lines/text-width.js';
import { draftLines, MarkdownStream, markdownLines } from './markdown-stream.js';

const words = (lines: readonly StyledLine[]) => lines.map(plainText);
const drawn = (text: string, columns = 60) => words(markdownLines(text, { columns }));

/** Pieces that Markdown is made of, in any order. */
const WORDS = [
  '# ',
  '- ',
  '1. ',
  '  ',
  '    ',
  '> ',
  '\n',
  '\n\n',
  '---',
  '| a | b |\n|---|--:|\n',
  '| 1 | 2 |',
  '===',
  '\t',
].concat(['**', '*', '_', '`', '~~', '[x](http://a.b)', 'word', ' and ', '日本', '<b>', '\r\n', '&amp;', '/* ', '|']);
const CODE = ['```', '```ts\n', '~~~\n'];

const textOf = (pieces: readonly string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((chosen) => chosen.join(''));

test('draws each kind of block and keeps line breaks inside paragraphs', () => {
  expect(
    drawn(
      [
        '# Title',
        '',
        'Some **strong** and *soft* words,',
        'a [link](https://a.example/x) and <https://b.example>.',
        '',
        '- one',
        '  - inner',
        '- [x] done',
        '- [ ] open',
        '',
        '1. first',
        '1. second',
        '',
        '> quoted',
        '',
        '---',
        '',
        '```ts',
        'const a = 1;',
        '```',
      ].join('\n'),
      40,
    ),
  ).toEqual([
    'Title',
    '',
    'Some strong and soft words,',
    'a link (https://a.example/x) and',
    'https://b.example.',
    '',
    '• one',
    '  ◦ inner',
    '[x] done',
    '[ ] open',
    '',
    '1. first',
    '2. second',
    '',
    '│ quoted',
    '',
    '─'.repeat(40),
    '',
    '  const a = 1;',
  ]);
});

test('emits the code of a fenced block inside a list item line by line', () => {
  const stream = new MarkdownStream({ columns: 60 });
  expect(words(stream.push('1. Run:\n   ```bash\n   npm i\n'))).toEqual(['1. Run:', '     npm i']);
  expect(words(stream.push('   npm t\n   ```\n   then'))).toEqual(['     npm t']);
  expect(words(stream.end())).toEqual(['   then']);
});

test('keeps the marker of a list item that starts with code, starts with another item, or is empty', () => {
  expect(drawn('- ```\n  code\n  ```\n- ```\n  ```\n-\n- 1. both')).toEqual(['•   code', '• ', '• ', '• 1. both']);
});

test('shows the address of a link whose text differs from it', () => {
  expect(drawn('[https://a.example](https://a.example/) [https://a.example//b.example](https://b.example)')).toEqual([
    'https://a.example https://a.example//b.example',
    '(https://b.example)',
  ]);
});

test('fits tables into the columns: as written, narrowed, or as records', () => {
  const table = '| name | what it does |\n|:--|--:|\n| `a\\|b` | counts<br>words |\n| c | d |';
  expect(drawn(table)).toEqual([
    'name │ what it does',
    '─────┼─────────────',
    'a|b  │ counts words',
    'c    │            d',
  ]);
  expect(drawn('| one two three | four five six |\n|-|-|\n| a | b |', 22)).toEqual([
    'one two   │ four five',
    'three     │ six',
    '──────────┼──────────',
    'a         │ b',
  ]);
  expect(drawn(table, 16)).toEqual([
    'name │   what it',
    '     │      does',
    '─────┼──────────',
    'a|b  │    counts',
    '     │     words',
    'c    │         d',
  ]);
  expect(drawn(table, 14)).toEqual(['name: a|b', 'what it does:', 'counts words', '', 'name: c', 'what it does:', 'd']);
  expect(drawn('| a |\n|:-:|\n| wide | more |')).toEqual(['     a', '───────────', 'wide | more']);
});

test('shows HTML and the addresses of links and images as text', () => {
  expect(drawn('[x](javascript:alert(1)) ![p](file:///etc/passwd) <b>raw</b> &lt;')).toEqual([
    'x (javascript:alert(1)) [image: p] (file:///etc/passwd)',
    '<b>raw</b> <',
  ]);
});

test('names headings, code, quotes and tasks for screen readers', () => {
  const text = '# T\n\n```js\n1\n```\n\n| a | b |\n|-|-|\n| 1 | 2 |\n\n> q\n\n- [x] d\n  - i';
  const lines = markdownLines(text, {
    columns: 60,
    isScreenReader: true,
  });
  expect(words(lines)).toEqual([
    'Heading 1: T',
    '',
    'Code js',
    '  1',
    'End of code',
    '',
    'a: 1',
    'b: 2',
    '',
    'Quote: q',
    '',
    'Done: d',
    '◦ i',
  ]);
});

test('emits the same lines for every chunking of the text', () => {
  fc.assert(
    fc.property(textOf([...WORDS, ...CODE]), fc.array(fc.nat(200), { maxLength: 12 }), (text, cuts) => {
      const stream = new MarkdownStream({ columns: 30 });
      const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b), text.length];
      const lines = places.slice(1).flatMap((place, index) => stream.push(text.slice(places[index], place)));
      expect([...lines, ...stream.end()]).toEqual(markdownLines(text, { columns: 30 }));
    }),
  );
});

test('never exceeds the columns and never drops a word', () => {
  const count = (text: string) => text.match(/[wd日本12]/g)?.length ?? 0;
  fc.assert(
    fc.property(textOf(WORDS), fc.integer({ min: 2, max: 40 }), (text, columns) => {
      // The language of code is not shown.
      fc.pre(!/~{3}|`{3}/.test(text));
      const lines = markdownLines(text, { columns });
      for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(columns);
      expect(count(words(lines).join(''))).toBeGreaterThanOrEqual(count(text));
    }),
  );
});

test('the draft holds the pending text and draws like the finished one', () => {
  const stream = new MarkdownStream({ columns: 30 });
  stream.push('Done.\n\nHalf a **para');
  expect(stream.draft).toBe('Half a **para');
  expect(words(draftLines(stream.draft, { columns: 30, maxLines: 5 }))).toEqual(['Half a **para']);
  stream.push('graph**\n\n```py\na = 1\nb =');
  expect(stream.draft).toBe('```py\nb =');
  expect(words(draftLines(stream.draft, { columns: 30, maxLines: 5 }))).toEqual(['  b =']);
  stream.end();
  expect(stream.draft).toBe('');
});

test('stays linear for long answers and hostile input', () => {
  const text = Array.from({ length: 20_000 }, (_, index) => `line **${index}** of a long answer`).join('\n');
  expect(markdownLines(text, { columns: 80 })).toHaveLength(20_000);
  for (const nasty of [
    '*',
    '_a',
    '>',
    '> ',
    '- ',
    '`',
    '[',
    '![',
    '|',
    '\r',
    ' ',
    '<',
    '&',
    '\\',
    '1. ',
    '~~a',
    '#',
    '日',
  ]) {
    expect(markdownLines(nasty.repeat(20_000 / nasty.length), { columns: 80 }).length).toBeLessThan(10_000);
    markdownLines(`${nasty.repeat(50)}\n`.repeat(20), { columns: 80 });
  }
});

test('numbers ordered lists from their first number', () => {
  const shown = (text: string) => markdownLines(text, { columns: 40 }).map(plainText);
  expect(shown('1. first\n2. second\n   - inner\n3. third\n')).toEqual([
    '1. first',
    '2. second',
    '   ◦ inner',
    '3. third',
  ]);
  expect(shown('7. a\n8. b\n')).toEqual(['7. a', '8. b']);
  // A number in a paragraph is not a list, so it is not colored.
  const line = markdownLines('In the year\n1984. It was late.\n', { columns: 40 }).at(-1);
  expect(line).toEqual([{ text: '1984. It was late.' }]);
  expect(shown('- in the year\n  1984. It was late.\n')).toEqual(['• in the year', '  1984. It was late.']);
});

test('keeps the marker of an item that holds only an empty quote', () => {
  expect(markdownLines('1. > ', { columns: 20 }).map(plainText)).toEqual(['1. │ ']);
});

test('keeps the level of nested items at any indentation', () => {
  expect(drawn('- a\n    - b\n    - c\n        - d\n        - e\n\n  of a\n- f')).toEqual([
    '• a',
    '  ◦ b',
    '  ◦ c',
    '    ▪ d',
    '    ▪ e',
    '',
    '  of a',
    '• f',
  ]);
  expect(drawn('-   a\n    -   b\n\n    of a\n10. c\n    - d')).toEqual([
    '• a',
    '  ◦ b',
    '',
    '  of a',
    '10. c',
    '    ◦ d',
  ]);
});

test('reads Markdown between HTML tags', () => {
  expect(drawn('<details>\n<summary>**s**</summary>\n```js\nrun();\n```\n</details>')).toEqual([
    '<details>',
    '<summary>s</summary>',
    '  run();',
    '</details>',
  ]);
});

test('continues long lists, tables, quotes and paragraphs without repeating their beginning', () => {
  const numbers = Array.from({ length: 500 }, (_, index) => index + 1);
  const lines = (prefix: string) => numbers.map((number) => `${prefix}${number}`).join('\n');
  expect(drawn(numbers.map((number) => `1. ${number}`).join('\n'))).toEqual(
    numbers.map((number) => `${number}. ${number}`),
  );
  expect(drawn(`- > ${lines('  > ').slice(4)}`)).toEqual(
    numbers.map((number) => `${number === 1 ? '•' : ' '} │ ${number}`),
  );
  expect(drawn(`- \`\`\`\n${lines('  ')}\n  \`\`\`\n  end`)).toEqual([
    ...numbers.map((number) => `${number === 1 ? '•' : ' '}   ${number}`),
    '  end',
  ]);
  expect(
    drawn(`|a|b|\n|-|-|\n${numbers.map((number) => `|${number}|x|`).join('\n')}`).filter((line) => /a|x/.test(line)),
  ).toHaveLength(501);
});
