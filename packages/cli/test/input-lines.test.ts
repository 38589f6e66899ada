import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answerTo, control, openCliFixture, prompt, RESULT } from './cli-fixture.js';

const ERROR = { type: 'system', subtype: 'error' };
const GOOD = JSON.stringify(prompt('hi'));

/** Each with the code of its error. */
const BAD_LINES = [
  ['half an object', '{"type":"user",', 'invalid_json'],
  ['text', 'npm WARN deprecated', 'invalid_json'],
  ['null', 'null', 'invalid_message'],
  ['a number', '42', 'invalid_message'],
  ['an empty object', '{}', 'invalid_message'],
  ['a raw NUL', '{"type":"us\0er"}', 'invalid_json'],
  ['100,000 brackets', '['.repeat(100_000), 'invalid_json'],
  ['a prompt without a message', '{"type":"user"}', 'invalid_message'],
  [
    'a line that only we may write',
    '{"type":"system","subtype":"init","uuid":"u","session_id":"s"}',
    'invalid_message',
  ],
] as const;

test('a bad line is answered with an error and its number, and the next one is handled', async () => {
  verifies('F7', 'F9', 'F10', 'F17', 'GAP-12', 'FB12', 'M-86');
  await using fixture = await openCliFixture([says('hello')]);
  const agent = await fixture.startMachine();
  for (const [index, [what, line, code]] of BAD_LINES.entries()) {
    agent.send('');
    agent.send(line);
    agent.send(GOOD);
    const { data } = await agent.next(ERROR);
    expect([what, data]).toMatchObject([what, { code, line_number: 3 * index + 2 }]);
    await agent.next({ ...RESULT, result: 'hello' });
  }
});

test('a BOM, blank lines, CRLF, invalid UTF-8 and unknown types do no harm', async () => {
  verifies('F4', 'F6', 'F8', 'F12', 'M-84', 'FB13');
  await using fixture = await openCliFixture([says('one'), says('two')]);
  const agent = await fixture.startMachine();
  agent.write(`\uFEFF${GOOD}\r\n\n  \n{"type":"from_the_future","x":1}\n`);
  agent.write(Buffer.concat([Buffer.from(GOOD.replace('hi', 'bad ')), Buffer.from('\n')]));
  agent.endInput();
  await agent.next({ ...RESULT, result: 'one' });
  await agent.next({ ...RESULT, result: 'two' });
  expect(await agent.exited).toEqual({ code: 0, signal: null });
});

test('a line in single bytes, split characters, and many lines in one write are read', async () => {
  verifies('F1', 'F2', 'F3', 'A-15');
  await using fixture = await openCliFixture([says('ok')]);
  const agent = await fixture.startMachine();
  for (const byte of Buffer.from(`${JSON.stringify(prompt('é漢👩‍👩‍👧'))}\n`)) agent.write(Uint8Array.of(byte));
  await agent.next(RESULT);
  expect(fixture.model.requests[0]?.messages.at(-1)?.content).toBe('é漢👩‍👩‍👧');
  const requests = Array.from({ length: 1000 }, (_, index) => control(`r${index}`, { subtype: 'interrupt' }));
  agent.write(requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
  for (const { request_id } of requests) await agent.next(answerTo(request_id));
});

test('U+2028 and similar characters do not end a line, in either direction', async () => {
  verifies('F5', 'T1', 'FB11', 'S84');
  const text = `one\u2028two\u2029three\u0085four\u000bfive{"type":"control_request"}`;
  await using fixture = await openCliFixture([says(text)]);
  const agent = await fixture.startMachine();
  agent.send(JSON.stringify(prompt(text)));
  expect(await agent.next(RESULT)).toMatchObject({ result: text });
  expect(agent.lines.every((line) => !/[\u2028\u2029]/.test(line.text))).toBe(true);
  expect(fixture.model.requests[0]?.messages.at(-1)?.content).toBe(text);
});

test('a line of 15 MiB arrives; one over 16 MiB is reported and the next one is handled', async () => {
  verifies('F14', 'F15', 'FB10');
  await using fixture = await openCliFixture([says('ok')]);
  const agent = await fixture.startMachine();
  agent.send(control('big', { subtype: 'supported_commands', padding: 'x'.repeat(15 * 1024 * 1024) }));
  await agent.next(answerTo('big'));
  agent.send('y'.repeat(16 * 1024 * 1024 + 1));
  agent.send(GOOD);
  expect(await agent.next(ERROR)).toMatchObject({ data: { code: 'line_too_long', line_number: 2 } });
  await agent.next(RESULT);
});
