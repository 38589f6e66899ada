import { expect, test } from 'vitest';
import { withEntry } from './memory-entry.js';

test.each([
  ['an empty file', '', '## Qwen Added Memories\n\n- new\n'],
  ['a file without entries', '# Title\n\nWords.\n\n', '# Title\n\nWords.\n\n## Qwen Added Memories\n\n- new\n'],
  ['a file with entries', 'A\n## Qwen Added Memories\n- old\n', 'A\n## Qwen Added Memories\n- old\n- new\n'],
  [
    'entries with more behind them',
    '## Qwen Added Memories\n\n- old\n\n\n## More\ntext\n',
    '## Qwen Added Memories\n\n- old\n- new\n\n## More\ntext\n',
  ],
])('%s', (_what, before, after) => {
  expect(withEntry(before, 'new')).toBe(after);
});

test('an entry is one item of the list, however it was written', () => {
  expect(withEntry('', '- * new')).toContain('\n- new\n');
});
