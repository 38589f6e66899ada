import { resourceBaseline, verifies } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { collect, queryTo, resultOf, userMessage } from '../../test/programs.js';
import type { SDKMessage, SDKUserMessage } from '../index.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const MIB = 1024 * 1024;

/** What the app reads, and the reported problems, if the CLI writes these bytes between two messages. */
async function readRaw(
  raw: string | Buffer,
  pieceBytes = MIB,
): Promise<{ messages: SDKMessage[]; reported: string[] }> {
  const reported: string[] = [];
  const prompt = JSON.stringify({ base64: Buffer.from(raw).toString('base64'), pieceBytes });
  const conversation = queryTo('prints-raw', { prompt, options: { stderr: (line) => reported.push(line) } });
  const messages = await collect(conversation);
  expect(messages[0]).toMatchObject({ message: { content: [{ text: 'before' }] } });
  expect(messages.at(-2)).toMatchObject({ message: { content: [{ text: 'after' }] } });
  return { messages: messages.slice(1, -2), reported };
}

const line = (text: string) => `${JSON.stringify({ type: 'from_the_future', text })}\n`;

test('a line torn into single bytes arrives once and whole', async () => {
  verifies('F1', 'F3', 'FB10');
  const text = 'é 漢 👩‍👩‍👧';
  expect((await readRaw(line(text), 1)).messages).toEqual([{ type: 'from_the_future', text }]);
});

test('ten thousand messages in one chunk arrive in order', async () => {
  verifies('F2');
  const texts = Array.from({ length: 10_000 }, (_, index) => String(index));
  const { messages } = await readRaw(texts.map(line).join(''));
  expect(messages).toEqual(texts.map((text) => ({ type: 'from_the_future', text })));
});

test('invalid UTF-8 affects only its own line', async () => {
  verifies('F4');
  const broken = Buffer.concat([Buffer.from('{"type":"odd","text":"'), Buffer.from([0xff, 0xc0]), Buffer.from('"}\n')]);
  const { messages } = await readRaw(Buffer.concat([broken, Buffer.from(line('next'))]));
  expect(messages).toEqual([
    { type: 'odd', text: '\ufffd\ufffd' },
    { type: 'from_the_future', text: 'next' },
  ]);
});

test('Unicode line separators do not end lines in either direction', async () => {
  verifies('F5', 'FB11');
  const text = 'a\u2028b\u2029c\u0085d\u000be\u000cf';
  expect((await readRaw(`{"type":"odd","text":"a\u2028b"}\n`)).messages).toEqual([{ type: 'odd', text: 'a\u2028b' }]);
  expect(await resultOf(queryTo('echoes', { prompt: text }))).toMatchObject({ result: text });
});

test('CRLF ends a line, a lone CR does not, and blank lines are ignored', async () => {
  verifies('F6', 'F8');
  const { messages } = await readRaw(`{"type":"one"}\r\n\n  \n{"type":\r"two"}\n`);
  expect(messages).toEqual([{ type: 'one' }, { type: 'two' }]);
});

test('skips and reports an invalid line and continues with the next one', async () => {
  verifies('F11', 'F7', 'FB12', 'O-24', 'GAP-54');
  const noise = ['npm WARN deprecated', '\u001b[31mred\u001b[0m', '42', 'null', '{}', '{"type":"result"}', '\u0000'];
  const { messages, reported } = await readRaw(`${noise.join('\n')}\n${line('still here')}`);
  expect(messages).toEqual([{ type: 'from_the_future', text: 'still here' }]);
  expect(reported).toHaveLength(noise.length);
  expect(reported[0]).toBe('[qwen sdk] invalid_json: The line is not JSON. "npm WARN deprecated"');
});

test('passes on messages, blocks and fields of a newer CLI unchanged', async () => {
  verifies('F12', 'FB13', 'T27');
  const newer = {
    type: 'assistant',
    uuid: 'u',
    session_id: 's',
    new_member: 1,
    message: { id: 'm', role: 'assistant', model: 'x', content: [{ type: 'hologram', data: 7 }] },
  };
  expect((await readRaw(`${JSON.stringify(newer)}\n${line('x')}`)).messages).toEqual([
    newer,
    { type: 'from_the_future', text: 'x' },
  ]);
});

