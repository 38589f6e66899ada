import { readFileSync } from 'node:fs';
import { readOutputLine } from '@qwen/protocol/openai';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { EventReader } from './event-reader.js';
import { createTerminalReplay } from './terminal-replay.js';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../protocol/test/openai-fixtures/${name}`, import.meta.url), 'utf8'));

/** A line of either format with this content and these annotations. */
function line(format: 'message' | 'chunk', body: { readonly content?: string; readonly annotations?: unknown[] }) {
  const head = { id: 'chatcmpl-s', created: 1, model: 'm' };
  return JSON.stringify(
    format === 'message'
      ? {
          ...head,
          object: 'chat.completion',
          choices: [{ index: 0, message: { role: 'assistant', content: null, ...body }, finish_reason: null }],
        }
      : { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta: body }] },
  );
}

function screenOf(lines: readonly string[], convertLineEnds = false): string {
  let screen = '';
  const replay = createTerminalReplay({
    write: (text) => {
      screen += text;
    },
    convertLineEnds,
  });
  for (const text of lines) replay.feed(text);
  return screen;
}

const terminal = (members: object) => ({
  type: 'x-qwen-terminal',
  channel: 'stdout',
  source: 'tool',
  ansi: [],
  ...members,
});

test.each(['message', 'chunk'] as const)('text and its surroundings are written in order, as %s lines', (format) => {
  verifies('CF-14', 'D-12', 'GAP-20');
  const lines = [
    line(format, {
      annotations: [
        terminal({
          text: '• read_file\n',
          ansi: [
            { offset: 0, sequence: '\u001b[36m' },
            { offset: 11, sequence: '\u001b[39m' },
          ],
        }),
      ],
    }),
    line(format, {
      content: 'Hé😀!',
      annotations: [
        terminal({
          ansi: [
            { offset: 2, sequence: '<' },
            { offset: 4, sequence: '>' },
            { offset: 4, sequence: '.' },
          ],
        }),
      ],
    }),
    line(format, { annotations: [{ type: 'x-qwen-ansi', value: '\u001b[?2004l' }] }),
  ];
  expect(screenOf(lines)).toBe('\u001b[36m• read_file\u001b[39m\nHé<😀>.!\u001b[?2004l');
});

test('both spellings produce the same screen', () => {
  verifies('CF-11', 'CF-12', 'CF-13');
  const [older, newer] = ['000', '001'].map((document) =>
    fixture(`${document}-output-annotation-x-qwen-terminal.json`),
  );
  expect(screenOf([line('message', { content: 'a'.repeat(24), annotations: [older] })])).toBe(
    `\u001b[32m${'a'.repeat(24)}\u001b[0m`,
  );
  expect(screenOf([line('message', { content: 'Hello world', annotations: [newer] })])).toBe(
    '\u001b[32mHello\u001b[0m world',
  );
});

test('writes CRLF unless the terminal converts line ends', () => {
  expect(screenOf([line('chunk', { content: 'a\nb\n' })], true)).toBe('a\r\nb\r\n');
});

test('escapes sequences of models and tools, and passes on those of the CLI', () => {
  verifies('S25');
  const lines = [
    line('chunk', {
      content: 'a\u001b[2Jb',
      annotations: [terminal({ ansi: [{ offset: 0, sequence: '\u001b[1m' }] })],
    }),
  ];
  expect(screenOf(lines)).toBe(String.raw`${'\u001b[1m'}a\u001b[2Jb`);
});

test('writes nothing for tool results, summaries, unknown and invalid lines', () => {
  const tool = JSON.stringify({
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'tool', tool_call_id: 'c', content: 'secret' }, finish_reason: null }],
  });
  expect(screenOf([tool, '{"type":"from_the_future"}', 'npm WARN noise', '{}', ''])).toBe('');
});

test('places out-of-order and out-of-range sequences within the text', () => {
  const ansi = [
    { offset: 99, sequence: '>' },
    { offset: -1, sequence: '<' },
  ];
  expect(screenOf([line('message', { content: 'ab', annotations: [terminal({ ansi })] })])).toBe('<ab>');
});

test('text, parsed lines and events produce the same screen', () => {
  const text = line('message', { content: 'a\n', annotations: [terminal({ text: 'b\n' })] });
  const written: string[] = [];
  const replay = createTerminalReplay({ write: (piece) => written.push(piece) });
  replay.feed(text);
  replay.feed(readOutputLine(text));
  for (const event of new EventReader().read(readOutputLine(text))) replay.feed(event);
  expect(written.join('')).toBe('a\r\nb\r\n'.repeat(3));
});
