import { verifies } from '@qwen/testkit';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapePath } from './path-characters.js';
import { nextMention } from './read-mention.js';

/** What each mention of a text would be when nothing exists. */
function guesses(text: string): string[] {
  const found: string[] = [];
  for (let mention = nextMention(text); mention !== undefined; mention = nextMention(text, mention.guess.end)) {
    found.push(mention.guess.path);
  }
  return found;
}

function readings(text: string): string[] {
  return nextMention(text)?.readings.map(({ path }) => path) ?? [];
}

describe('an @ begins a mention', () => {
  test.each([
    ['at the start', '@src/a.ts', ['src/a.ts']],
    ['behind a blank, anywhere', 'Please look at @src/a.ts and @b.', ['src/a.ts', 'b']],
    ['behind punctuation', '(@a.ts),[@b.ts],"@c.ts"', ['a.ts', 'b.ts', 'c.ts']],
    ['behind words of scripts without blanks', '请看@src/main.py，谢谢', ['src/main.py']],
    ['behind two backslashes, which are one', '\\\\@a', ['a']],
    ['in the next line', 'one\n@two', ['two']],
  ])('%s', (_where, text, expected) => {
    verifies('CF-23', 'F-02', 'Q-88');
    expect(guesses(text)).toEqual(expected);
  });

  test.each([
    ['in an address', 'mail jane.doe@example.com or müller@example.com'],
    ['behind a backslash', 'write \\@Override and \\@src/a.ts'],
    ['in a URL', 'https://example.com/package/@types/node'],
    ['in a version', 'npm i left-pad@1.2.3'],
    ['when nothing stands behind it', 'at @ or @@ -1 +1 @@ or @'],
  ])('not %s', (_where, text) => {
    verifies('CF-23', 'F-03', 'GAP-27');
    expect(guesses(text)).toEqual([]);
  });
});

describe('a path ends', () => {
  test.each([
    ['at a blank', '@a/b.ts c', ['a/b.ts']],
    ['behind an escaped blank only at the next', '@a\\ b.ts c', ['a b.ts']],
    ['behind an escaped @', '@icons/a\\@2x.png', ['icons/a@2x.png']],
    ['with its quotes', '@"a b/c d.ts" e', ['a b/c d.ts']],
    ['as if quotes that nobody closes were letters', '@"a b', ['"a']],
    [
      'before the punctuation of the sentence',
      'See @src/a.ts. Or @b.ts, @c.ts; @d.ts: @e.ts! @f.ts?',
      ['src/a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts', 'f.ts'],
    ],
    ['before brackets that it did not open', '(see @src/a.ts) [@b]', ['src/a.ts', 'b']],
    ['behind brackets that it opened', '@app/[id]/page.tsx', ['app/[id]/page.tsx']],
    ['before full-width punctuation', '看@src/a.ts，还有@b.ts。', ['src/a.ts', 'b.ts']],
    ['behind braces with commas', '@src/*.{ts,tsx}, please', ['src/*.{ts,tsx}']],
    ['not at the dots of folders', '@. and @.. and @../x', ['.', '..', '../x']],
  ])('%s', (_where, text, expected) => {
    verifies('GAP-27', 'GAP-28');
    expect(guesses(text)).toEqual(expected);
  });

  test('at each possible place, the longest reading first', () => {
    verifies('GAP-28');
    expect(readings('@a.ts的内容')).toEqual(['a.ts的内容', 'a.ts的内', 'a.ts的', 'a.ts']);
    expect(readings('@a.ts,b.ts.')).toEqual(['a.ts,b.ts.', 'a.ts,b.ts', 'a.ts']);
    expect(readings('@a.ts).')).toEqual(['a.ts).', 'a.ts)', 'a.ts']);
    expect(readings('@a.ts:12')).toEqual(['a.ts:12', 'a.ts']);
  });

  test('dots alone are a folder only at the end', () => {
    expect(readings('@.')).toEqual(['.']);
    expect(readings('@...')).toEqual(['...']);
    expect(readings('@..)')).toEqual(['..)']);
    expect(readings('@../x.')).toEqual(['../x.', '../x']);
  });

  test('never in the middle of a word', () => {
    expect(readings('@package.jsn')).toEqual(['package.jsn']);
    expect(readings('@src-old/café.md')).toEqual(['src-old/café.md']);
  });
});

test('any escaped path is read back unchanged, within any text', () => {
  verifies('GAP-27', 'GAP-28', 'G-19');
  const path = fc
    .array(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 4 })
    .map((names) => names.join('/'))
    .filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(
      path,
      fc.constantFrom('', ' ', '看 ', '(', 'see '),
      fc.constantFrom('', ' ', ' und', '\nx'),
      (name, before, after) => {
        const text = `${before}@${escapePath(name)}${after}`;
        const mention = nextMention(text);
        expect(mention?.start).toBe(before.length);
        expect(mention?.readings[0]?.path).toBe(name);
      },
    ),
  );
});

test('any text is read to its end, and every reading lies inside it', () => {
  const piece = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('@', '\\', '"', ' ', '@"', '，', '.', '的'));
  fc.assert(
    fc.property(
      fc.array(piece).map((pieces) => pieces.join('')),
      (text) => {
        let from = 0;
        for (let mention = nextMention(text); mention !== undefined; mention = nextMention(text, from)) {
          expect(text[mention.start]).toBe('@');
          expect(mention.start).toBeGreaterThanOrEqual(from);
          for (const { path, end } of [...mention.readings, mention.guess]) {
            expect(path).not.toBe('');
            expect(end).toBeGreaterThan(mention.start);
            expect(end).toBeLessThanOrEqual(text.length);
          }
          from = mention.guess.end;
        }
      },
    ),
  );
});

test('a hostile text is read in linear time', () => {
  verifies('F145');
  const texts = ['@'.repeat(100_000), '\\'.repeat(100_000), `@${'a)'.repeat(50_000)}`, `@"${'\\'.repeat(100_000)}`];
  for (const text of texts) expect(guesses(text).length).toBeLessThanOrEqual(1);
});