test('an unknown control request gets an error with its id, and stray answers change nothing', async () => {
  verifies('F13', 'F19', 'F22');
  const request = { type: 'control_request', request_id: 'r1', request: { subtype: 'nope' } };
  const stray = { type: 'control_response', response: { subtype: 'success', request_id: 'zzz', response: {} } };
  const cancel = { type: 'control_cancel_request', request_id: 'never-asked' };
  const { messages, reported } = await readRaw(
    [request, stray, cancel].map((frame) => `${JSON.stringify(frame)}\n`).join(''),
  );
  expect(messages).toEqual([]);
  expect(reported.join('\n')).toContain('zzz');
});

test('a line of 15 MiB arrives', async () => {
  verifies('F14', 'FB10');
  const [message] = await collect(queryTo('prints-much', { prompt: JSON.stringify({ line: 15 * MIB }) }));
  expect(message).toMatchObject({ type: 'assistant' });
  expect(message?.type === 'assistant' && message.message.content[0]).toHaveProperty('text.length', 15 * MIB);
});

test('a line without end is cut off at the limit, and the next message arrives', async () => {
  verifies('F15', 'T20');
  const reported: string[] = [];
  const conversation = queryTo('prints-much', {
    prompt: JSON.stringify({ endless: 40 * MIB }),
    options: { stderr: (text) => reported.push(text) },
  });
  expect(await collect(conversation)).toMatchObject([{ type: 'result', result: 'done' }]);
  expect(reported).toEqual([expect.stringMatching(/line_too_long.*16777216/)]);
});

test.each([
  ['has a wrong member', 'invalid_message', '{"type":"result","subtype":"success","duration_ms":"long"}'],
  ['is cut off', 'invalid_json', '{"type":"result","subtype":"succ'],
  ['is too long', 'line_too_long', `{"type":"result","result":"${'x'.repeat(8192)}"}`],
])('a result that %s fails the query: nothing else would end the turn', async (_how, code, raw) => {
  const prompt = JSON.stringify({ base64: Buffer.from(`${raw}\n`).toString('base64'), pieceBytes: MIB });
  const conversation = queryTo('prints-raw', { prompt, options: { maxLineBytes: 4096 } });
  await expect(collect(conversation)).rejects.toMatchObject({ code });
  await conversation.closed;
});

test('unread output on stderr blocks nothing, and its end is kept', async () => {
  verifies('F31', 'T20');
  const conversation = queryTo('prints-much', { prompt: JSON.stringify({ stderr: 100 * MIB }) });
  expect(await collect(conversation)).toHaveLength(1);
  const { stderrTail } = await conversation.closed;
  expect(stderrTail.endsWith('the end of stderr')).toBe(true);
  expect(stderrTail.length).toBeLessThanOrEqual(64 * 1024);
});

test('a stderr callback gets complete lines, and its exceptions are ignored', async () => {
  verifies('FB9', 'T29');
  const lines: string[] = [];
  const stderr = (text: string) => {
    lines.push(text);
    throw new Error('the log is full');
  };
  await expect(collect(queryTo('exits-3-with-stderr', { options: { stderr } }))).rejects.toMatchObject({
    code: 'process_exited',
  });
  expect(lines).toEqual(['first line', 'the configuration is broken']);
});

test('both sides may write 10 MiB at once', async () => {
  verifies('F30', 'T21', 'O-19');
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    for (let index = 0; index < 20; index += 1) yield userMessage('x'.repeat(MIB / 2));
  }
  const messages = await collect(queryTo('writes-both-ways', { prompt: prompts() }));
  expect(messages.filter(({ type }) => type === 'assistant')).toHaveLength(160);
  expect(messages.at(-1)).toMatchObject({ received: 10 * MIB });
});

test('a stalled reader pauses the CLI without losing data or blocking control requests', async () => {
  verifies('F29', 'FB3');
  const conversation = queryTo('streams-deltas', { prompt: String(64 * 1024) });
  await expect.poll(() => conversation.supportedCommands(), { timeout: 10_000 }).toEqual({ commands: ['true'] });
  let length = 0;
  let result: SDKMessage | undefined;
  const count = (message: SDKMessage) => {
    if (message.type === 'result') result = message;
    if (message.type !== 'stream_event' || message.event.type !== 'content_block_delta') return;
    if (message.event.delta.type === 'text_delta') length += message.event.delta.text.length;
  };
  for await (const message of conversation) count(message);
  expect(result).toMatchObject({ heard: [true, false], written: length });
});
