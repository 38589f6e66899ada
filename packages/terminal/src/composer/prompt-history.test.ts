import { appendFile, readdir, stat } from 'node:fs/promises';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { PromptHistoryFiles } from './prompt-history.js';

async function textsOf(history: PromptHistoryFiles): Promise<string[]> {
  return (await history.list()).map(({ text }) => text);
}

/** All files of prompts below a folder. */
async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .toSorted();
}

test('stores the prompts of a project, oldest first, readable by the user only', async () => {
  await using home = await temporaryFolder();
  const place = { configDir: home.path, cwd: '/project' };
  const history = new PromptHistoryFiles(place);
  await history.add({ text: 'one' });
  await history.add({ text: 'two\nlines', folds: [{ start: 4, length: 5 }] });
  await history.add({ text: 'two\nlines' });
  expect(await textsOf(history)).toEqual(['one', 'two\nlines']);
  const later = new PromptHistoryFiles(place);
  expect(await later.list()).toMatchObject([{ text: 'one' }, { text: 'two\nlines', folds: [{ start: 4, length: 5 }] }]);
  expect(await textsOf(new PromptHistoryFiles({ configDir: home.path, cwd: '/other' }))).toEqual([]);
  for (const file of await filesIn(home.path)) expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('does not store a prompt that starts with a space', async () => {
  await using home = await temporaryFolder();
  const history = new PromptHistoryFiles({ configDir: home.path, cwd: '/project' });
  await history.add({ text: ' my key is secret' });
  expect(await textsOf(history)).toEqual([]);
  expect(await filesIn(home.path)).toEqual([]);
});

test('concurrent writers lose no prompt', async () => {
  await using home = await temporaryFolder();
  const place = { configDir: home.path, cwd: '/project' };
  const writers = Array.from({ length: 8 }, () => new PromptHistoryFiles(place));
  const texts = writers.flatMap((_, writer) => Array.from({ length: 25 }, (_unused, index) => `${writer}:${index}`));
  await Promise.all(
    writers.map(async (history, writer) => {
      for (let index = 0; index < 25; index += 1) await history.add({ text: `${writer}:${index}` });
    }),
  );
  expect((await textsOf(new PromptHistoryFiles(place))).toSorted()).toEqual(texts.toSorted());
});

test('skips a truncated line after a crash', async () => {
  await using home = await temporaryFolder();
  const place = { configDir: home.path, cwd: '/project' };
  await new PromptHistoryFiles(place).add({ text: 'one' });
  const [file = ''] = await filesIn(home.path);
  await appendFile(file, '{"at":"2026-01-01T00:00:00.000Z","te');
  await new PromptHistoryFiles(place).add({ text: 'two' });
  await appendFile(file, '{"other":true}\n');
  expect(await textsOf(new PromptHistoryFiles(place))).toEqual(['one', 'two']);
});

test('drops the oldest prompts beyond the limit', async () => {
  await using home = await temporaryFolder();
  const place = { configDir: home.path, cwd: '/project' };
  const history = new PromptHistoryFiles(place);
  for (let index = 0; index < 50; index += 1) await history.add({ text: `${index} ${'x'.repeat(60_000)}` });
  const files = await filesIn(home.path);
  expect(files).toHaveLength(3);
  const kept = await textsOf(new PromptHistoryFiles(place));
  expect(kept.length).toBeLessThan(30);
  expect(kept.at(-1)).toMatch(/^49 /);
  await history.add({ text: 'x'.repeat(400_000) });
  expect((await textsOf(new PromptHistoryFiles(place))).at(-1)).toMatch(/^49 /);
});

test('reports a folder that cannot be written', async () => {
  await using home = await temporaryFolder();
  await home.write('prompts', 'a file in its way');
  const history = new PromptHistoryFiles({ configDir: home.path, cwd: '/project' });
  await expect(history.add({ text: 'one' })).rejects.toMatchObject({ code: 'storage_unwritable' });
  expect(await textsOf(history)).toEqual(['one']);
});
