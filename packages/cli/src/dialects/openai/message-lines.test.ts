import {
  answer,
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
  turnEnd,
  USAGE,
} from '@qwen/host/test/agent-events.js';
import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import type { ChatCompletion, ChatCompletionMessage } from 'openai/resources/chat/completions';
import { expect, expectTypeOf, test } from 'vitest';
import { annotationsOf, completions, openLines, tell } from '../../../test/event-lists.js';
import type { AssistantLine } from './line-parts.js';

const EDIT = [text('Running ', 'analysis...'), call('tool-1', 'edit', '{"path": ', '"a.txt"}')];
const RUN = [pending('tool-1', 'edit'), started('tool-1', 'edit'), ended('tool-1', 'edit', { content: 'changed' })];
const TURN = turn(SUCCESS, ...answer(EDIT), ...RUN, ...answer([text('Fix complete.')]));

/** The lines that hold a message, with what matters of each. */
const messages = (lines: ReturnType<typeof tell>) =>
  completions(lines).filter(({ choices }) => choices[0]?.finish_reason != null || choices[0]?.message.role === 'tool');

test('a turn is one line per message, with text and calls together, and a summary at the end', () => {
  verifies('B-01', 'B-02', 'B-07', 'B-08', 'B-09', 'B-11', 'B-12', 'B-13', 'B-14', 'B-15', 'B-20', 'CF-66', 'GAP-19');
  const [first, tool, last, summary, ...more] = messages(tell(TURN));
  expect(more).toEqual([]);
  expect(first).toMatchObject({
    object: 'chat.completion',
    model: 'qwen-coder',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Running analysis...',
          refusal: null,
          tool_calls: [{ id: 'tool-1', type: 'function', function: { name: 'edit', arguments: '{"path": "a.txt"}' } }],
        },
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 1200, completion_tokens: 80, total_tokens: 1280 },
  });
  expect(tool?.choices[0]).toMatchObject({
    message: {
      role: 'tool',
      tool_call_id: 'tool-1',
      content: 'changed',
      annotations: [{ type: 'x-qwen-tool-display', status: 'success' }],
    },
    finish_reason: null,
  });
  expect(last?.choices[0]).toMatchObject({ message: { content: 'Fix complete.' }, finish_reason: 'stop' });
  expect(last?.choices[0]?.message).not.toHaveProperty('tool_calls');
  verifies('GAP-16', 'B-03', 'B-10');
  expect(summary).toMatchObject({
    choices: [{ message: { role: 'assistant', content: '' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1200, completion_tokens: 80, total_tokens: 1280 },
    metadata: {
      summary: {
        num_turns: 2,
        duration_ms: 20,
        duration_api_ms: 11,
        tool_calls: 1,
        permission_denials: [],
        is_error: false,
        session_usage: { total_tokens: 1280 },
      },
    },
  });
});

test('an answer with calls only has null as content; input without deltas is JSON', () => {
  verifies('CF-08', 'B-09', 'B-11');
  const [line] = messages(tell(answer([call('c', 'todo_write')])));
  expect(line?.choices[0]).toMatchObject({
    message: { content: null, tool_calls: [{ function: { name: 'todo_write', arguments: '{}' } }] },
  });
});

test('a line is written when its message is complete, and contains no part of another', () => {
  verifies('B-16');
  const { toLines } = openLines();
  const events = answer([text('one ', 'two')]);
  expect(events.slice(0, -1).flatMap((event) => toLines(event))).toEqual([]);
  expect(toLines(events.at(-1) ?? notice(''))).toHaveLength(1);
});

test('every line has the IDs of its session and turn, increasing times, and the model that answers', () => {
  verifies('B-04', 'B-05', 'B-06', 'GAP-15');
  const times = [5_000, 9_900, 3_000, 4_000, 12_000];
  const { toLines } = openLines({ now: () => (times.length > 1 ? Number(times.shift()) : 12_000) });
  const before = completions(toLines(notice('early')).filter((line) => 'object' in line && 'model' in line));
  expect(before[0]).toMatchObject({
    id: `chatcmpl-${SESSION}`,
    model: 'model-before',
    metadata: { session_id: SESSION },
  });
  expect(before[0]?.metadata).not.toHaveProperty('prompt_id');
  const events = [...turn(SUCCESS, ...answer(EDIT, { model: 'qwen-max' }), ...RUN)];
  const lines = completions(events.flatMap((event) => toLines(event)).filter((line) => 'object' in line));
  for (const line of lines) {
    expect(line).toMatchObject({ id: `chatcmpl-${SESSION}`, model: 'qwen-max', metadata: { session_id: SESSION } });
    expect(line.metadata).toMatchObject({ prompt_id: PROMPT });
  }
  const created = [...before, ...lines].map((line) => line.created);
  expect(created).toEqual(created.toSorted((left, right) => left - right));
  expect(created.every(Number.isInteger)).toBe(true);
  expect(toLines(notice('late'))[0]).not.toHaveProperty('metadata.prompt_id');
});

test.each([
  ['end_turn', 'stop'],
  ['max_tokens', 'length'],
  ['content_filter', 'content_filter'],
  ['interrupted', 'stop'],
  ['error', 'stop'],
  ['other', 'stop'],
] as const)('an answer that ended with %s finishes with %s', (stopReason, finishReason) => {
  verifies('GAP-17', 'CF-55', 'B-14');
  const [line] = messages(tell(answer([text('Hm')], { stopReason })));
  expect(line?.choices[0]?.finish_reason).toBe(finishReason);
});

