import type { ModelPart } from '@qwen/models';
import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import {
  aborted,
  call,
  calling,
  createTestSession,
  ofType,
  outcomes,
  results,
  runAll,
  type ScriptedAnswer,
  START,
  saying,
  text,
  tool,
} from '../../../test/scripted-engine.js';
import { ScriptedHooks } from '../../../test/scripted-hooks.js';
import { createAgentSession, requestsOf, task } from '../../../test/subagent-session.js';
import { foldRecords } from '../../conversation/model-history.js';

/** An answer after which the provider counted so many tokens. */
const counted = (value: string, tokens: number): ModelPart[] => [
  START,
  text(value),
  { type: 'finish', reason: 'stop', usage: { input_tokens: tokens, output_tokens: 0 } },
];
const OVERFLOW: ScriptedAnswer = [{ type: 'failure', error: new AgentError('context_overflow', 'too long') }];
/** About 100 tokens. */
const LONG = 'x'.repeat(400);

test('a window that is nearly full: the older part becomes a summary, and a resume reads the same', async () => {
  verifies('GAP-59');
  const { session, model, log } = createTestSession(
    [counted('one', 100), counted('two', 850), saying('what mattered'), saying('three')],
    { contextWindow: 1_000 },
  );
  const events = await runAll(session, LONG, `${LONG}!`, 'third');
  expect(outcomes(events)).toMatchObject([{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
  const [, , summary, last] = model.requests;
  expect(summary?.tools).toEqual([]);
  expect(JSON.stringify(summary?.messages)).toContain('USER:\\nxxx');
  const summed =
    '<conversation-summary>\nThe earlier part of this conversation, summed up:\nwhat mattered\n</conversation-summary>';
  expect(last?.messages[0]).toEqual({ role: 'user', content: [{ type: 'text', text: summed }] });
  expect(last?.messages.slice(1)).toMatchObject([{ role: 'user', content: [{ text: 'third' }] }]);
  expect(foldRecords(log.records).slice(0, -1)).toEqual(last?.messages);
  const [told] = ofType(events, 'compacted');
  expect(told).toMatchObject({ trigger: 'auto', tokensBefore: expect.any(Number), parentToolUseId: null });
  expect(told?.tokensAfter).toBeLessThan(told?.tokensBefore ?? 0);
  expect(log.records.find(({ type }) => type === 'compaction')).toMatchObject({
    summary: summed,
    kept_messages: 1,
    tokens_before: told?.tokensBefore,
    tokens_after: told?.tokensAfter,
  });
});

test('in the middle of a turn no result is left without its call, and the prompt stays word for word', async () => {
  verifies('GAP-59');
  const look = tool('look', { execute: () => Promise.resolve({ content: LONG.repeat(2) }) });
  const full = (id: string): ModelPart[] => [
    ...calling(call(id, 'look')).slice(0, -1),
    { type: 'finish', reason: 'tool_calls', usage: { input_tokens: 900, output_tokens: 0 } },
  ];
  const { session, model } = createTestSession(
    [calling(call('c1', 'look')), calling(call('c2', 'look')), full('c3'), saying('seen twice'), saying('done')],
    { tools: [look], contextWindow: 1_000 },
  );
  const events = await runAll(session, 'find the bug');
  expect(outcomes(events)).toMatchObject([{ type: 'success', text: 'done' }]);
  const messages = model.requests.at(-1)?.messages ?? [];
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  expect(JSON.stringify(messages[0])).toContain('The last request, word for word:\\nfind the bug');
});

test('a provider that says it is too long gets a shorter one, once', async () => {
  verifies('GAP-59');
  const run = async (...answers: readonly ScriptedAnswer[]) => {
    const { session, model } = createTestSession([counted('one', 10), ...answers], {});
    const events = await runAll(session, LONG, 'two');
    return { outcome: outcomes(events).at(-1), calls: model.requests.length, notices: ofType(events, 'notice') };
  };
  expect(await run(OVERFLOW, saying('in short'), saying('two'))).toEqual({
    outcome: { type: 'success', text: 'two' },
    calls: 4,
    notices: [],
  });
  expect(await run(OVERFLOW, saying('in short'), OVERFLOW)).toMatchObject({
    outcome: { type: 'error', error: { code: 'context_overflow' } },
    calls: 4,
  });
});

test('a summary that fails leaves the conversation as it was, and is told once', async () => {
  verifies('GAP-59');
  const cut: ModelPart[] = [
    START,
    text('half'),
    { type: 'finish', reason: 'length', usage: { input_tokens: 1, output_tokens: 1 } },
  ];
  const { session, model } = createTestSession(
    [counted('one', 100), counted('two', 950), cut, calling(call('c', 'look')), saying('three')],
    { contextWindow: 1_000, tools: [tool('look')] },
  );
  const events = await runAll(session, LONG, LONG, 'third');
  expect(ofType(events, 'notice').map(({ code }) => code)).toEqual(['compaction_failed']);
  expect(ofType(events, 'compacted')).toEqual([]);
  expect(outcomes(events).at(-1)).toMatchObject({ type: 'success', text: 'three' });
  expect(model.requests[3]?.messages).toHaveLength(5);
});

test('a conversation that cannot become shorter is not summed up', async () => {
  const { session, model } = createTestSession([OVERFLOW], {});
  const events = await runAll(session, LONG);
  expect(model.requests).toHaveLength(1);
  expect(outcomes(events)).toMatchObject([{ type: 'error', error: { code: 'context_overflow' } }]);
});

test('hooks may keep it from happening, say what matters, and add what they know afterwards', async () => {
  verifies('GAP-49', 'GAP-59');
  const run = async (hooks: ScriptedHooks) => {
    const { session, model } = createTestSession(
      [counted('one', 100), counted('two', 950), saying('in short'), saying('three')],
      { contextWindow: 1_000, hooks },
    );
    const events = await runAll(session, LONG, LONG, 'third');
    return { codes: ofType(events, 'notice').map(({ code }) => code), requests: model.requests };
  };
  const blocking = new ScriptedHooks({ PreCompact: () => ({ block: { reason: 'not now' } }) });
  expect(await run(blocking)).toMatchObject({ codes: ['compaction_blocked'], requests: { length: 3 } });
  expect(blocking.of('PreCompact')).toEqual([{ event: 'PreCompact', trigger: 'auto' }]);

  const adding = new ScriptedHooks({
    PreCompact: () => ({ additionalContext: 'keep the port' }),
    SessionStart: ({ source }) => ({ additionalContext: `after ${source}` }),
  });
  const { requests } = await run(adding);
  expect(JSON.stringify(requests[2]?.messages)).toContain('keep the port');
  expect(JSON.stringify(requests[3]?.messages[0])).toContain('after compact');
});

test('an interrupt during the summary ends the turn, the conversation as it was', async () => {
  const summing = Promise.withResolvers<void>();
  const endless: ScriptedAnswer = async function* prepareCompaction(_request, signal) {
    summing.resolve();
    yield START;
    await aborted(signal);
  };
  const { session, log } = createTestSession([counted('one', 100), counted('two', 950), endless], {
    contextWindow: 1_000,
  });
  const reading = runAll(session, LONG, LONG, 'third');
  await summing.promise;
  session.interrupt({ by: 'user', reason: 'stop' });
  const events = await reading;
  expect(outcomes(events).at(-1)).toMatchObject({ type: 'interrupted', by: 'user' });
  expect(ofType(events, 'compacted')).toEqual([]);
  expect(foldRecords(log.records)).toHaveLength(5);
});

test('the conversation of a subagent is summed up by itself', async () => {
  verifies('GAP-59', 'GAP-50');
  const look = tool('look', { execute: () => Promise.resolve({ content: LONG.repeat(2) }) });
  const full: ModelPart[] = [
    ...calling(call('s', 'look')).slice(0, -1),
    { type: 'finish', reason: 'tool_calls', usage: { input_tokens: 900, output_tokens: 0 } },
  ];
  const { session, model, log } = createAgentSession(
    {
      go: [calling(task('t1', 'work')), saying('done')],
      work: [calling(call('s', 'look')), calling(call('s', 'look')), full],
      '*': [saying('in short')],
    },
    { tools: [look], contextWindow: 1_000 },
  );
  const events = await runAll(session, 'go');
  expect(ofType(events, 'compacted')).toMatchObject([{ parentToolUseId: 't1' }]);
  expect(results(events).at(-1)).toMatch(/^task: in short\n/);
  expect(requestsOf(model.requests, 'go')).toHaveLength(2);
  expect(log.records.find(({ type }) => type === 'compaction')).toMatchObject({ parent_tool_use_id: 't1' });
  expect(foldRecords(log.records).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
});
