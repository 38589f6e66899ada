import type { SessionRecord } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { CONVERSATION, fakeHost, messageOf } from '../../test/fake-host.js';
import { toChatMessages } from './chat-messages.js';
import { renderConversation } from './render-conversation.js';

const FACTS = { sessionId: 's<1>', model: 'qwen-plus' };

test('Markdown', () => {
  expect(renderConversation('md', CONVERSATION, FACTS)).toBe(`# Conversation s<1>

Model: qwen-plus

## User

What is <here>?

## Assistant

Calls \`list_directory\`:

\`\`\`
{"path":"."}
\`\`\`

## Tool result

\`\`\`
a.ts
\`\`\`

## Assistant

This:
\`\`\`ts
const a = 1;
\`\`\`
Done.
`);
});

test('JSON and JSON Lines contain chat completion messages', () => {
  const messages = toChatMessages(CONVERSATION);
  expect(JSON.parse(renderConversation('json', CONVERSATION, FACTS))).toEqual({
    session_id: 's<1>',
    model: 'qwen-plus',
    messages,
  });
  const lines = renderConversation('jsonl', CONVERSATION, FACTS).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(messages);
});

test('the HTML page escapes messages and forbids scripts', () => {
  const attack: SessionRecord = { type: 'user', uuid: 'u', at: '', content: '<script>alert("&")</script>' };
  const page = renderConversation('html', [attack], FACTS);
  expect(page).toContain('<pre>&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;</pre>');
  expect(page).not.toContain('<script');
  expect(page).toContain("default-src 'none'");
  expect(page).toContain('<title>Conversation s&lt;1&gt;</title>');
});

test('images, summaries and incomplete calls', () => {
  const at = '';
  const records: SessionRecord[] = [
    { type: 'compaction', at, trigger: 'manual', summary: 'Before.' },
    {
      type: 'user',
      uuid: 'u',
      at,
      content: [
        { type: 'text', text: 'see' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
      ],
    },
    {
      type: 'assistant',
      uuid: 'a',
      at,
      model: 'm',
      stop_reason: 'x',
      usage: { input_tokens: 0, output_tokens: 0 },
      content: [{ type: 'tool_use', id: 'c', name: 'edit', input: '{"pa' }],
    },
    { type: 'turn_end', at, outcome: 'success', usage: { input_tokens: 0, output_tokens: 0 } },
  ];
  expect(toChatMessages(records)).toEqual([
    { role: 'system', content: 'Before.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'edit', arguments: '{"pa' } }],
    },
  ]);
  expect(renderConversation('md', records, FACTS)).toContain('## User\n\nsee\n[image]');
});

test('a fence is longer than any run of backticks inside', () => {
  const records: SessionRecord[] = [
    { type: 'tool_result', uuid: 't', at: '', tool_use_id: 'c', tool_name: 'x', content: 'a ```` b', is_error: false },
  ];
  expect(renderConversation('md', records, FACTS)).toContain('`````\na ```` b\n`````');
});

test.each(['md', 'json', 'jsonl', 'html'] as const)('/export %s', async (format) => {
  const fake = fakeHost();
  expect(await messageOf(`/export ${format}`, fake)).toContain(`/work/qwen-session-s-1.${format}`);
  expect(fake.files.get(`qwen-session-s-1.${format}`)).toContain('const');
  expect(await messageOf(`/export ${format.toUpperCase()} a b.txt`, fake)).toContain('/work/a b.txt');
});
