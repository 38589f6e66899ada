import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toBorder } from './grapheme-borders.js';
import { KeyMap } from './key-map.js';
import { DELETIONS, KILLS, MOVES } from './motions.js';
import { lineAt, type TextBuffer, textOf } from './text-buffer.js';
import { TextEditor } from './text-editor.js';
import { type Layout, wrapText } from './wrap-text.js';

const KEYS = new KeyMap();

function press(editor: TextEditor, key: string): void {
  KEYS.actionsOf(key).some((action) => editor.perform(action) !== undefined);
}

/** An editor with a text and the cursor where the `|` is. */
function editorOf(text: string): TextEditor {
  const editor = new TextEditor();
  const [before = '', behind = ''] = text.split('|');
  editor.insert(behind);
  press(editor, 'ctrl+home');
  editor.insert(before);
  return editor;
}

function marked({ buffer }: TextEditor): string {
  const { line, offset } = buffer.cursor;
  return buffer.lines
    .map((text, index) => (index === line ? `${text.slice(0, offset)}|${text.slice(offset)}` : text))
    .join('\n');
}

test.each([
  ['ctrl+a', 'one two|', '|one two'],
  ['home', 'a\nb c|', 'a\n|b c'],
  ['ctrl+e', 'o|ne\nb', 'one|\nb'],
  ['ctrl+b', 'a\n|b', 'a|\nb'],
  ['ctrl+f', 'a|\nb', 'a\n|b'],
  ['left', '👨‍👩‍👧|', '|👨‍👩‍👧'],
  ['right', '|e\u0301x', 'e\u0301|x'],
  ['alt+b', 'src/main file|', 'src/main |file'],
  ['ctrl+left', 'one two  |', 'one |two  '],
  ['alt+f', 'one| two three', 'one two| three'],
  ['ctrl+right', 'a|\nb', 'a\n|b'],
  ['alt+f', '|你好世界', '你好|世界'],
  ['ctrl+home', 'a\nb|', '|a\nb'],
  ['ctrl+end', '|a\nb', 'a\nb|'],
  ['backspace', 'a\n|b', 'a|b'],
  ['backspace', 'x👍🏽|', 'x|'],
  ['ctrl+h', 'ab|', 'a|'],
  ['delete', 'a|\nb', 'a|b'],
  ['ctrl+d', '|ab', '|b'],
  ['ctrl+w', 'git log --one-line |', 'git log |'],
  ['alt+backspace', 'git log --one-line|', 'git log --one-|'],
  ['alt+d', 'one| two three', 'one| three'],
  ['ctrl+u', 'a\none| two', 'a\n| two'],
  ['ctrl+u', 'a\n|b', 'a|b'],
  ['ctrl+k', 'one| two\nb', 'one|\nb'],
  ['ctrl+k', 'one|\nb', 'one|b'],
  ['ctrl+t', 'teh|', 'the|'],
  ['ctrl+t', 'a|b', 'ba|'],
])('%s makes of %j %j', (key, before, after) => {
  const editor = editorOf(before);
  press(editor, key);
  expect(marked(editor)).toBe(after);
});

test('consecutive kills are yanked together', () => {
  const editor = editorOf('one two three| four');
  press(editor, 'ctrl+w');
  press(editor, 'ctrl+w');
  press(editor, 'ctrl+k');
  expect(marked(editor)).toBe('one |');
  press(editor, 'ctrl+y');
  expect(marked(editor)).toBe('one two three four|');
  press(editor, 'left');
  press(editor, 'ctrl+u');
  press(editor, 'ctrl+y');
  press(editor, 'ctrl+y');
  expect(marked(editor)).toBe('one two three fouone two three fou|r');
});

test('undo reverts typed words one by one, and redo reapplies them until the next edit', () => {
  const editor = new TextEditor();
  for (const character of 'fix the bug') editor.type(character);
  press(editor, 'ctrl+_');
  expect(marked(editor)).toBe('fix the|');
  press(editor, 'ctrl+_');
  press(editor, 'ctrl+_');
  press(editor, 'ctrl+_');
  expect(marked(editor)).toBe('|');
  press(editor, 'alt+_');
  press(editor, 'ctrl+shift+z');
  expect(marked(editor)).toBe('fix the|');
  editor.type('n');
  press(editor, 'alt+_');
  expect(marked(editor)).toBe('fix then|');
});

