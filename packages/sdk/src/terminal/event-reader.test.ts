import { readdirSync, readFileSync } from 'node:fs';
import { readOutputLine } from '@qwen/protocol/openai';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { EventReader } from './event-reader.js';
import type { QwenEvent } from './events.js';
import { toDate } from './to-date.js';

const FOLDER = new URL('../../../protocol/test/openai-fixtures/', import.meta.url);
const textOf = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8').trim();

/** What the lines of a fixture say. */
function eventsOf(name: string): QwenEvent[] {
  const lines = name.endsWith('.jsonl') ? textOf(name).split('\n') : [JSON.stringify(JSON.parse(textOf(name)))];
  const reader = new EventReader();
  return lines.flatMap((line) => reader.read(readOutputLine(line)));
}

/** The text of an annotation, on its own line. */
function eventsOfAnnotation(name: string): QwenEvent[] {
  const annotations: unknown[] = [JSON.parse(textOf(name))];
  const message = { role: 'assistant', content: 'Hello', annotations };
  const line = { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: null }] };
  return new EventReader().read(readOutputLine(JSON.stringify(line)));
}

test('reads every line of the two reference documents', () => {
  verifies('A-22', 'S-05', 'S-07');
  const names = readdirSync(FOLDER).filter((name) => /-output-(stream|result|session|fatal-error|chunk)/.test(name));
  const read = names.filter((name) => /\.jsonl?$/.test(name) && !/display|inline|\.raw\./.test(name));
  expect(read.length).toBeGreaterThan(12);
  for (const name of read) {
    const kinds = eventsOf(name).map(({ kind }) => kind);
    expect(kinds, name).not.toContain('invalid');
    expect(kinds, name).not.toContain('unknown');
  }
});

test('emits the messages of a run in order and continues after the first stop', () => {
  verifies('CF-66', 'A-26');
  const events = eventsOf('001-output-stream-json.jsonl');
  expect(events.map(({ kind }) => kind)).toEqual(['text', 'message', 'usage', 'message', 'text', 'message', 'usage']);
  expect(events.filter(({ kind }) => kind === 'message')).toMatchObject([
    { sessionId: 'session-123', text: 'Running analysis...', finishReason: 'stop' },
    { text: '', toolCalls: [{ id: 'tool-1', function: { name: 'edit_file' } }], finishReason: 'tool_calls' },
    { text: 'Fix complete. Files updated.', finishReason: 'stop' },
  ]);
});

test('emits chunks immediately and the message when it is complete', () => {
  verifies('A-27', 'C-13', 'C-14', 'CF-06', 'CF-07', 'CF-08');
  const events = eventsOf('001-output-stream-chunk-json.fixed.jsonl');
  expect(events.flatMap((event) => (event.kind === 'text' ? [event.text] : []))).toEqual(['Running', ' analysis...']);
  expect(events.filter(({ kind }) => kind === 'message')).toMatchObject([
    { text: 'Running analysis...', toolCalls: [{ id: 'tool-1', function: { name: 'edit_file', arguments: '...' } }] },
  ]);
  expect(events.at(-1)).toMatchObject({ kind: 'usage', sessionId: 'session-123' });
});

test.each(['000', '001'])('turns the annotations of document %s into events', (document) => {
  verifies('CF-14');
  const kinds = ['tool-display', 'thought', 'session-event'].flatMap((name) =>
    eventsOfAnnotation(`${document}-output-annotation-x-qwen-${name}.json`).map(({ kind }) => kind),
  );
  expect(kinds).toEqual(['text', 'tool', 'text', 'thought', 'text', 'session_event']);
  expect(eventsOfAnnotation(`${document}-output-annotation-x-qwen-terminal.json`)).toMatchObject([
    { kind: 'text', terminal: [{ source: 'assistant' }] },
  ]);
});

test('reads seconds and milliseconds of a tool display as the same time', () => {
  verifies('CF-16');
  const [, event] = eventsOfAnnotation('000-output-annotation-x-qwen-tool-display.json');
  expect(event).toMatchObject({ display: { timestamp: 1_739_430_005_000 } });
});

test('reads states in any case and either spelling', () => {
  verifies('CF-15', 'CF-62');
  const states = ['Executing', 'CANCELLED', 'canceled'].map((status) => {
    const display = { type: 'x-qwen-tool-display', tool_call_id: 'c', status };
    const choice = { index: 0, delta: { annotations: [display] } };
    const line = { object: 'chat.completion.chunk', choices: [choice] };
    const [event] = new EventReader().read(readOutputLine(JSON.stringify(line)));
    return event?.kind === 'tool' ? event.display.status : undefined;
  });
  expect(states).toEqual(['executing', 'canceled', 'canceled']);
});

test('accepts action as a name for outcome', () => {
  verifies('CF-25');
  const line = '{"type":"result/command","session_id":"s","action":{"type":"handled"}}';
  expect(new EventReader().read(readOutputLine(line))).toEqual([
    { kind: 'command', sessionId: 's', command: undefined, result: { type: 'handled' } },
  ]);
});

test('reads control and turn errors from the metadata', () => {
  verifies('K-09', 'CF-10');
  const metadata = {
    session_id: 's',
    control_errors: [{ request_id: 'r', subtype: 'can_use_tool', message: 'late', retryable: true }],
    error: { code: 'unsupported_protocol', message: 'no' },
  };
  const line = JSON.stringify({ object: 'chat.completion', choices: [], metadata });
  expect(new EventReader().read(readOutputLine(line))).toMatchObject([
    { kind: 'control_error', error: { message: 'late', retryable: true } },
    { kind: 'error', error: { code: 'unsupported_protocol' } },
  ]);
});

test('reports the usage of a message once, also with a summary or a last chunk', () => {
  verifies('GAP-16', 'CF-07');
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const summary = { num_turns: 1, duration_ms: 1, duration_api_ms: 1, tool_calls: 0, is_error: false, usage };
  const metadata = {
    session_id: 's',
    summary: { ...summary, permission_denials: [], session_usage: usage },
  };
  const kindsOf = (line: object) =>
    new EventReader()
      .read(readOutputLine(JSON.stringify({ choices: [], usage, metadata, ...line })))
      .map(({ kind }) => kind);
  expect(kindsOf({ object: 'chat.completion' })).toEqual(['summary']);
  expect(kindsOf({ object: 'chat.completion.chunk' })).toEqual(['usage', 'summary']);
});

test('reads times as seconds, milliseconds or text', () => {
  verifies('CF-17');
  const moment = new Date('2025-02-13T07:00:05.000Z');
  for (const value of [1_739_430_005, 1_739_430_005_000, '2025-02-13T07:00:05Z']) {
    expect(toDate(value)).toEqual(moment);
  }
  expect(() => toDate('soon')).toThrow(expect.objectContaining({ code: 'invalid_message' }));
});
