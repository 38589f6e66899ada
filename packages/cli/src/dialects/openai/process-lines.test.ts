import { AgentError, encodeLine } from '@qwen/protocol';
import { readOutputLine } from '@qwen/protocol/openai';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { annotationsOf, readBack } from '../../../test/event-lists.js';
import { createLineClock } from './line-clock.js';
import type { LineOrigin } from './line-parts.js';
import {
  consoleLine,
  exitLines,
  fatalLines,
  invalidInputLine,
  receiptLine,
  recoverableErrorLine,
  unsupportedProtocolLine,
} from './process-lines.js';

const MESSAGES: LineOrigin = {
  format: 'message',
  clock: createLineClock(() => 1_739_430_000_900),
  sessionId: 'session-123',
  model: 'qwen-coder',
};
const CHUNKS: LineOrigin = { ...MESSAGES, format: 'chunk' };

const FACTS = {
  inputFormat: 'stream-json',
  outputFormat: 'stream-json',
  capabilities: { tools: ['edit'], mcpServers: true, hooks: true, permissionControl: true, chatCompletionChunk: true },
  version: '1.2.3',
  cwd: '/work',
  permissionMode: 'default',
};

test.each([
  [MESSAGES, 'chat.completion'],
  [CHUNKS, 'chat.completion.chunk'],
])('the receipt states the version and capabilities of the CLI', (origin, object) => {
  verifies('K-01', 'K-02', 'CF-09', 'GAP-15');
  expect(readBack(receiptLine(origin, FACTS))).toEqual({
    object,
    id: 'chatcmpl-session-123',
    created: 1_739_430_000,
    model: 'qwen-coder',
    choices: [],
    metadata: {
      session_id: 'session-123',
      protocol_version: 1,
      supported_protocol_versions: [1],
      input_format: 'stream-json',
      output_format: 'stream-json',
      capabilities: FACTS.capabilities,
      qwen_code_version: '1.2.3',
      cwd: '/work',
      permission_mode: 'default',
    },
    system_fingerprint: 'qwen-ipc/1',
  });
});

test('an invalid line is reported with its number and does not end the process', () => {
  verifies('GAP-12', 'K-08');
  const error = new AgentError('invalid_json', 'Line 3 is not JSON.');
  expect(readBack(invalidInputLine(MESSAGES, error, 3))).toMatchObject({
    choices: [{ message: { role: 'assistant', content: 'Line 3 is not JSON.' }, finish_reason: 'stop' }],
    metadata: { error: { code: 'QWEN_INVALID_INPUT', line_number: 3, data: { code: 'invalid_json' } } },
  });
  expect(readBack(invalidInputLine(CHUNKS, error, 3))).toMatchObject({
    choices: [{ delta: { role: 'assistant', content: 'Line 3 is not JSON.' }, finish_reason: 'stop' }],
    metadata: { error: { code: 'QWEN_INVALID_INPUT', line_number: 3 } },
  });
});

test('an error during a streamed message leaves that message complete', () => {
  const error = new AgentError('overloaded', 'Too many prompts wait.');
  const line = readBack(recoverableErrorLine({ ...CHUNKS, isInsideMessage: true }, error));
  expect(line).toMatchObject({
    choices: [{ finish_reason: null }],
    metadata: { error: { code: 'overloaded', message: 'Too many prompts wait.', retryable: true } },
  });
  expect(line).not.toHaveProperty('choices[0].delta.content');
  expect(annotationsOf([line])).toMatchObject([{ channel: 'stderr', text: 'Too many prompts wait.\n' }]);
});

test.each([MESSAGES, CHUNKS])(
  'an unsupported version finishes with an error that lists the supported ones',
  (origin) => {
    verifies('K-03', 'K-04', 'CF-10', 'B-14');
    const line = readBack(unsupportedProtocolLine(origin, 3));
    expect(line).toMatchObject({
      choices: [{ finish_reason: 'error' }],
      metadata: {
        error: {
          code: 'unsupported_protocol',
          message: 'Protocol version 3 is not supported; supported: 1.',
          data: { protocol_version: 3, supported_protocol_versions: [1] },
        },
      },
    });
    expect(line).not.toHaveProperty('usage');
  },
);

const FATAL = {
  message: 'invalid tool input',
  type: 'invalid_request_error',
  param: 'tools[0].function.arguments',
  code: 'QWEN_INVALID_TOOL_ARGS',
};

test('a fatal error is one object in the OpenAI format', () => {
  verifies('K-06', 'K-07');
  expect(fatalLines(MESSAGES, FATAL)).toEqual([{ error: FATAL }]);
  const [line = {}] = fatalLines(MESSAGES, { message: 'gone', type: 'server_error' });
  expect(line).toEqual({ error: { message: 'gone', type: 'server_error', param: null, code: null } });
  expect(readOutputLine(encodeLine(line).trimEnd())).toMatchObject({ kind: 'fatal' });
});

test('in chunks the text of a fatal error comes first, in red on stderr', () => {
  verifies('C-16', 'D-08', 'CF-13');
  const [chunk = {}, line] = fatalLines(CHUNKS, { ...FATAL, message: 'Configuration missing' });
  expect(readBack(chunk)).toMatchObject({ choices: [{ delta: { content: 'Configuration missing' } }] });
  expect(annotationsOf([readBack(chunk)])[0]).toEqual({
    type: 'x-qwen-terminal',
    channel: 'stderr',
    source: 'system',
    spans: [{ start_index: 0, end_index: 21, style: { theme_token: 'AccentRed' } }],
    ansi: [
      { offset: 0, sequence: '\u001b[31m' },
      { offset: 21, sequence: '\u001b[0m' },
    ],
    log_scope: 'system',
  });
  expect(line).toMatchObject({ error: { message: 'Configuration missing' } });
});

test('library output is an annotation, with colours separate from the text', () => {
  verifies('D-07', 'D-15', 'D-18', 'L-07', 'L-08', 'CF-13');
  const said = consoleLine(MESSAGES, { channel: 'stderr', level: 'warn', text: '\u001b[33mold\u001b[39m\u001b[2K\n' });
  expect(annotationsOf([readBack(said)])).toEqual([
    {
      type: 'x-qwen-terminal',
      channel: 'stderr',
      source: 'console',
      text: 'old\n',
      ansi: [
        { offset: 0, sequence: '\u001b[33m' },
        { offset: 3, sequence: '\u001b[39m' },
        { offset: 4, sequence: '\u001b[0m' },
      ],
      console_level: 'warn',
      log_scope: 'system',
    },
  ]);
  const debug = consoleLine(CHUNKS, { channel: 'stdout', level: 'debug', text: 'x' });
  expect(annotationsOf([readBack(debug)])[0]).toMatchObject({ channel: 'stdout', log_scope: 'debug', ansi: [] });
  const raw = consoleLine(MESSAGES, { channel: 'stdout', text: 'raw' });
  expect(annotationsOf([readBack(raw)])[0]).not.toHaveProperty('console_level');
});

test.each([MESSAGES, CHUNKS])("the last line restores the terminal's modes and contains the exit code", (origin) => {
  verifies('D-16', 'D-43', 'D-44', 'CF-14', 'CF-13');
  const annotations = annotationsOf(exitLines(origin, 3).map(readBack));
  expect(annotations).toMatchObject([
    { type: 'x-qwen-ansi', value: '\u001b[?2004l' },
    { type: 'x-qwen-terminal', source: 'system', exit_code: 3, text: '', ansi: [] },
  ]);
});