test('a truncated answer is marked on its own line, a completed turn on its summary', () => {
  verifies('GAP-17', 'CF-19', 'D-37', 'D-38');
  const lines = tell(turn(SUCCESS, ...answer([text('Hm')], { stopReason: 'max_tokens' })));
  expect(lines.filter((line) => 'event' in line)).toEqual([]);
  const [cut, summary] = messages(lines);
  expect(cut?.choices[0]?.message.annotations).toContainEqual({
    type: 'x-qwen-session-event',
    event: 'MAX_TOKENS',
    message: 'Response truncated due to token limits.',
  });
  expect(summary?.choices[0]?.message.annotations).toEqual([
    { type: 'x-qwen-session-event', event: 'Finished', message: 'The turn is finished.' },
  ]);
});

test('a failed turn has the error as content, the error for programs, then the summary', () => {
  verifies('K-08');
  const error = new AgentError('rate_limited', 'Too many requests.');
  const lines = messages(tell(turn({ type: 'error', error })));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({
    choices: [{ message: { content: 'Too many requests.' }, finish_reason: 'stop' }],
    metadata: { error: { code: 'rate_limited', message: 'Too many requests.', retryable: true } },
  });
  expect(lines[1]).toMatchObject({ metadata: { summary: { is_error: true, terminal_reason: 'rate_limited' } } });
  const [limited] = messages(tell(turn({ type: 'max_turns', limit: 3 })));
  expect(limited).toMatchObject({ metadata: { error: { code: 'max_turns' } } });
  const interrupted = messages(tell(turn({ type: 'interrupted', by: 'user', reason: 'Stopped.' })));
  expect(interrupted).toHaveLength(1);
  expect(interrupted[0]).toMatchObject({ metadata: { summary: { is_error: false, terminal_reason: 'user' } } });
});

test('an answer that could not be stored is written before the error', () => {
  const error = new AgentError('storage_full', 'No space.');
  const lines = messages(tell(turn({ type: 'error', error }, ...answer([text('Half an ans')]).slice(0, -2))));
  expect(lines.map(({ choices }) => choices[0]?.message.content)).toEqual(['Half an ans', 'No space.', '']);
});

test('usage adds up over the turns of a session', () => {
  verifies('GAP-16');
  const { toLines } = openLines();
  const totals = [turnEnd(SUCCESS), turnEnd(SUCCESS)]
    .flatMap((event) => toLines(event))
    .map((line) => ('object' in line ? line.metadata?.summary?.session_usage.total_tokens : undefined));
  expect(totals).toEqual([USAGE.total_tokens, 2 * Number(USAGE.total_tokens)]);
});

test('the calls of a turn are counted from zero', () => {
  verifies('GAP-16');
  const { toLines } = openLines();
  const counts = [...turn(SUCCESS, ended('c', 'glob'), ended('d', 'glob')), ...turn(SUCCESS, ended('e', 'glob'))]
    .flatMap((event) => toLines(event))
    .flatMap((line) => ('object' in line ? (line.metadata?.summary?.tool_calls ?? []) : []));
  expect(counts).toEqual([2, 1]);
});

test('text of a subagent is not content; its calls are annotations that name the parent call', () => {
  const inner = { parent: 'task-1' };
  const lines = tell([
    ...answer([thinking('**Look** around'), text('inner words'), call('in-1', 'read_file', '{}')], inner),
    pending('in-1', 'read_file', {}, 'task-1'),
    ended('in-1', 'read_file', inner),
  ]);
  expect(messages(lines)).toEqual([]);
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    expect(line).toMatchObject({
      choices: [{ message: { content: null }, finish_reason: null }],
      metadata: { parent_tool_call_id: 'task-1' },
    });
  }
  expect(JSON.stringify(lines)).not.toContain('inner words');
  expect(annotationsOf(lines).map(({ type }) => type)).toEqual([
    'x-qwen-thought',
    'x-qwen-tool-display',
    'x-qwen-tool-display',
  ]);
});

test('failures of the control channel are on the next line, once', () => {
  verifies('K-09', 'GAP-38', 'K-10');
  const lines = openLines();
  lines.noteControlError({
    request_id: 'r-1',
    subtype: 'can_use_tool',
    message: 'No answer in time.',
    retryable: true,
  });
  const failure = lines.toLines(turnEnd({ type: 'interrupted', by: 'user', reason: 'r' }));
  expect(failure[0]).toMatchObject({
    metadata: {
      session_id: SESSION,
      control_errors: [{ request_id: 'r-1', subtype: 'can_use_tool', message: 'No answer in time.', retryable: true }],
    },
  });
  expect(JSON.stringify(failure.slice(1))).not.toContain('control_errors');
  const [hook] = lines.toLines(notice('The Stop hook a failed: no.', 'hook_error', { event: 'Stop', hook: 'a' }));
  expect(hook).toMatchObject({
    metadata: { control_errors: [{ subtype: 'hook_callback', message: 'The Stop hook a failed: no.' }] },
  });
});

test.each(['message', 'chunk'] as const)(
  'a changed permission mode is reported without choices, in the format of a %s',
  (format) => {
    const [line, ...more] = tell([{ type: 'permission_mode_changed', mode: 'auto-edit' }], { format });
    expect(more).toEqual([]);
    expect(line).toMatchObject({ choices: [], metadata: { session_id: SESSION, permission_mode: 'auto-edit' } });
  },
);

test('model lines match the types of the OpenAI client, apart from the documented additions', () => {
  verifies('B-02', 'B-17');
  type Choice = AssistantLine['choices'][number];
  expectTypeOf<Omit<Choice['message'], 'annotations'>>().toExtend<Omit<ChatCompletionMessage, 'annotations'>>();
  expectTypeOf<Omit<Choice, 'message'>>().toExtend<Omit<ChatCompletion.Choice, 'message'>>();
  expectTypeOf<Omit<AssistantLine, 'choices' | 'metadata'>>().toExtend<Omit<ChatCompletion, 'choices' | 'metadata'>>();
});
