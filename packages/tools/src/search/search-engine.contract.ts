import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { type TemporaryFolder, temporaryFolder, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import type { SearchEngine, SearchRequest } from './search-engine.js';

/** Both engines must return the same results, also on a machine without ripgrep. */
export function describeSearchEngine(name: string, findEngine: () => Promise<SearchEngine>): void {
  async function search(folder: TemporaryFolder, request: Partial<SearchRequest> & { pattern: string }) {
    const engine = await findEngine();
    const found: string[] = [];
    const matches = engine({
      folder: folder.path,
      accepts: () => true,
      signal: new AbortController().signal,
      onCut: () => {},
      ...request,
    });
    for await (const { names, lines } of matches) {
      for (const { number, text } of lines) found.push(`${names.join('/')}:${number}:${text}`);
    }
    return found;
  }

  describe(`search engine: ${name}`, () => {
    test('finds lines in the order of the paths, ignoring case', async () => {
      await using folder = await temporaryFolder();
      await folder.write('b/z.txt', 'no\nNeedle 1\n');
      await folder.write('a.txt', 'needle 2\nneedle 3');
      await folder.write('b/a.txt', 'NEEDLE 4\n');
      expect(await search(folder, { pattern: 'needle \\d' })).toEqual([
        'a.txt:1:needle 2',
        'a.txt:2:needle 3',
        'b/a.txt:1:NEEDLE 4',
        'b/z.txt:2:Needle 1',
      ]);
    });

    test('line ends are not part of a line', async () => {
      await using folder = await temporaryFolder();
      await folder.write('a.txt', 'one\r\ntwo\r\n');
      expect(await search(folder, { pattern: '^(one|two)$' })).toEqual(['a.txt:1:one', 'a.txt:2:two']);
    });

    test('byte order marks, UTF-16 and latin1 are read', async () => {
      await using folder = await temporaryFolder();
      await folder.write('bom.txt', '\ufeffneedle\n');
      await writeFile(folder.resolve('utf16.txt'), Buffer.from('\ufeffneedle é\n', 'utf16le'));
      await writeFile(folder.resolve('latin1.txt'), Buffer.from('needle \xe9\n', 'latin1'));
      expect(await search(folder, { pattern: '^needle' })).toEqual([
        'bom.txt:1:needle',
        'latin1.txt:1:needle é',
        'utf16.txt:1:needle é',
      ]);
    });

    test('ignored files, .git and node_modules are omitted, hidden files are not', async () => {
      await using folder = await temporaryFolder();
      for (const path of ['.github/x', '.git/x', 'node_modules/x', 'sub/node_modules/x', 'dist/x', 'sub/y', 'sub/z']) {
        await folder.write(path, 'needle\n');
      }
      await folder.write('.gitignore', 'dist/\n');
      await folder.write('sub/.qwenignore', 'y\n');
      expect(await search(folder, { pattern: 'needle' })).toEqual(['.github/x:1:needle', 'sub/z:1:needle']);
    });

    test('rules of the enclosing repository apply, .ignore files of other programs do not', async () => {
      await using folder = await temporaryFolder();
      await mkdir(folder.resolve('.git'));
      await folder.write('.gitignore', '*.log\n/w/sub/\n');
      await folder.write('w/.ignore', '*.txt\n');
      for (const path of ['w/a.log', 'w/a.txt', 'w/sub/x']) await folder.write(path, 'needle\n');
      const found = await search(folder, { folder: folder.resolve('w'), pattern: 'needle' });
      expect(found).toEqual(['a.txt:1:needle']);
    });

    test('files listed in .git/info/exclude are omitted', async () => {
      await using folder = await temporaryFolder();
      await folder.write('.git/info/exclude', '*.local\n/sub/private/\n');
      for (const path of ['a.local', 'a.txt', 'sub/private/x', 'sub/y']) await folder.write(path, 'needle\n');
      expect(await search(folder, { pattern: 'needle' })).toEqual(['a.txt:1:needle', 'sub/y:1:needle']);
      expect(await search(folder, { folder: folder.resolve('sub'), pattern: 'needle' })).toEqual(['y:1:needle']);
    });

    test('the .git file of a worktree is omitted', async () => {
      await using folder = await temporaryFolder();
      await folder.write('.git', 'gitdir: /needle\n');
      await folder.write('a.txt', 'needle\n');
      expect(await search(folder, { pattern: 'needle' })).toEqual(['a.txt:1:needle']);
    });

    test('only selected files are reported', async () => {
      await using folder = await temporaryFolder();
      await folder.write('a.ts', 'needle\n');
      await folder.write('a.js', 'needle\n');
      const accepts = (names: readonly string[]) => names.at(-1)?.endsWith('.ts') === true;
      expect(await search(folder, { pattern: 'needle', accepts })).toEqual(['a.ts:1:needle']);
    });

    test('one file can be searched, even an ignored one', async () => {
      await using folder = await temporaryFolder();
      await folder.write('.gitignore', '*.log\n');
      await folder.write('a.log', 'needle\n');
      await folder.write('b.log', 'needle\n');
      expect(await search(folder, { pattern: 'needle', file: 'a.log' })).toEqual(['a.log:1:needle']);
    });

    test('binary files, huge files, pipes and links are skipped, and link cycles end', async () => {
      verifies('F146');
      await using folder = await temporaryFolder();
      await folder.write('a.bin', 'needle\n\0needle\n');
      await folder.write('a.txt', 'needle\n');
      const huge = await folder.write('huge.txt', 'needle\n');
      await truncate(huge, 2 * 1024 ** 3);
      execFileSync('mkfifo', [folder.resolve('pipe')]);
      await symlink('.', folder.resolve('loop'));
      await symlink('a.txt', folder.resolve('link.txt'));
      expect(await search(folder, { pattern: 'needle' })).toEqual(['a.txt:1:needle']);
    });

    test('names that are not UTF-8 do not stop it', async () => {
      verifies('F154');
      await using folder = await temporaryFolder();
      await writeFile(Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from([0x78, 0xff])]), 'needle\n');
      await folder.write('y', 'needle\n');
      await folder.write('n'.repeat(255), 'needle\n');
      const found = await search(folder, { pattern: 'needle' });
      expect(found).toContain('y:1:needle');
      expect(found).toContain(`${'n'.repeat(255)}:1:needle`);
    });

    test.each(['-e', '--files', '--pre=sh', '-'])('%s is a pattern and never an option', async (pattern) => {
      verifies('S44');
      await using folder = await temporaryFolder();
      await folder.write('a.txt', `x ${pattern} y\nother\n`);
      expect(await search(folder, { pattern })).toEqual([`a.txt:1:x ${pattern} y`]);
    });

    test('a file name that starts with a dash is not an option', async () => {
      verifies('S44', 'S46');
      await using folder = await temporaryFolder();
      await folder.write('--help', 'needle\n');
      await folder.write('--help2', 'needle\n');
      expect(await search(folder, { pattern: 'needle', file: '--help' })).toEqual(['--help:1:needle']);
    });

    test('leaving early and aborting end the search', async () => {
      await using folder = await temporaryFolder();
      for (let index = 0; index < 20; index += 1) await folder.write(`${index}.txt`, 'needle\n'.repeat(500));
      const abort = new AbortController();
      const engine = await findEngine();
      const request = { folder: folder.path, pattern: 'needle', accepts: () => true, onCut: () => {} };
      for await (const { names } of engine({ ...request, signal: abort.signal })) {
        expect(names).toEqual(['0.txt']);
        break;
      }
      abort.abort();
      const after: unknown[] = [];
      for await (const file of engine({ ...request, signal: abort.signal })) after.push(file);
      expect(after.length).toBeLessThan(20);
    });
  });
}
