import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainText } from '../../lines/styled-line.js';
import { codePainter } from './code-painter.js';

/** Each coloured run with its colour. */
function colours(language: string, ...lines: readonly string[]): readonly string[] {
  const paint = codePainter(language);
  return lines
    .flatMap((line) => paint(line))
    .flatMap(({ text, token }) => (token === undefined ? [] : [`${token} ${text.trim()}`]));
}

test('words, strings, numbers and comments have their colours', () => {
  expect(colours('ts', 'const a = "x\\"y"; // const', 'call(Thing, 0x1f)')).toEqual([
    'AccentPurple const',
    'AccentGreen "x\\"y"',
    'Gray // const',
    'AccentBlue call',
    'AccentCyan Thing',
    'AccentYellow 0x1f',
  ]);
  expect(colours('sql', "SELECT 'a' FROM t -- all")).toEqual([
    'AccentPurple SELECT',
    "AccentGreen 'a'",
    'AccentPurple FROM',
    'Gray -- all',
  ]);
});

test('what is left open goes on in the next line', () => {
  expect(colours('js', 'a /* if', 'if */ if `b', '\\` if` 1')).toEqual([
    'Gray /* if',
    'Gray if */',
    'AccentPurple if',
    'AccentGreen `b',
    'AccentGreen \\` if`',
    'AccentYellow 1',
  ]);
  expect(colours('py', 'x = """if', 'if"""')).toEqual(['AccentGreen """if', 'AccentGreen if"""']);
  expect(colours('html', '<!-- <p>', '--><p class="a">')).toEqual([
    'Gray <!-- <p>',
    'Gray -->',
    'AccentPurple <p',
    'AccentBlue class',
    'AccentGreen "a"',
    'AccentPurple >',
  ]);
});

test('data has its names and values', () => {
  expect(colours('json', '{"a": ["b", -1.5, true]}')).toEqual([
    'AccentBlue "a"',
    'AccentGreen "b"',
    'AccentYellow -1.5',
    'AccentPurple true',
  ]);
  expect(colours('yaml', '- name: "x" # y')).toEqual(['AccentBlue - name', 'AccentGreen "x"', 'Gray # y']);
  expect(colours('diff', '+a', '-b', ' c')).toEqual(['DiffAdded +a', 'DiffRemoved -b']);
  expect(colours('css', 'a { color: #fff; }')).toEqual(['AccentBlue color', 'AccentYellow #fff']);
  expect(colours('bash', 'echo "$A" --b $C # d')).toEqual([
    'AccentPurple echo',
    'AccentGreen "$A"',
    'AccentCyan --b',
    'AccentBlue $C',
    'Gray # d',
  ]);
});

test('a language that we do not know is plain, whatever it is called', () => {
  for (const language of ['', 'klingon', 'constructor', '__proto__']) expect(colours(language, 'if "a"')).toEqual([]);
});

const LANGUAGES = 'js py sh json yaml toml css html go rust c java php ruby lua sql diff md dockerfile'.split(' ');

test('in every language no character is lost, whatever the lines are', () => {
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

test.each(LANGUAGES)('%s: nothing nasty makes a line slow', (language) => {
  const paint = codePainter(language);
  for (const nasty of ['"', "'", '\\', '`', 'a', ' ', '-', '<', '{', '${', '[', '*', '1', '1_', '.', '# ', 'a.']) {
    const text = nasty.repeat(2_000 / nasty.length);
    expect(plainText(paint(text))).toHaveLength(text.length);
  }
});
