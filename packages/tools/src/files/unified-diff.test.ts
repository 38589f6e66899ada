import { verifies } from '@qwen/testkit';
import { applyPatch, parsePatch } from 'diff';
import { expect, test } from 'vitest';
import { unifiedDiff } from './unified-diff.js';

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('');

test('contains two file headers and hunks, in the form of git and patch', async () => {
  verifies('D-24');
  const before = lines(1, 200);
  const after = before.replace('line 100\n', 'changed\nand more\n');
  const diff = await unifiedDiff({ path: 'src/a.txt', before, after });
  expect(diff?.text.split('\n').slice(0, 3)).toEqual(['--- src/a.txt', '+++ src/a.txt', '@@ -97,7 +97,8 @@']);
  expect(diff).toMatchObject({ added: 2, removed: 1 });
  const [patch] = parsePatch(diff?.text ?? '');
  if (patch === undefined) throw new Error('there is no patch');
  expect(applyPatch(before, patch)).toBe(after);
});

test('a name cannot add lines', async () => {
  const diff = await unifiedDiff({ path: 'a\n+++ b', before: '', after: 'x\n' });
  expect(diff?.text.split('\n')[0]).toBe('--- "a\\\\u000a+++ b"');
});
