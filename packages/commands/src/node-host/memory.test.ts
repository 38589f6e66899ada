import { mkdirSync, symlinkSync } from 'node:fs';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { addMemory, withEntry } from './memory.js';

test.each([
  ['an empty file', '', '## Qwen Added Memories\n\n- new\n'],
  ['a file without entries', '# Title\n\nWords.\n\n', '# Title\n\nWords.\n\n## Qwen Added Memories\n\n- new\n'],
  ['a file with entries', 'A\n## Qwen Added Memories\n- old\n', 'A\n## Qwen Added Memories\n- old\n- new\n'],
  [
    'entries followed by another section',
    '## Qwen Added Memories\n\n- old\n\n\n## More\ntext\n',
    '## Qwen Added Memories\n\n- old\n- new\n\n## More\ntext\n',
  ],
])('%s', (_what, before, after) => {
  expect(withEntry(before, 'new')).toBe(after);
});

test('a list marker in the entry is dropped', () => {
  expect(withEntry('', '- * new')).toContain('\n- new\n');
});

test('an entry is added to QWEN.md, which is created if missing', async () => {
  await using folder = await temporaryFolder();
  const place = folder.resolve('.qwen');
  expect(await addMemory({ folder: place, entry: 'Use tabs.' })).toBe(folder.resolve('.qwen', 'QWEN.md'));
  await addMemory({ folder: place, entry: 'Be brief.' });
  expect(await folder.read('.qwen/QWEN.md')).toBe('## Qwen Added Memories\n\n- Use tabs.\n- Be brief.\n');
});

test('QWEN.md may be a link inside the project but not out of it', async () => {
  await using folder = await temporaryFolder();
  await folder.write('project/AGENTS.md', '# Project\n');
  symlinkSync('AGENTS.md', folder.resolve('project', 'QWEN.md'));
  await addMemory({ folder: folder.resolve('project'), entry: 'x' });
  expect(await folder.read('project/AGENTS.md')).toContain('- x');
  await folder.write('elsewhere', 'mine');
  mkdirSync(folder.resolve('other'));
  symlinkSync(folder.resolve('elsewhere'), folder.resolve('other', 'QWEN.md'));
  await expect(addMemory({ folder: folder.resolve('other'), entry: 'x' })).rejects.toMatchObject({
    code: 'permission_denied',
  });
  expect(await folder.read('elsewhere')).toBe('mine');
});
