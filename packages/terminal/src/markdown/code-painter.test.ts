import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { plainText } from '../lines/styled-line.js';
import { codePainter, loadHighlighter } from './code-painter.js';

beforeAll(loadHighlighter);

/** Each colored run with its color. */
function colors(language: string, ...lines: readonly string[]): readonly string[] {
  const paint = codePainter(language);
  return lines
    .flatMap((line) => paint(line))
    .flatMap(({ text, token }) => (token === undefined ? [] : [`${token} ${text.trim()}`]));
}

test('colors keywords, strings, numbers and comments', () => {
  expect(colors('ts', 'const a = "x\\"y"; // const', 'call(Thing, 0x1f)')).toEqual([
    'AccentPurple const',
    'AccentGreen "x\\"y"',
    'Gray // const',
    'AccentBlue call',
    'AccentCyan Thing',
    'AccentYellow 0x1f',
  ]);
  expect(colors('sql', "SELECT 'a' FROM t -- all")).toEqual([
    'AccentPurple SELECT',
    "AccentGreen 'a'",
    'AccentPurple FROM',
    'Gray -- all',
  ]);
});

test('continues open strings and comments on the next line', () => {
  expect(colors('js', 'a /* if', 'if */ if `b', '\\` if` 1')).toEqual([
    'Gray /* if',
    'Gray if */',
    'AccentPurple if',
    'AccentGreen `b',
    'AccentGreen \\` if`',
    'AccentYellow 1',
  ]);
  expect(colors('py', 'x = """if', 'if"""')).toEqual(['AccentGreen """if', 'AccentGreen if"""']);
  expect(colors('html', '<!-- <p>', '--><p class="a">')).toEqual([
    'Gray <!-- <p>',
    'Gray -->',
    'AccentPurple p',
    'AccentBlue class',
    'AccentGreen "a"',
  ]);
});

test('colors names and values of data formats', () => {
  expect(colors('json', '{"a": ["b", -1.5, true]}')).toEqual([
    'AccentBlue "a"',
    'AccentGreen "b"',
    'AccentYellow -1.5',
    'AccentPurple true',
  ]);
  expect(colors('yaml', '- name: "x" # y')).toEqual([
    'AccentBlue -',
    'AccentBlue name:',
    'AccentGreen "x"',
    'Gray # y',
  ]);
  expect(colors('diff', '+a', '-b', ' c')).toEqual(['DiffAdded +a', 'DiffRemoved -b']);
  expect(colors('css', 'a { color: #fff; }')).toEqual(['AccentPurple a', 'AccentBlue color', 'AccentYellow #fff']);
  expect(colors('bash', 'echo "$A" --b $C # d')).toEqual([
    'AccentCyan echo',
    'AccentGreen "',
    'AccentBlue $A',
    'AccentGreen "',
    'AccentBlue $C',
    'Gray # d',
  ]);
});

test('leaves unknown languages plain', () => {
  for (const language of ['', 'klingon', 'constructor', '__proto__']) expect(colors(language, 'if "a"')).toEqual([]);
});

const LANGUAGES = 'js py sh json yaml toml css html go rust c java php ruby lua sql diff md dockerfile'.split(' ');

test('never drops or changes a character', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...LANGUAGES),
      fc.array(fc.string({ unit: fc.constantFrom(...'ab "\'`/*#-<>!=${}[]\\:@.1|日'.split('')) }), { maxLength: 6 }),
      (language, lines) => {
        const paint = codePainter(language);
        for (const line of lines) expect(plainText(paint(line))).toBe(line);
      },
    ),
  );
});

test.each(LANGUAGES)('%s stays linear for hostile lines', (language) => {
  const paint = codePainter(language);
  for (const nasty of ['"', "'", '\\', '`', 'a', ' ', '-', '<', '{', '${', '[', '*', '1', '1_', '.', '# ', 'a.']) {
    const text = nasty.repeat(2_000 / nasty.length);
    expect(plainText(paint(text))).toHaveLength(text.length);
  }
});

test('keeps a string open over any number of lines', () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index} isn't code`);
  expect(colors('py', 'a = """', ...lines, '""" if')).toEqual([
    'AccentGreen """',
    ...lines.map((line) => `AccentGreen ${line}`),
    'AccentGreen """',
    'AccentPurple if',
  ]);
});
