import { type LineProcess, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { chat, expectOnlyProtocol, FORMATS, isReceipt, isSummary, openLinesFixture } from './fixture.ts';

// Each bad line costs itself: its sender reads what was wrong and where, and the next request works.

const BAD: readonly (readonly [what: string, line: string | Uint8Array])[] = [
  ['no JSON', '{"input":'],
  ['no object', '[1,2,3]'],
  ['null', 'null'],
  ['binary', Buffer.from([0x00, 0xff, 0xfe, 0x80, 0x01])],
  ['an object that is nothing', '{"hello":"world"}'],
  ['an unknown type', '{"type":"no/such/type","session_id":"x"}'],
  ['a request with wrong parts', '{"input":{"origin":"user","parts":[{"type":"text","text":7}]}}'],
  ['an unknown origin', '{"input":{"origin":"nobody","parts":[]}}'],
  ['a tool response without an id', '{"input":{"origin":"tool_response","parts":[]}}'],
  ['a tool response to nothing', '{"tool_call_id":"call_99","input":{"origin":"tool_response","parts":[]}}'],
  ['no messages', '{"model":"m","messages":[]}'],
  ['a hint without a trigger', '{"type":"command_hint_request","text":"/"}'],
  ['more than 16 MiB', `{"input":"${'x'.repeat(16 * 1024 * 1024)}"}`],
];

test.each(FORMATS)('each bad line is refused by its number, and requests between them work, in %s', async (format) => {
  verifies('GAP-12', 'K-08', 'F9', 'F10', 'F14', 'A-16');
  await using fixture = await openLinesFixture([says('Fine.')]);
  const program = await fixture.start(format, { deadlineMs: 30_000 });
  await program.next(isReceipt);
  for (const [row, [what, line]] of BAD.entries()) {
    program.send({ type: 'heartbeat_request' });
    await program.next({ type: 'result/heartbeat' });
    program.write(line);
    program.write('\n');
    const refusal = await program.next({ metadata: { error: { line_number: 2 * row + 2 } } });
    expect([what, refusal]).toMatchObject([what, { metadata: { error: { code: 'QWEN_INVALID_INPUT' } } }]);
    expect([what, Object(refusal)['metadata'].error.message]).not.toEqual([what, '']);
  }
  await works(program);
});

test.each(FORMATS)('unexpected, duplicate and late answers change nothing, in %s', async (format) => {
  verifies('GAP-35', 'F12');
  await using fixture = await openLinesFixture([says('Fine.')]);
  const program = await fixture.start(format);
  const response = { type: 'control_response', response: { subtype: 'success', request_id: 'none', response: {} } };
  program.send(response);
  program.send(response);
  program.send({ type: 'command_hint_cancel', session_id: 'nobody' });
  program.send({ type: 'control_cancel_request', request_id: 'none' });
  program.send({ type: 'control/cancel', session_id: 'nobody' });
  expect(await program.next({ type: 'result/cancel' })).toMatchObject({ status: 'noop' });
  await works(program);
});

test.each(FORMATS)('a name in use is refused, and what it refers to stays unchanged, in %s', async (format) => {
  verifies('E-08', 'K-08');
  await using fixture = await openLinesFixture([says('Fine.')]);
  const program = await fixture.start(format);
  const once = chat('once', { session_id: 'here', prompt_id: 'mine' });
  program.send(once);
  await program.next(isSummary);
  program.send(once);
  await program.next({ metadata: { session_id: 'here', error: { code: 'QWEN_INVALID_INPUT', line_number: 2 } } });
  expect(fixture.model.requests).toHaveLength(1);
  await works(program);
});

test('lines may end in CRLF with blank lines between them, and the last may lack an end', async () => {
  verifies('GAP-58', 'A-15', 'E-27');
  await using fixture = await openLinesFixture([says('Fine.')]);
  const program = await fixture.start('stream-json');
  program.write(`${JSON.stringify(chat('one'))}\r\n\r\n\n${JSON.stringify(chat('two'))}`);
  program.endInput();
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(fixture.model.requests).toHaveLength(2);
  expect(program.lines.filter(({ json }) => isSummary(json ?? {}))).toHaveLength(2);
  expectOnlyProtocol(program.lines);
});

test('characters split between chunks arrive complete', async () => {
  verifies('GAP-08', 'FB11');
  await using fixture = await openLinesFixture([says('Fine.')]);
  const program = await fixture.start('stream-json');
  await program.next(isReceipt);
  for (const byte of Buffer.from(`${JSON.stringify(chat('漢字 😀 \u2028'))}\n`)) program.write(Buffer.of(byte));
  await program.next(isSummary);
  expect(JSON.stringify(fixture.model.requests[0]?.messages)).toContain('漢字 😀 \u2028');
});

async function works(program: LineProcess): Promise<void> {
  program.send(chat('still there?'));
  await program.next(isSummary);
  program.endInput();
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expectOnlyProtocol(program.lines);
}
