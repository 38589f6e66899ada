import { readdirSync, readFileSync } from 'node:fs';
import { verifies } from '@qwen/testkit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { createIpcSchemas } from '../src/json-schema.js';
import { commandReferenceSchema } from '../src/openai/command-result.js';
import { readAnnotation } from '../src/openai/older-spellings.js';
import { annotationSchema, chatPartSchema, readInputLine, readOutputLine } from '../src/openai.js';

// Every line of the two documents is read unchanged and matches the JSON Schema of its kind.

const FOLDER = new URL('./openai-fixtures/', import.meta.url);
const names = readdirSync(FOLDER);

const textOf = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');
const parse = (name: string): unknown => JSON.parse(textOf(name));
const linesOf = (name: string): readonly string[] =>
  textOf(name)
    .split('\n')
    .filter((line) => line.trim() !== '');

const ajv = new Ajv2020({ strict: false });
const validators = new Map([...createIpcSchemas()].map(([name, schema]) => [name, ajv.compile(schema)]));

function problemsOf(document: string, value: unknown): unknown {
  const validate = validators.get(document);
  if (validate === undefined) throw new Error(`there is no document ${document}`);
  return validate(value) ? null : validate.errors;
}

const REQUESTS: readonly (readonly [RegExp, string, object])[] = [
  [/input-(chat-request|explicit|messages-form)/, 'qwen-chat-request-schema', { kind: 'chat' }],
  [/input-command-hint-request/, 'command-hint-request', { kind: 'typed', request: { type: 'command_hint_request' } }],
  [/input-heartbeat-request/, 'heartbeat-request', { kind: 'typed', request: { type: 'heartbeat_request' } }],
  [/input-control-cancel/, 'control-cancel', { kind: 'typed', request: { type: 'control/cancel' } }],
];

const LINES: readonly (readonly [RegExp, string, string])[] = [
  [/output-stream-json/, 'chat-completion', 'completion'],
  [/output-stream-chunk-json\.fixed/, 'chat-completion-chunk', 'chunk'],
  [/output-result-command\.json/, 'result-command', 'command'],
  [/output-result-command-hint/, 'result-command-hint', 'hint'],
  [/output-result-heartbeat/, 'result-heartbeat', 'heartbeat'],
  [/output-result-cancel/, 'result-cancel', 'cancel'],
  [/output-session-event/, 'session-event', 'session_event'],
  [/output-fatal-error\.json/, 'fatal-error', 'fatal'],
];

const withRow = <Row extends readonly [RegExp, ...unknown[]]>(rows: readonly Row[]) =>
  rows.flatMap((row) => names.filter((name) => row[0].test(name)).map((name) => [name, row] as const));

test.each(withRow(REQUESTS))('%s is accepted', (name, [, document, expected]) => {
  verifies('E-32', 'GAP-39', 'CF-22');
  const line = JSON.stringify(parse(name));
  expect(readInputLine(line)).toMatchObject(expected);
  expect(problemsOf(document, parse(name))).toBeNull();
});

test.each(withRow(LINES))('%s is read', (name, [, document, kind]) => {
  verifies('GAP-39', 'C-14', 'S-05');
  const lines = name.endsWith('.jsonl') ? linesOf(name) : [JSON.stringify(parse(name))];
  for (const line of lines) {
    expect(readOutputLine(line)).toMatchObject({ kind });
    expect(problemsOf(document, JSON.parse(line))).toBeNull();
  }
});

test.each(names.filter((name) => /output-chunk-\w+-inline/.test(name)))('%s is read, abbreviated as it is', (name) => {
  const value = parse(name);
  const line = JSON.stringify({ object: 'chat.completion.chunk', ...Object(value) });
  expect(readOutputLine(line)).toMatchObject({ kind: 'chunk' });
});

test('the line with an extra brace affects only that line', () => {
  const kinds = linesOf('001-output-stream-chunk-json.raw.jsonl').map((line) => readOutputLine(line).kind);
  expect(kinds).toEqual(['chunk', 'chunk', 'chunk', 'chunk', 'invalid', 'chunk']);
});

test.each(names.filter((name) => name.includes('output-annotation')))('%s is an annotation', (name) => {
  verifies('CF-13', 'CF-14');
  const read = readAnnotation(parse(name));
  expect(annotationSchema.safeParse(read)).toMatchObject({ success: true });
  expect(problemsOf('annotation', read)).toBeNull();
});

test('reads parts, references and displays from the text', () => {
  expect(chatPartSchema.safeParse(parse('001-input-part-instruction-clear.json')).success).toBe(true);
  expect(commandReferenceSchema.safeParse(parse('001-input-at-reference-inline.json')).success).toBe(true);
  for (const [name, kind] of [
    ['001-output-result-display-string.json', 'string'],
    ['001-output-result-display-plan-summary.json', 'plan_summary'],
  ] as const) {
    const display = { kind, ...Object(parse(name)) };
    const annotation = {
      type: 'x-qwen-tool-display',
      tool_call_id: 'call',
      status: 'success',
      result_display: display,
    };
    expect(problemsOf('annotation', annotation)).toBeNull();
  }
});

test('no fixture is left out', () => {
  const read = [...REQUESTS, ...LINES].map(([pattern]) => pattern);
  const others = [
    /annotation/,
    /input-part/,
    /at-reference/,
    /result-display/,
    /chunk-\w+-inline/,
    /raw\.jsonl/,
    /fragment/,
  ];
  expect(names.filter((name) => ![...read, ...others].some((pattern) => pattern.test(name)))).toEqual([]);
});
