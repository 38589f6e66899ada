import type { CompletionLine } from '@qwen/protocol/openai';
import { calls, type LineProcess, says, verifies } from '@qwen/testkit';
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import type { ChatCompletion } from 'openai/resources/chat/completions';
import { expect, expectTypeOf, test } from 'vitest';
import { chat, isSummary, openLinesFixture, sessionOf } from './fixture.ts';

const EDIT = { file_path: 'a.txt', content: 'naïve – 😀\n' };
const REPLIES = [
  {
    ...calls({ name: 'write_file', input: EDIT }, { name: 'list_directory', input: { path: '.' }, id: 'call_2' }),
    content: 'I will.',
  },
  says('Done: 😀 wörds.'),
];

async function turn(format: 'stream-json' | 'stream-chunk-json'): Promise<LineProcess['lines']> {
  await using fixture = await openLinesFixture(REPLIES);
  const program = await fixture.start(format, { args: ['--approval-mode', 'yolo'] });
  program.send(chat('write', { session_id: await sessionOf(program) }));
  await program.next(isSummary);
  program.endInput();
  expect(await program.exited).toEqual({ code: 0, signal: null });
  return program.lines;
}

test('the stream helper of the official client reads the chunks of a message', async () => {
  verifies('S-03', 'C-13', 'C-05', 'C-07', 'CF-08', 'A-14');
  const lines = (await turn('stream-chunk-json')).filter(({ text }) => text.includes('"chat.completion.chunk"'));
  const messages = messagesOf(lines.map(({ text }) => text));
  const [first, second] = await Promise.all(messages.map(throughClient));
  expect(first?.choices[0]?.message.content).toBe('I will.');
  expect(first?.choices[0]?.finish_reason).toBe('tool_calls');
  const [write, list] = first?.choices[0]?.message.tool_calls ?? [];
  expect(write).toMatchObject({ type: 'function', function: { name: 'write_file' } });
  expect(write?.type === 'function' && JSON.parse(write.function.arguments)).toEqual(EDIT);
  expect(list).toMatchObject({ id: 'call_2', function: { name: 'list_directory' } });
  expect(second?.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Done: 😀 wörds.' } });
  expect(messages).toHaveLength(2);
});

test('the official client reads complete messages as completions', async () => {
  verifies('S-03', 'B-01', 'B-12', 'B-13', 'CF-66');
  const assistant = (await turn('stream-json'))
    .map(({ json }) => json as unknown)
    .filter((line): line is ChatCompletion => isAnswer(line));
  expect(assistant.map(({ choices }) => choices[0]?.finish_reason)).toEqual(['tool_calls', 'stop', 'stop']);
  expect(assistant[0]?.choices[0]?.message.tool_calls).toHaveLength(2);
  expect(assistant[1]?.usage?.total_tokens).toBeTypeOf('number');
});

test("a completion line has every member that the official client's type requires", () => {
  verifies('S-03', 'B-02');
  expectTypeOf<CompletionLine>().toExtend<Pick<ChatCompletion, 'id' | 'object' | 'created' | 'model'>>();
});

function isAnswer(line: unknown): boolean {
  const [choice] = Object(line).choices ?? [];
  return Object(choice).message?.role === 'assistant' && choice.finish_reason !== null;
}

/** The lines of each message, from the role to the tokens, without those between messages. */
function messagesOf(lines: readonly string[]): readonly string[][] {
  const messages: string[][] = [];
  let isOpen = false;
  for (const line of lines) {
    const { choices, usage } = JSON.parse(line);
    if (choices[0]?.delta.role === 'assistant') {
      messages.push([]);
      isOpen = true;
    }
    if (isOpen) messages.at(-1)?.push(line);
    if (usage !== undefined) isOpen = false;
  }
  return messages;
}

function throughClient(lines: readonly string[]): Promise<ChatCompletion> {
  const stream = ChatCompletionStream.fromReadableStream(
    new Blob([lines.map((line) => `${line}\n`).join('')]).stream(),
  );
  return stream.finalChatCompletion();
}
