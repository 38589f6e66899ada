import { readFileSync } from 'node:fs';
import { type ChunkLine, type CompletionLine, readOutputLine } from '@qwen/protocol/openai';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CompletionCollector, collectCompletions } from './completion-collector.js';

const FIXTURE = new URL(
  '../../../protocol/test/openai-fixtures/001-output-stream-chunk-json.fixed.jsonl',
  import.meta.url,
);

/** A chunk line as the CLI writes it. */
function chunk(members: Partial<ChunkLine>, promptId = 'p'): ChunkLine {
  const metadata = { session_id: 's', prompt_id: promptId, ...members.metadata };
  return {
    object: 'chat.completion.chunk',
    id: 'chatcmpl-s',
    created: 1,
    model: 'm',
    choices: [],
    ...members,
    metadata,
  };
}

const says = (content: string, promptId?: string) => chunk({ choices: [{ index: 0, delta: { content } }] }, promptId);
const finishes = (reason: string, promptId?: string) =>
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: reason }] }, promptId);
const USAGE = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };

async function collect(lines: readonly (ChunkLine | CompletionLine)[]): Promise<CompletionLine[]> {
  const collected: CompletionLine[] = [];
  for await (const line of collectCompletions(lines)) collected.push(line);
  return collected;
}

test('joins the chunks of the reference document into one message and omits an empty choice', async () => {
  verifies('C-13', 'C-14', 'CF-08');
  const lines = readFileSync(FIXTURE, 'utf8')
    .trim()
    .split('\n')
    .map((text) => {
      const output = readOutputLine(text);
      if (output.kind !== 'chunk') throw new Error(`not a chunk: ${text}`);
      return output.line;
    });
  const [message, ...rest] = await collect(lines);
  expect(rest).toEqual([]);
  expect(message?.choices).toEqual([
    {
      index: 0,
      logprobs: null,
      finish_reason: lines.findLast(({ choices }) => choices.length > 0)?.choices[0]?.finish_reason,
      message: {
        role: 'assistant',
        content: 'Running analysis...',
        refusal: null,
        tool_calls: [{ id: 'tool-1', type: 'function', function: { name: 'edit_file', arguments: '...' } }],
      },
    },
  ]);
  expect(message?.usage).toEqual(lines.find(({ usage }) => usage != null)?.usage);
});

test('joins parallel calls by index and adds usage to the preceding message', async () => {
  verifies('CF-07');
  const call = (index: number, more: object) => chunk({ choices: [{ delta: { tool_calls: [{ index, ...more }] } }] });
  const [message, ...rest] = await collect([
    chunk({ choices: [{ index: 0, delta: { role: 'assistant' } }] }),
    call(0, { id: 'a', type: 'function', function: { name: 'glob', arguments: '{"x"' } }),
    call(1, { id: 'b', type: 'function', function: { name: 'edit', arguments: '' } }),
    call(0, { function: { arguments: ':1}' } }),
    call(1, { function: { arguments: '{}' } }),
    finishes('tool_calls'),
    chunk({ usage: USAGE }),
  ]);
  expect(rest).toEqual([]);
  expect(message).toMatchObject({
    object: 'chat.completion',
    usage: USAGE,
    choices: [
      {
        finish_reason: 'tool_calls',
        message: {
          content: null,
          tool_calls: [
            { id: 'a', function: { name: 'glob', arguments: '{"x":1}' } },
            { id: 'b', function: { name: 'edit', arguments: '{}' } },
          ],
        },
      },
    ],
  });
});

test('joins calls without an index by id', async () => {
  verifies('CF-08');
  const piece = (call: NonNullable<ChunkLine['choices'][number]['delta']['tool_calls']>[number]) =>
    chunk({ choices: [{ index: 0, delta: { tool_calls: [call] } }] });
  const [message] = await collect([
    piece({ id: 'a', type: 'function', function: { name: 'look', arguments: '{"x"' } }),
    piece({ function: { arguments: ':1}' } }),
    piece({ id: 'b', type: 'function', function: { name: 'edit', arguments: '{}' } }),
    finishes('tool_calls'),
  ]);
  expect(message?.choices[0]?.message.tool_calls).toEqual([
    { id: 'a', type: 'function', function: { name: 'look', arguments: '{"x":1}' } },
    { id: 'b', type: 'function', function: { name: 'edit', arguments: '{}' } },
  ]);
});

test('joins interleaved turns, with usage on the last chunk or missing', async () => {
  const messages = await collect([
    says('a1', 'a'),
    says('b1', 'b'),
    says('a2', 'a'),
    { ...finishes('stop', 'b'), usage: USAGE },
    finishes('stop', 'a'),
    says('cut short', 'b'),
  ]);
  expect(messages.map(({ choices, usage }) => [choices[0]?.message.content, usage])).toEqual([
    ['b1', USAGE],
    ['a1a2', undefined],
  ]);
});

test('passes complete lines unchanged and keeps events between messages as separate lines', () => {
  verifies('A-22');
  const whole: CompletionLine = { object: 'chat.completion', id: 'i', created: 1, model: 'm', choices: [] };
  const news = { type: 'x-qwen-thought', subject: 'a', description: 'b' } as const;
  const collector = new CompletionCollector();
  expect(collector.push(whole)).toEqual([whole]);
  const [line] = collector.push(chunk({ choices: [{ delta: { annotations: [news] } }] }));
  expect(line?.choices).toMatchObject([{ message: { content: null, annotations: [news] }, finish_reason: null }]);
  expect(collector.flush()).toEqual([]);
});

test('shifts annotations of a chunk to the same characters of the message', async () => {
  verifies('GAP-20');
  const look = {
    type: 'x-qwen-terminal',
    channel: 'stdout',
    source: 'assistant',
    spans: [{ start_index: 0, end_index: 1, style: { bold: true } }],
    ansi: [{ offset: 1, sequence: '\u001b[0m' }],
  } as const;
  const pieces = [
    says('😀ab'),
    chunk({
      choices: [{ delta: { content: 'c', annotations: [{ ...look, spans: [...look.spans], ansi: [...look.ansi] }] } }],
    }),
    finishes('stop'),
  ];
  const [message] = await collect(pieces);
  expect(message?.choices[0]?.message.annotations).toMatchObject([
    { spans: [{ start_index: 4, end_index: 5 }], ansi: [{ offset: 5 }] },
  ]);
});
