import type { AgentEvent } from '@qwen/agent';
import {
  answer,
  type Block,
  call,
  ended,
  notice,
  PROMPT,
  pending,
  SESSION,
  SUCCESS,
  started,
  text,
  thinking,
  turn,
} from '@qwen/host/test/agent-events.js';
import { AgentError } from '@qwen/protocol';
import type { ChunkLine } from '@qwen/protocol/openai';
import { verifies } from '@qwen/testkit';
import fc from 'fast-check';
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import { expect, test } from 'vitest';
import { annotationsOf, chunks, completions, openLines, tell } from '../../../test/event-lists.js';

const CHUNKS = { format: 'chunk' } as const;
const emitChunks = (events: readonly AgentEvent[]) => chunks(tell(events, CHUNKS));

/** A chunk as the documents show it. */
const bare = ({ choices, usage, metadata }: ChunkLine) => {
  if (choices.length === 0) return { usage };
  const [choice] = choices;
  const { annotations: _annotations, ...delta } = choice?.delta ?? {};
  return { delta, finish: choice?.finish_reason, ...(metadata?.summary !== undefined && { summary: true }) };
};

const isNews = ({ choices }: ChunkLine) => {
  const [choice] = choices;
  return choice?.finish_reason === null && Object.keys(choice.delta).join() === 'annotations';
};

const USED = { usage: { prompt_tokens: 1200, completion_tokens: 80, total_tokens: 1280 } };

