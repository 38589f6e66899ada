import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { describeSearchEngine } from './search-engine.contract.js';
import type { FileMatches } from './search-engine.js';
import { searchByWalking } from './walking-search.js';

describeSearchEngine('own walk', () => Promise.resolve(searchByWalking));

async function find(folder: string, pattern: string): Promise<FileMatches[]> {
  const found: FileMatches[] = [];
  const signal = new AbortController().signal;
  const matches = searchByWalking({ folder, pattern, accepts: () => true, signal, onCut: () => {} });
  for await (const file of matches) found.push(file);
  return found;
}

test.each(['foo(?=bar)', '(?i)FOO', 'a\\-b|foo', '(foo)bar'])('%s is supported', async (pattern) => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'foobar\n');
  expect(await find(folder.path, pattern)).toEqual([{ names: ['a.txt'], lines: [{ number: 1, text: 'foobar' }] }]);
});

test('an invalid regular expression is rejected with the reason', async () => {
  await using folder = await temporaryFolder();
  await expect(find(folder.path, 'a(b')).rejects.toMatchObject({ code: 'invalid_tool_input' });
});
