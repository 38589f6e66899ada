import { expect, test } from 'vitest';
import { checkSettings } from './check-settings.js';
import { findKeyIssues, parseKeys } from './key-bindings.js';

test.each([
  ['Ctrl+R', 'ctrl+r'],
  ['alt+ctrl+x', 'ctrl+alt+x'],
  ['option+Left', 'alt+left'],
  ['ctrl+x  ctrl+e', 'ctrl+x ctrl+e'],
  ['ctrl+x e', 'ctrl+x e'],
  ['ctrl++', 'ctrl++'],
  ['ctrl+shift+z', 'ctrl+shift+z'],
  ['PageUp', 'pageup'],
  ['e', undefined],
  ['3', undefined],
  ['alt+shift+b', undefined],
  ['ctrl+', undefined],
  ['ctrl+ctrl+b', undefined],
  ['hyper+b', undefined],
  ['f5', undefined],
  ['ctrl+a ctrl+b ctrl+c', undefined],
  ['', undefined],
])('%j is the key %j', (text, keys) => {
  expect(parseKeys(text)).toBe(keys);
});

test.each([
  [{ redraw: 'y' }, 'ui.keys.redraw', 'is not a key that terminals report'],
  [{ redraw: ['ctrl+l', 'enter'] }, 'ui.keys.redraw.1', 'Enter has a fixed meaning'],
  [{ undo: 'ctrl+x ctrl+c' }, 'ui.keys.undo', 'Ctrl-C has a fixed meaning'],
  [{ undo: 'ctrl+m' }, 'ui.keys.undo', 'Enter has a fixed meaning'],
  [{ changeMode: 'down' }, 'ui.keys.changeMode', 'is used to answer questions'],
  [{ suspend: 'ctrl+p' }, 'ui.keys.suspend', 'is used to answer questions'],
  [{ showFull: 'alt+enter' }, 'ui.keys.showFull', 'is used to answer questions'],
  [{ showFull: 'ctrl+x o' }, 'ui.keys.showFull', 'needs a single key'],
  [{ undo: 'alt+u', redraw: 'Alt+U' }, 'ui.keys.undo', 'conflicts with "alt+u" of ui.keys.redraw'],
  [{ undo: 'ctrl+x u', redo: ['ctrl+x'] }, 'ui.keys.redo.0', 'conflicts with "ctrl+x u" of ui.keys.undo'],
])('%j: %s %s', (keys, path, problem) => {
  const checked = checkSettings({ ui: { keys } }, 'user');
  const issues = checked.ok ? [] : checked.issues.map((issue) => [issue.path.join('.'), issue.problem]);
  expect(issues).toEqual([[path, expect.stringContaining(problem) as unknown]]);
});

test('an action that depends on the situation can share a key', () => {
  expect(findKeyIssues({ sendLater: 'ctrl+s', newLine: ['ctrl+s', 'ctrl+s'], changeMode: 'shift+tab' })).toEqual([]);
});
