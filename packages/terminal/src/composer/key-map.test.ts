import { expect, test } from 'vitest';
import { createComposer } from '../../test/composer-fixture.js';
import { plainText } from '../lines/styled-line.js';
import { lineWidth } from '../lines/text-width.js';
import { shortcutLines } from '../screen/shortcut-lines.js';
import { KeyMap } from './key-map.js';

test('a binding replaces the default keys of its action and takes its keys from other actions', () => {
  const map = new KeyMap({ searchHistory: 'Ctrl+F', openEditor: ['alt+e', 'ctrl+k ctrl+e'], redraw: [] });
  expect(map.actionsOf('ctrl+f')).toEqual(['searchHistory']);
  expect(map.actionsOf('ctrl+r')).toEqual([]);
  expect(map.actionsOf('right')).toEqual(['right']);
  expect(map.actionsOf('ctrl+k ctrl+e')).toEqual(['openEditor']);
  expect(map.actionsOf('ctrl+k')).toEqual([]);
  expect([map.startsSequence('ctrl+k'), map.startsSequence('ctrl+x')]).toEqual([true, false]);
  expect(map.labelsOf('openEditor')).toEqual(['Alt-E', 'Ctrl-K Ctrl-E']);
  expect(map.labelsOf('redraw')).toEqual([]);
});

test('an action that depends on the situation leaves the key to the others', () => {
  expect(new KeyMap().actionsOf('ctrl+b')).toEqual(['background', 'left']);
  expect(new KeyMap({ background: 'ctrl+f' }).actionsOf('ctrl+f')).toEqual(['background', 'right']);
  expect(new KeyMap({ searchHistory: 'ctrl+b' }).actionsOf('ctrl+b')).toEqual(['searchHistory']);
});

test('the help shows the bound keys and leaves out what has none', () => {
  const help = shortcutLines(new KeyMap({ showFull: ['alt+o'], suspend: [], rewind: 'alt+r' }), 80)
    .map(plainText)
    .join('\n');
  expect(help).toMatch(/^Alt-O +print the last thinking/m);
  expect(help).toMatch(/^Alt-R +rewind/m);
  expect(help).toMatch(/^Shift-Enter, Ctrl-J +new line/m);
  expect(help).not.toContain('suspend');
});

test.each([60, 40, 20, 4])('the help breaks between words in %i columns', (columns) => {
  const lines = shortcutLines(new KeyMap(), columns);
  const words = lines.map(plainText).join(' ').replaceAll(/\s+/g, ' ');
  expect(words).toContain(columns > 4 ? 'move the running command to the background' : 'Ctrl-B');
  if (columns > 20) expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(columns);
});

test('the input uses the bound keys', async () => {
  const composer = createComposer({
    prompts: ['run the tests', 'run the linter'],
    keys: { searchHistory: 'ctrl+f', deleteToSpace: 'alt+w', openEditor: 'ctrl+x e', undo: 'ctrl+x u', quit: 'ctrl+q' },
    editText: async (text) => `${text} edited`,
  });
  composer.type('one two');
  composer.press('ctrl+w');
  expect(composer.text).toBe('one two');
  composer.press('alt+w');
  expect(composer.text).toBe('one ');
  composer.press('ctrl+q', 'ctrl+d');
  expect(composer.calls).toEqual([]);
  composer.press('ctrl+x');
  composer.type('e');
  await composer.settle();
  expect(composer.text).toBe('one  edited');
  composer.press('escape', 'escape', 'ctrl+q');
  expect(composer.calls).toEqual(['leave']);
  composer.press('ctrl+f');
  await composer.settle();
  composer.type('run');
  composer.press('ctrl+f', 'enter');
  expect(composer.text).toBe('run the tests');
});
