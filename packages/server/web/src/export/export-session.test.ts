import { expect, test } from 'vitest';
import { EMPTY_CONVERSATION } from '../conversation/conversation.js';
import { toFileName, toMarkdown } from './export-session.js';

test('a conversation becomes Markdown in which no text ends its own code block', () => {
  const scope = { turnId: 't', parentToolUseId: null };
  const markdown = toMarkdown('A title', {
    ...EMPTY_CONVERSATION,
    entries: [
      {
        ...scope,
        kind: 'user',
        key: '1',
        requestId: 'r',
        text: 'Hello',
        images: [],
        files: [{ name: 'a.md', text: '```\nx\n```' }],
      },
      {
        ...scope,
        kind: 'answer',
        key: '2',
        messageId: 'm',
        isOpen: false,
        blocks: [
          { type: 'text', text: 'Hi.' },
          { type: 'tool', toolUseId: 'c', name: 'read_file', input: { file_path: 'a.md' }, inputText: '' },
        ],
      },
    ],
    calls: new Map([['t c', { result: { content: 'x', isError: false } }]]),
  });
  expect(markdown).toContain(
    '# A title\n\n## You\n\nHello\n\nAttached file a.md:\n\n````\n```\nx\n```\n````\n\n## Agent\n\nHi.',
  );
  expect(markdown).toContain('**read_file** a.md\n\n```json\n{');
});

test('a file name keeps letters of all scripts only', () => {
  expect(toFileName('../修复 parser: <b>', 'md')).toBe('修复-parser-b.md');
  expect(toFileName('…', 'json')).toBe('session.json');
});
