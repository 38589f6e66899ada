import { readdirSync, statSync } from 'node:fs';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CONVERSATION } from '../../test/fake-host.js';
import { CheckpointFolder } from './checkpoint-folder.js';

test('any tag can be saved and loaded', async () => {
  await using folder = await temporaryFolder();
  const checkpoints = new CheckpointFolder(folder.resolve('of', 'this'));
  const tags = ['one', 'One', '../../up', 'a/b\\c:d', 'größe 1 ✓', '.'];
  for (const [index, tag] of tags.entries()) await checkpoints.save(tag, CONVERSATION.slice(0, index + 1));
  const listed = await new CheckpointFolder(folder.resolve('of', 'this')).list();
  expect(listed.map(({ tag }) => tag).toSorted()).toEqual(tags.toSorted());
  for (const [index, tag] of tags.entries())
    expect(await checkpoints.load(tag)).toEqual(CONVERSATION.slice(0, index + 1));
  expect(readdirSync(folder.path)).toEqual(['of']);
});

test('a checkpoint is replaced, deleted, and readable by the user only', async () => {
  await using folder = await temporaryFolder();
  const checkpoints = new CheckpointFolder(folder.path);
  await checkpoints.save('x', CONVERSATION);
  await checkpoints.save('x', CONVERSATION.slice(0, 1));
  expect(await checkpoints.load('x')).toHaveLength(1);
  const [name = ''] = readdirSync(folder.path);
  expect(statSync(folder.resolve(name)).mode & 0o777).toBe(0o600);
  expect(await checkpoints.delete('x')).toBe(true);
  expect(await checkpoints.delete('x')).toBe(false);
  expect(await checkpoints.load('x')).toBeUndefined();
  expect(readdirSync(folder.path)).toEqual([]);
});

test('errors name the cause', async () => {
  await using folder = await temporaryFolder();
  const checkpoints = new CheckpointFolder(folder.path);
  expect(await new CheckpointFolder(folder.resolve('none')).list()).toEqual([]);
  await folder.write('checkpoint-bad.jsonl', `${JSON.stringify(CONVERSATION[0])}\n{"type":"user"`);
  await expect(checkpoints.load('bad')).rejects.toMatchObject({
    code: 'storage_damaged',
    message: 'Cannot read line 2 of the checkpoint "bad". Delete it with /chat delete bad.',
  });
  await expect(checkpoints.save('x'.repeat(200), CONVERSATION)).rejects.toMatchObject({ code: 'invalid_payload' });
  await folder.write('file', '');
  await expect(new CheckpointFolder(folder.resolve('file')).save('x', CONVERSATION)).rejects.toMatchObject({
    code: 'storage_unwritable',
  });
});
