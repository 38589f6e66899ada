import { lstat, mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { loadSettings } from './load-settings.js';
import { saveUserSetting } from './save-user-setting.js';
import { NO_SETTINGS } from './settings.js';
import { loadUiSettings } from './ui-settings.js';

const BY_HAND = `{
    // mine
    "model": "m",   /* odd
    spacing */
    "permissions": { "deny": ["Read(.env)"] },
    "of-another-program": [1,2,  3],
}
`;

async function fixture() {
  const folder = await temporaryFolder();
  const place = { configDir: folder.resolve('home') };
  const text = () => readFile(folder.resolve('home/settings.json'), 'utf8');
  return { folder, place, text, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test('one member changes and the rest stays byte for byte', async () => {
  await using at = await fixture();
  await at.folder.write('home/settings.json', BY_HAND);
  await saveUserSetting(['model'], 'other', at.place);
  expect(await at.text()).toBe(BY_HAND.replace('"m"', '"other"'));
  await saveUserSetting(['ui', 'theme'], 'dark', at.place);
  const changed = BY_HAND.replace('"m"', '"other"');
  expect(await at.text()).toBe(changed.replace(/\n}\n$/, '\n    "ui": {\n        "theme": "dark"\n    },\n}\n'));
  await saveUserSetting(['ui'], undefined, at.place);
  expect(await at.text()).toBe(changed);
});

test('line ends, tabs and a byte order mark stay', async () => {
  await using at = await fixture();
  await at.folder.write('home/settings.json', '\ufeff{\r\n\t"model": "m"\r\n}\r\n');
  await saveUserSetting(['ui', 'screenReader'], true, at.place);
  expect(await at.text()).toBe('\ufeff{\r\n\t"model": "m",\r\n\t"ui": {\r\n\t\t"screenReader": true\r\n\t}\r\n}\r\n');
});

test.each(['', ' \n', undefined])('a missing or empty file is created for the user only', async (before) => {
  await using at = await fixture();
  if (before !== undefined) await at.folder.write('home/settings.json', before);
  await saveUserSetting(['ui', 'editor'], 'vim', at.place);
  expect(JSON.parse(await at.text())).toEqual({ ui: { editor: 'vim' } });
  expect((await stat(at.folder.resolve('home/settings.json'))).mode & 0o777).toBe(0o600);
});

test.each([
  ['{ "permissions": {"deny": ', 'dark'],
  ['[]', 'dark'],
  ['{ "ui": 1 }', 'dark'],
  ['{}', 7],
])('%s with the theme %j is reported and left unchanged', async (broken, theme) => {
  verifies('S51');
  await using at = await fixture();
  await at.folder.write('home/settings.json', broken);
  await expect(saveUserSetting(['ui', 'theme'], theme, at.place)).rejects.toMatchObject({ code: 'invalid_settings' });
  expect(await at.text()).toBe(broken);
});

test('a link to the file stays a link', async () => {
  await using at = await fixture();
  const kept = await at.folder.write('dotfiles/qwen.json', '{ "model": "m" }');
  await mkdir(at.folder.resolve('home'));
  await symlink(kept, at.folder.resolve('home/settings.json'));
  await saveUserSetting(['ui', 'theme'], 'dark', at.place);
  expect(await readFile(kept, 'utf8')).toBe('{ "model": "m", "ui": {"theme":"dark"} }');
  expect((await lstat(at.folder.resolve('home/settings.json'))).isSymbolicLink()).toBe(true);
});

test('concurrent changes lose none', async () => {
  await using at = await fixture();
  await Promise.all([
    saveUserSetting(['model'], 'm', at.place),
    saveUserSetting(['ui', 'theme'], 'light', at.place),
    saveUserSetting(['ui', 'screenReader'], true, at.place),
  ]);
  expect(JSON.parse(await at.text())).toEqual({ model: 'm', ui: { theme: 'light', screenReader: true } });
});

test('the terminal reads saved values; a project cannot change them', async () => {
  await using at = await fixture();
  const cwd = at.folder.resolve('repo');
  await at.folder.write('repo/.qwen/settings.json', '{"ui":{"theme":"none","editor":"touch canary"}}');
  await saveUserSetting(['ui', 'theme'], 'ansi', at.place);
  const load = async (flags: object) => loadUiSettings(await loadSettings({ ...at.place, cwd, flags }), {});
  const expected = {
    theme: 'ansi',
    screenReader: false,
    windowTitle: true,
    notifications: true,
    vimMode: false,
    keys: {},
  };
  expect(await load({ trustProject: true })).toEqual(expected);
  expect(await load({ settings: '{"ui":{"screenReader":true}}' })).toEqual({ ...expected, screenReader: true });
});

test.each([
  [{}, {}, undefined],
  [{}, { EDITOR: 'ed' }, 'ed'],
  [{}, { EDITOR: 'ed', VISUAL: 'code --wait' }, 'code --wait'],
  [{ editor: 'hx' }, { EDITOR: 'ed', VISUAL: 'code --wait' }, 'hx'],
])('the editor of the settings %j and the environment %j is %s', (ui, environment, editor) => {
  expect(loadUiSettings({ ...NO_SETTINGS, ui }, environment).editor).toBe(editor);
});
