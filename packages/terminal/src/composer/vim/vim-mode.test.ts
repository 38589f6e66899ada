import { expect, test } from 'vitest';
import { KeyMap } from '../key-map.js';
import { offsetOf, placeOf, textOf } from '../text-buffer.js';
import { TextEditor } from '../text-editor.js';
import { VimMode } from './vim-mode.js';

const KEYS = new KeyMap();
const NAMED: Readonly<Record<string, string>> = { '\u001b': 'escape', '\u0012': 'ctrl+r', '\b': 'backspace' };

/** Presses the keys in normal mode; `|` is the cursor. */
function open(before: string) {
  const editor = new TextEditor();
  const at = before.indexOf('|');
  editor.insert(before.replace('|', ''));
  editor.moveTo(placeOf(editor.buffer, at));
  const vim = new VimMode(editor);
  const press = (keys: string) => {
    for (const key of keys) {
      const name = NAMED[key];
      const left = vim.press(name === undefined ? { kind: 'text', text: key } : { kind: 'key', name });
      for (const one of left) {
        if (one.kind === 'text') editor.type(one.text);
        else for (const action of KEYS.actionsOf(one.name)) editor.perform(action);
      }
    }
    const text = textOf(editor.buffer);
    const place = offsetOf(editor.buffer, editor.buffer.cursor);
    return `${text.slice(0, place)}|${text.slice(place)}`;
  };
  // Leaves insert mode without moving.
  vim.press({ kind: 'key', name: 'escape' });
  editor.moveTo(placeOf(editor.buffer, at));
  return { press, vim, editor };
}

test.each([
  // Motions and counts.
  ['one |two three', 'w', 'one two |three'],
  ['|a.b c', 'w', 'a|.b c'],
  ['|a.b c', 'W', 'a.b |c'],
  ['one two |three', '2b', '|one two three'],
  ['|one two', 'e', 'on|e two'],
  ['one |two', '0', '|one two'],
  ['  on|e', '^', '  |one'],
  ['|one', '$', 'on|e'],
  ['one\n|two\nthree', 'gg', '|one\ntwo\nthree'],
  ['|one\ntwo\nthree', 'G', 'one\ntwo\n|three'],
  ['|one\ntwo\nthree', '2G', 'one\n|two\nthree'],
  ['|a, b, c', '2f,', 'a, b|, c'],
  ['|a, b, c', 'f,;', 'a, b|, c'],
  ['|a, b', 't,', '|a, b'],
  ['a(b|[c])', '%', 'a(b[c|])'],
  ['|one', '5l', 'on|e'],
  ['|über größe', 'w', 'über |größe'],
  // Operators.
  ['one |two three', 'dw', 'one |three'],
  ['one |two\nthree', 'dw', 'one| \nthree'],
  ['|one two three', 'd2w', '|three'],
  ['|one two three', '2dw', '|three'],
  ['one |two three', 'd$', 'one| '],
  ['one |two three', 'D', 'one| '],
  ['one t|wo', 'db', 'one |wo'],
  ['a\n|b\nc', 'dd', 'a\n|c'],
  ['a\nb\n|c', 'dd', 'a\n|b'],
  ['|a\nb\nc', '2dd', '|c'],
  ['|a\nb\nc', 'dj', '|c'],
  ['|a', 'dd', '|'],
  ['|abc', 'x', '|bc'],
  ['|abc', '2x', '|c'],
  ['ab|c', 'X', 'a|c'],
  ['|a, b', 'df,', '| b'],
  ['|one two', 'cwnew\u001b', 'ne|w two'],
  ['o|ne', 'ccnew\u001b', 'ne|w'],
  ['|one two', 'Cx\u001b', '|x'],
  ['|ab', 'sxy\u001b', 'x|yb'],
  ['|one two', 'guw', '|one two'],
  ['|one two', 'gUiw', '|ONE two'],
  ['|Ab', '~', 'a|b'],
  ['|abc', '2rx', 'x|xc'],
  // Text objects.
  ['one t|wo three', 'diw', 'one | three'],
  ['one t|wo three', 'daw', 'one |three'],
  ['f("a |b")', 'ci"x\u001b', 'f("|x")'],
  ['f(a, |(b))', 'di(', 'f(a, (|))'],
  ['f(a|, (b))', 'da(', '|f'],
  // Registers.
  ['|one two', 'ywP', 'one| one two'],
  ['|a\nb', 'yyp', 'a\n|a\nb'],
  ['|a\nb', 'yyGP', 'a\n|a\nb'],
  ['|ab', 'xp', 'b|a'],
  // Insert, undo, repeat.
  ['b|c', 'iX\u001b', 'b|Xc'],
  ['|bc', 'aX\u001b', 'b|Xc'],
  [' b|c', 'IX\u001b', ' |Xbc'],
  ['|bc', 'AX\u001b', 'bc|X'],
  ['|a', 'ob\u001b', 'a\n|b'],
  ['|a', 'Ob\u001b', '|b\na'],
  ['|a\n  b', 'J', 'a| b'],
  ['|one two', 'dwu', '|one two'],
  ['|one two', 'dwu\u0012', '|two'],
  ['|a b c', 'dw.', '|c'],
  ['|a b', 'cwx\u001bw.', 'x |x'],
  ['|a b c', 'xu2x', '|b c'],
  // Visual.
  ['|one two', 'ved', '| two'],
  ['one |two', 'viwcx\u001b', 'one |x'],
  ['|a\nb\nc', 'Vjd', '|c'],
  ['|ab', 'vlU', '|AB'],
  ['|abc', 'vlod', '|c'],
  ['|a b', 'ywwviwp', 'a a| '],
  ['|a b c d', 'c3wx\u001b', '|x d'],
  // Unknown keys do nothing.
  ['|abc', 'zq\u001bx', '|bc'],
  ['|abc', 'd\u001bx', '|bc'],
  ['|abc', '999999999x', '|'],
])('%j after %j is %j', (before, keys, after) => {
  expect(open(before).press(keys)).toBe(after);
});

test('rows and the history are left to the composer, as are Enter and an idle Escape', () => {
  const { vim } = open('|a');
  const text = (keys: string) => vim.press({ kind: 'text', text: keys });
  expect(text('2k')).toEqual([
    { kind: 'key', name: 'up' },
    { kind: 'key', name: 'up' },
  ]);
  for (const name of ['enter', 'ctrl+c', 'escape']) {
    expect(vim.press({ kind: 'key', name })).toEqual([{ kind: 'key', name }]);
  }
  expect(text('d')).toEqual([]);
  expect(vim.view.label).toBe('NORMAL d');
  expect(vim.press({ kind: 'key', name: 'escape' })).toEqual([]);
});

test('the view names the mode and the selection', () => {
  const { press, vim } = open('one\n|two');
  press('vk');
  expect(vim.view).toEqual({
    label: 'VISUAL',
    selection: { from: { line: 0, offset: 0 }, to: { line: 1, offset: 1 } },
  });
  press('\u001bi');
  expect(vim.view).toEqual({ label: 'INSERT' });
});