test('converts a turn in chunks: role, deltas, calls with their index, finish, usage; the summary is on the last finish', () => {
  verifies('C-01', 'C-02', 'C-03', 'C-04', 'C-05', 'C-06', 'C-07', 'C-08', 'C-09', 'C-10', 'C-11');
  verifies('CF-06', 'CF-07', 'CF-08', 'GAP-16');
  const lines = emitChunks(
    turn(
      SUCCESS,
      ...answer([text('Running', ' analysis...'), call('tool-1', 'edit', '{"a":', '1}'), call('tool-2', 'list')]),
      pending('tool-1', 'edit'),
      started('tool-1', 'edit'),
      ended('tool-1', 'edit'),
      ...answer([text('Done.')]),
    ),
  );
  const named = (index: number, id: string, name: string) => ({
    delta: { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
    finish: null,
  });
  const more = (index: number, piece: string) => ({
    delta: { tool_calls: [{ index, function: { arguments: piece } }] },
    finish: null,
  });
  expect(lines.filter((line) => !isNews(line)).map(bare)).toEqual([
    { delta: { role: 'assistant' }, finish: null },
    { delta: { content: 'Running' }, finish: null },
    { delta: { content: ' analysis...' }, finish: null },
    named(0, 'tool-1', 'edit'),
    more(0, '{"a":'),
    more(0, '1}'),
    named(1, 'tool-2', 'list'),
    more(1, '{}'),
    { delta: {}, finish: 'tool_calls' },
    USED,
    { delta: { role: 'assistant' }, finish: null },
    { delta: { content: 'Done.' }, finish: null },
    { delta: {}, finish: 'stop', summary: true },
    USED,
  ]);
  for (const line of lines) {
    expect(line).toMatchObject({ id: `chatcmpl-${SESSION}`, created: 1_739_430_000, model: 'qwen-coder' });
    verifies('GAP-15');
    expect(line.metadata).toMatchObject({ session_id: SESSION, prompt_id: PROMPT });
  }
});

test('each piece becomes a line immediately', () => {
  verifies('C-15', 'C-01');
  const { toLines } = openLines(CHUNKS);
  const counts = answer([text('a', 'b', 'c')]).map((event) => toLines(event).length);
  // The role, nothing for the start of the block, three pieces, nothing for its end, the end of the screen's line.
  expect(counts).toEqual([1, 0, 1, 1, 1, 0, 1]);
});

test('output of tools is not content: it is in the display of the call', () => {
  verifies('C-12', 'GAP-18');
  const lines = emitChunks([
    ...answer([call('c', 'read_file', '{}')]),
    pending('c', 'read_file'),
    ended('c', 'read_file', { content: 'text of the file' }),
  ]);
  expect(lines.flatMap(({ choices }) => choices).filter(({ delta }) => delta.content != null)).toEqual([]);
  expect(annotationsOf(lines).at(-1)).toMatchObject({
    type: 'x-qwen-tool-display',
    status: 'success',
    content: 'text of the file',
  });
});

test('the finishing chunk of a truncated answer states it', () => {
  verifies('GAP-17', 'CF-19');
  const lines = emitChunks(turn(SUCCESS, ...answer([text('Hm')], { stopReason: 'max_tokens' })));
  const finish = lines.find(({ choices }) => choices[0]?.finish_reason != null);
  expect(finish?.choices[0]).toMatchObject({
    delta: { annotations: [{ type: 'x-qwen-session-event', event: 'MAX_TOKENS' }] },
    finish_reason: 'length',
  });
});

test('the finish waits only for the end of the turn', () => {
  verifies('CF-07');
  const { toLines, origin } = openLines(CHUNKS);
  expect(origin.isInsideMessage).toBe(false);
  const first = [...answer([text('one')]), notice('between')].flatMap((event) => toLines(event));
  expect(first.filter((line) => JSON.stringify(line).includes('"stop"'))).toEqual([]);
  const [finish, usage, role] = answer([text('two')]).flatMap((event) => toLines(event));
  expect(finish).toMatchObject({ choices: [{ delta: {}, finish_reason: 'stop' }] });
  expect(usage).toMatchObject({ choices: [] });
  expect(role).toMatchObject({ choices: [{ delta: { role: 'assistant' } }] });
});

test('a turn without a final answer has a separate finish', () => {
  const lines = emitChunks(turn(SUCCESS)).map(bare);
  expect(lines).toEqual([
    { delta: { role: 'assistant' }, finish: null },
    { delta: {}, finish: null },
    { delta: {}, finish: 'stop', summary: true },
  ]);
});

test('a failed turn has a message with the error after the partial answer', () => {
  verifies('K-08');
  const error = new AgentError('stream_interrupted', 'The answer broke off.');
  const lines = emitChunks(turn({ type: 'error', error }, ...answer([text('Half')], { stopReason: 'error' })));
  expect(lines.filter((line) => !isNews(line)).map(bare)).toEqual([
    { delta: { role: 'assistant' }, finish: null },
    { delta: { content: 'Half' }, finish: null },
    { delta: {}, finish: 'stop' },
    USED,
    { delta: { role: 'assistant' }, finish: null },
    { delta: { content: 'The answer broke off.' }, finish: null },
    { delta: {}, finish: 'stop', summary: true },
  ]);
  expect(lines.at(-1)).toMatchObject({ metadata: { error: { code: 'stream_interrupted', retryable: true } } });
});

// A message of the official client, put together from the chunks of one message.

async function assemble(lines: readonly ChunkLine[]): Promise<object> {
  const bytes = new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const stream = ChatCompletionStream.fromReadableStream(new Blob([bytes]).stream());
  const { choices, usage } = await stream.finalChatCompletion();
  const { content, tool_calls: calls, role } = choices[0]?.message ?? {};
  const toolCalls = (calls ?? []).map((made) => {
    if (made.type !== 'function') throw new Error(made.type);
    const { id, type, function: asked } = made;
    return { id, type, function: { name: asked.name, arguments: asked.arguments } };
  });
  return { role, content: content ?? null, toolCalls, finish: choices[0]?.finish_reason, total: usage?.total_tokens };
}

/** From the chunk with the role to that with the usage; without the finish that a turn has for itself. */
function splitMessages(all: readonly ChunkLine[]): readonly (readonly ChunkLine[])[] {
  const messages: ChunkLine[][] = [];
  for (const line of all) {
    if (line.choices[0]?.delta.role !== undefined) messages.push([]);
    messages.at(-1)?.push(line);
  }
  return messages.filter((lines) => lines.some(({ usage }) => usage != null));
}

function wholeMessages(events: readonly AgentEvent[]): readonly object[] {
  return completions(tell(events))
    .filter(({ choices, metadata }) => choices[0]?.finish_reason != null && metadata?.summary === undefined)
    .map(({ choices, usage }) => {
      const { role, content, tool_calls: calls } = choices[0]?.message ?? {};
      return { role, content, toolCalls: calls ?? [], finish: choices[0]?.finish_reason, total: usage?.total_tokens };
    });
}

const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 4 });
const input = fc.oneof(
  fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()).map((value) => JSON.stringify(value)),
  fc.constantFrom('', '{"cut": "of'),
);
/** Where the engine may cut: between characters. */
const cutIn = (whole: string, place: number): readonly string[] => {
  const characters = [...whole];
  return [characters.slice(0, place).join(''), characters.slice(place).join('')].filter((part) => part !== '');
};
const block: fc.Arbitrary<Block> = fc.oneof(
  words.map((pieces) => text(...pieces)),
  words.map((pieces) => thinking(...pieces)),
  fc
    .tuple(fc.uuid(), fc.constantFrom('edit', 'mcp__x__y'), input, fc.nat(20))
    .map(([id, name, whole, place]) => call(id, name, ...cutIn(whole, place))),
);
const blocks = fc.array(block, { maxLength: 5 });

/** Answers of one turn, with what may happen between them and inside of them. */
const turns = fc.array(fc.tuple(blocks, fc.boolean()), { minLength: 1, maxLength: 3 }).map((answers) =>
  turn(
    SUCCESS,
    ...answers.flatMap(([said, isDisturbed]) => {
      const events = answer(said);
      if (!isDisturbed) return events;
      const inner = answer([text('of a subagent'), thinking('Hm.')], { parent: 'task' });
      return events.flatMap((event, index) => (index === 1 ? [notice('news'), ...inner, event] : [event]));
    }),
  ),
);

test('the chunks of each message, read by the official client, equal the message of the other format', async () => {
  verifies('C-05', 'C-07', 'C-13', 'CF-06', 'CF-08', 'CF-70', 'GAP-08');
  await fc.assert(
    fc.asyncProperty(turns, async (events) => {
      const lines = emitChunks(events);
      const assembled = await Promise.all(splitMessages(lines).map(assemble));
      expect(assembled).toEqual(wholeMessages(events));
      for (const line of lines) expect(JSON.stringify(line)).not.toMatch(/\\ud[89a-f]/);
    }),
    { numRuns: 60 },
  );
});