test('an atom moves, deletes and undoes as one character', () => {
  const editor = editorOf('a|b');
  editor.insertAtom({ kind: 'paste', number: 1, label: '[Pasted text #1 +20 lines]', text: 'long' });
  const withAtom = textOf(editor.buffer);
  press(editor, 'left');
  expect(editor.buffer.cursor.offset).toBe(1);
  press(editor, 'right');
  press(editor, 'backspace');
  expect(marked(editor)).toBe('a|b');
  press(editor, 'ctrl+_');
  expect(textOf(editor.buffer)).toBe(withAtom);
  expect([...editor.atoms.values()]).toMatchObject([{ text: 'long' }]);
});

test('Up and Down keep their column across shorter and wrapped lines', () => {
  const layout: Layout = { columns: 10, atoms: new Map() };
  const editor = editorOf('0123456|89\nab\nlong words that wrap');
  const places = ['down', 'down', 'down', 'down', 'up', 'up', 'up', 'up'].map((direction) => {
    const isMoved = editor.moveByRow(direction === 'up' ? 'up' : 'down', layout);
    return isMoved ? marked(editor).replaceAll('\n', '/') : 'no further';
  });
  expect(wrapText('long words that wrap', layout)).toHaveLength(2);
  expect(places).toEqual([
    '012345689/ab|/long words that wrap',
    '012345689/ab/long wo|rds that wrap',
    '012345689/ab/long words that wr|ap',
    'no further',
    '012345689/ab/long wo|rds that wrap',
    '012345689/ab|/long words that wrap',
    '0123456|89/ab/long words that wrap',
    'no further',
  ]);
});

/** Pieces that combine in unusual ways. */
const strange = fc.string({
  unit: fc.constantFrom(
    'a',
    'B',
    ' ',
    '\n',
    '\t',
    '.',
    '你',
    'é',
    '\u0301',
    '\u200d',
    '👩',
    '🏽',
    '🇩',
    '🇪',
    '\u0600',
    'ก',
    'ำ',
  ),
  maxLength: 12,
});
const action = fc.oneof(
  strange.map((text) => ({ kind: 'type', text }) as const),
  strange.map((text) => ({ kind: 'insert', text }) as const),
  fc.constant({ kind: 'atom' } as const),
  fc.constantFrom('up', 'down').map((direction) => ({ kind: 'row', direction }) as const),
  fc
    .constantFrom(
      ...MOVES.keys(),
      ...DELETIONS.keys(),
      ...KILLS.keys(),
      'insertDeleted' as const,
      'swapCharacters' as const,
    )
    .map((edit) => ({ kind: 'edit', edit }) as const),
);

function act(editor: TextEditor, step: ActionOf<typeof action>): void {
  if (step.kind === 'type') editor.type(step.text);
  else if (step.kind === 'insert') editor.insert(step.text);
  else if (step.kind === 'row') editor.moveByRow(step.direction, { columns: 7, atoms: editor.atoms });
  else if (step.kind === 'edit') editor.perform(step.edit);
  else editor.insertAtom({ kind: 'paste', number: 1, label: '[Pasted]', text: 'x' });
}
type ActionOf<Source> = Source extends fc.Arbitrary<infer Value> ? Value : never;

function isOnBorder({ lines, cursor }: TextBuffer): boolean {
  return toBorder(lineAt({ lines }, cursor.line), cursor.offset) === cursor.offset;
}

test('the cursor stays between graphemes and undo restores each text', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (steps) => {
      const editor = new TextEditor();
      const texts = [''];
      for (const step of steps) {
        act(editor, step);
        expect(isOnBorder(editor.buffer)).toBe(true);
        const text = textOf(editor.buffer);
        if (text !== texts.at(-1)) texts.push(text);
      }
      const final = textOf(editor.buffer);
      const back: string[] = [];
      for (let count = 0; count <= steps.length; count += 1) {
        press(editor, 'ctrl+_');
        back.push(textOf(editor.buffer));
      }
      expect(back.every((text) => texts.includes(text))).toBe(true);
      expect(textOf(editor.buffer)).toBe('');
      for (let count = 0; count <= steps.length; count += 1) press(editor, 'alt+_');
      expect(textOf(editor.buffer)).toBe(final);
    }),
  );
});

test('moving the cursor changes no text', () => {
  fc.assert(
    fc.property(
      strange,
      fc.array(fc.constantFrom(...MOVES.keys(), 'up' as const, 'down' as const), { maxLength: 20 }),
      (text, keys) => {
        const editor = editorOf(text);
        for (const key of keys) {
          if (key === 'up' || key === 'down') editor.moveByRow(key, { columns: 5, atoms: editor.atoms });
          else editor.perform(key);
        }
        expect(textOf(editor.buffer)).toBe(text);
      },
    ),
  );
});
