import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { findRipgrep } from './find-search-engine.js';
import { PatternRefused, ripgrepEngine } from './ripgrep-search.js';
import { describeSearchEngine } from './search-engine.contract.js';

async function engine() {
  const program = await findRipgrep();
  if (program === undefined) throw new Error('ripgrep is a devDependency and should be there');
  return ripgrepEngine(program);
}

describeSearchEngine('ripgrep', engine);

test('a pattern that ripgrep cannot parse is refused with that reason', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'foobar\n');
  const matches = (await engine())({
    folder: folder.path,
    pattern: 'foo(?=bar)',
    accepts: () => true,
    signal: new AbortController().signal,
    onCut: () => {},
  });
  await expect(matches[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(PatternRefused);
});
