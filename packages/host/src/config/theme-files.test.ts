import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { listThemeFiles, readTheme } from './theme-files.js';

test('themes are the JSON files of a folder of the user', async () => {
  await using folder = await temporaryFolder();
  expect(listThemeFiles(folder.path)).toEqual([]);
  await folder.write('themes/night.json', '{ // comment\n  "colors": { "AccentRed": "#F80" },\n}');
  for (const name of ['dark.json', '.hidden.json', 'notes.txt']) await folder.write(`themes/${name}`, '{}');
  expect(listThemeFiles(folder.path)).toEqual(['night']);
  expect(await readTheme('night', folder.path)).toEqual({ name: 'night', file: { colors: { AccentRed: '#F80' } } });
  expect(await readTheme('dark', folder.path)).toEqual({ name: 'dark' });
});

test.each([
  ['{ "colors": { "AccentRed": "crimson" } }', 'theme.colors.AccentRed: expected #rgb'],
  ['{ "colors": { "Red": "red" } }', 'theme.colors: unknown member "Red"'],
  ['{ "base": "solarized" }', 'theme.base: expected "auto" or "dark"'],
  ['{ "colors": ', 'it is not valid JSON'],
])('the theme %s is refused: %s', async (text, problem) => {
  await using folder = await temporaryFolder();
  const path = await folder.write('themes/night.json', text);
  const error = await readTheme('night', folder.path).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'invalid_settings', message: expect.stringContaining(problem) as unknown });
  expect(String(error)).toContain(`${path}, line 1`);
});

test.each(['nigth', '../night', '', 'missing'])('reports the unknown theme %j', async (name) => {
  await using folder = await temporaryFolder();
  await folder.write('themes/night.json', '{}');
  await folder.write('night.json', '{}');
  const advice = name === 'nigth' ? 'Did you mean "night"?' : '/theme lists the themes';
  await expect(readTheme(name, folder.path)).rejects.toThrow(advice);
});
