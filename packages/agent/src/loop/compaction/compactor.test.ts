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
import { renderHead } from './carry-over.js';

/** An answer with this number of used tokens. */
const counted = (value: string, tokens: number): ModelPart[] => [
  START,
  text(value),
  { type: 'finish', reason: 'stop', usage: { input_tokens: tokens, output_tokens: 0 } },
];
const OVERFLOW: ScriptedAnswer = [{ type: 'failure', error: new AgentError('context_overflow', 'too long') }];
/** About 100 tokens. */
const LONG = 'x'.repeat(400);
/** About 1,000 tokens: what a summary may replace. */
const LONG_ANSWER = 'a'.repeat(4_000);

test('in a nearly full window the older part becomes a summary, and a resume reads the same', async () => {
  verifies('GAP-59');
  const { session, model, log } = createTestSession(
    [counted('one', 100), counted(LONG_ANSWER, 3_400), saying('what mattered'), saying('three')],
    { contextWindow: 4_000 },
  );
  const events = await runAll(session, LONG, `${LONG}!`, 'third');
  expect(outcomes(events)).toMatchObject([{ text: 'one' }, { text: LONG_ANSWER }, { text: 'three' }]);
  const [, , summary, last] = model.requests;
  expect(summary?.tools).toEqual([]);
  expect(JSON.stringify(summary?.messages)).toContain('USER:\\nxxx');
  const summed = renderHead(
    { requests: [LONG, `${LONG}!`], skills: [], edited: [], read: [], todos: [] },
    'what mattered',
    Number.POSITIVE_INFINITY,
  );
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

test('a compaction during a turn keeps results with their calls and the prompt verbatim', async () => {
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
  expect(JSON.stringify(messages[0])).toContain('--- user message 1, 12 characters ---\\nfind the bug');
});

test('a request that the provider rejects as too long is shortened and sent once more', async () => {
  verifies('GAP-59');
  const run = async (...answers: readonly ScriptedAnswer[]) => {
    const { session, model } = createTestSession([counted(LONG_ANSWER, 10), ...answers], {});
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

test('a failed summary leaves the conversation unchanged and is reported once', async () => {
  verifies('GAP-59');
  const cut: ModelPart[] = [
    START,
    text('half'),
    { type: 'finish', reason: 'length', usage: { input_tokens: 1, output_tokens: 1 } },
  ];
  const { session, model } = createTestSession(
    [counted('one', 100), counted(LONG_ANSWER, 3_800), cut, calling(call('c', 'look')), saying('three')],
    { contextWindow: 4_000, tools: [tool('look')] },
  );
  const events = await runAll(session, LONG, LONG, 'third');
  expect(ofType(events, 'notice').map(({ code }) => code)).toEqual(['compaction_failed']);
  expect(ofType(events, 'compacted')).toEqual([]);
  expect(outcomes(events).at(-1)).toMatchObject({ type: 'success', text: 'three' });
  expect(model.requests[3]?.messages).toHaveLength(5);
});

test('a conversation that cannot become shorter is not summarized', async () => {
  const { session, model } = createTestSession([OVERFLOW], {});
  const events = await runAll(session, LONG);
  expect(model.requests).toHaveLength(1);
  expect(outcomes(events)).toMatchObject([{ type: 'error', error: { code: 'context_overflow' } }]);
});

test('hooks may block a compaction, add instructions, and add context afterwards', async () => {
  verifies('GAP-49', 'GAP-59');
  const run = async (hooks: ScriptedHooks) => {
    const { session, model } = createTestSession(
      [counted('one', 100), counted(LONG_ANSWER, 3_800), saying('in short'), saying('three')],
      { contextWindow: 4_000, hooks },
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

test('an interrupt during the summary ends the turn and leaves the conversation unchanged', async () => {
  const summing = Promise.withResolvers<void>();
  const endless: ScriptedAnswer = async function* prepareCompaction(_request, signal) {
    summing.resolve();
    yield START;
    await aborted(signal);
  };
  const { session, log } = createTestSession([counted('one', 100), counted(LONG_ANSWER, 3_800), endless], {
    contextWindow: 4_000,
  });
  const reading = runAll(session, LONG, LONG, 'third');
  await summing.promise;
  session.interrupt({ by: 'user', reason: 'stop' });
  const events = await reading;
  expect(outcomes(events).at(-1)).toMatchObject({ type: 'interrupted', by: 'user' });
  expect(ofType(events, 'compacted')).toEqual([]);
  expect(foldRecords(log.records)).toHaveLength(5);
});

test('the conversation of a subagent is summarized separately', async () => {
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

test('without usage in the stream the size is estimated', async () => {
  const silent = (value: string): ModelPart[] => [
    START,
    text(value),
    { type: 'finish', reason: 'stop', usage: { input_tokens: 0, output_tokens: 0 } },
  ];
  const { session } = createTestSession([silent(LONG_ANSWER), silent('in short'), silent('two')], {
    contextWindow: 1_200,
  });
  const events = await runAll(session, 'one', 'two');
  expect(ofType(events, 'compacted')).toHaveLength(1);
  expect(outcomes(events).at(-1)).toMatchObject({ type: 'success', text: 'two' });
});

test('a summary that is longer than what it replaces changes nothing', async () => {
  const { session, log } = createTestSession([counted(LONG_ANSWER, 3_800), saying('s'.repeat(8_000)), saying('two')], {
    contextWindow: 4_000,
  });
  const events = await runAll(session, 'one', 'two');
  expect(ofType(events, 'compacted')).toEqual([]);
  expect(ofType(events, 'notice')).toMatchObject([{ code: 'compaction_failed' }]);
  expect(log.records.some(({ type }) => type === 'compaction')).toBe(false);
  expect(outcomes(events).at(-1)).toMatchObject({ type: 'success', text: 'two' });
});

test('a result that the provider rejects as too long is cut, and the call continues', async () => {
  const look = tool('look', { execute: () => Promise.resolve({ content: 'r'.repeat(200_000) }) });
  const refuseLong: ScriptedAnswer = async function* refuse(request) {
    if (JSON.stringify(request).length < 30_000) yield* saying('done');
    else yield { type: 'failure', error: new AgentError('context_overflow', 'maximum context length is 8192 tokens') };
  };
  const { session, model } = createTestSession([calling(call('c1', 'look')), refuseLong], { tools: [look] });
  const events = await runAll(session, 'find the bug');
  expect(outcomes(events)).toMatchObject([{ type: 'success', text: 'done' }]);
  expect(JSON.stringify(model.requests.at(-1))).toContain('characters left out');
});

test('a provider that rejects the length gets a list of the calls if no summary is possible', async () => {
  const look = tool('look', { execute: () => Promise.resolve({ content: 'r'.repeat(10_000) }) });
  let steps = 0;
  const work: ScriptedAnswer = async function* answer(request) {
    const isSummary = request.tools.length === 0;
    if (isSummary) yield { type: 'failure', error: new AgentError('provider_error', 'out of order') };
    else if (JSON.stringify(request.messages).length > 60_000)
      yield { type: 'failure', error: new AgentError('context_overflow', 'too long') };
    else yield* ++steps < 12 ? calling(call(`c${steps}`, 'look', { step: steps })) : saying('done');
  };
  const { session, model } = createTestSession([work], { tools: [look], contextWindow: 1_000_000 });
  const events = await runAll(session, 'find the bug');
  expect(outcomes(events)).toMatchObject([{ type: 'success', text: 'done' }]);
  expect(JSON.stringify(model.requests.at(-1)?.messages[0])).toContain('find the bug');
});

test('a task of 300 steps and at least 8 compactions keeps all 60 requirements of its first message', async () => {
  const requirements = Array.from({ length: 60 }, (_, index) => `- R${index + 1}: value ${index * 7919} must hold.`);
  const look = tool('look', { execute: () => Promise.resolve({ content: 'line of output\n'.repeat(300) }) });
  let steps = 0;
  const work: ScriptedAnswer = async function* answer(request) {
    if (request.tools.length === 0) yield* saying(`Summary after step ${steps}.`);
    else yield* ++steps < 300 ? calling(call(`c${steps}`, 'look', { step: steps })) : saying('done');
  };
  const { session, model } = createTestSession([work], { tools: [look], contextWindow: 32_000, maxTurns: 1_000 });
  const events = await runAll(session, ['Build it.', ...requirements].join('\n'));
  expect(outcomes(events)).toMatchObject([{ type: 'success', text: 'done' }]);
  expect(ofType(events, 'compacted').length).toBeGreaterThanOrEqual(8);
  const last = JSON.stringify(model.requests.at(-1)?.messages);
  expect(requirements.filter((requirement) => !last.includes(requirement))).toEqual([]);
  expect(last.match(/Summary after step/g)).toHaveLength(1);
});

test.each([
  ['stays word for word in a window of 16k', 20_000, 16_000, []],
  ['is shortened with a notice in a window of 8k', 20_000, 8_000, ['requests_shortened']],
])('a long first message %s', async (_name, length, contextWindow, notices) => {
  const request = Array.from({ length: length / 10 }, (_, index) => `r${index}`.padEnd(10, '.')).join('');
  const look = tool('look', { execute: () => Promise.resolve({ content: 'line of output\n'.repeat(150) }) });
  let steps = 0;
  const work: ScriptedAnswer = async function* answer({ tools }) {
    if (tools.length === 0) yield* saying('Sum. '.repeat(200));
    else yield* ++steps < 80 ? calling(call(`c${steps}`, 'look', { step: steps })) : saying('done');
  };
  const { session, model } = createTestSession([work], { tools: [look], contextWindow, maxTurns: 100 });
  const events = await runAll(session, request);
  expect(outcomes(events)).toMatchObject([{ type: 'success', text: 'done' }]);
  expect(ofType(events, 'compacted').length).toBeGreaterThan(1);
  expect(ofType(events, 'notice').map(({ code }) => code)).toEqual(notices);
  expect(JSON.stringify(model.requests.at(-1)).includes(request)).toBe(notices.length === 0);
});

test('if no summary is shorter, the calls are listed before a known window is exceeded', async () => {
  const look = tool('look', { execute: () => Promise.resolve({ content: 'line of output\n'.repeat(300) }) });
  let steps = 0;
  const sizes: number[] = [];
  const work: ScriptedAnswer = async function* answer(request) {
    if (request.tools.length === 0) return yield* saying('long '.repeat(100_000));
    sizes.push(JSON.stringify(request.messages).length / 4);
    yield* ++steps < 100 ? calling(call(`c${steps}`, 'look', { step: steps })) : saying('done');
  };
  const { session, model } = createTestSession([work], { tools: [look], contextWindow: 32_000, maxTurns: 1_000 });
  const events = await runAll(session, 'Build it with value 7919.');
  expect(outcomes(events)).toMatchObject([{ type: 'success', text: 'done' }]);
  // The usage that the scripted model reports is low, so half of the estimate counts.
  expect(Math.max(...sizes)).toBeLessThan(2.2 * 32_000);
  expect(JSON.stringify(model.requests.at(-1)?.messages[0])).toContain('value 7919');
});

interface StrictTask {
  readonly prompts?: readonly string[];
  readonly resultLength?: number;
  readonly callsPerStep?: number;
  readonly summary?: () => readonly ModelPart[];
}

const ENDLESS = 'requirement '.repeat(9_000);

test.each<[string, StrictTask]>([
  ['a prompt of nine tenths of the window', { prompts: [`R1-7919 ${ENDLESS} END-1`] }],
  ['results larger than the window', { resultLength: 130_000 }],
  ['many results in one step', { callsPerStep: 12 }],
  ['a model that never returns a summary', { summary: () => saying('') }],
  ['a model that calls a tool instead of a summary', { summary: () => calling(call('s', 'look')) }],
  ['instructions that come later', { prompts: ['R1-7919 first', 'Also RULE-2: no tabs.', 'and QQ-77 END-1'] }],
])('a provider with a strict window, whose reported usage is too low, and %s', async (_name, strict) => {
  const {
    prompts = ['R1-7919 END-1'],
    resultLength = 4_500,
    callsPerStep = 1,
    summary = () => saying('Sum.'),
  } = strict;
  const limit = 128_000;
  let steps = 0;
  const work: ScriptedAnswer = async function* answer(request) {
    const length = JSON.stringify([request.system, request.messages]).length;
    if (length > limit) {
      const error = new AgentError('context_overflow', 'maximum context length is 32000 tokens');
      return yield { type: 'failure', error };
    }
    if (request.tools.length === 0) return yield* summary();
    steps += 1;
    const calls = Array.from({ length: callsPerStep }, (_, index) => call(`c${steps}-${index}`, 'look', { steps }));
    return yield* steps % 120 === 0 ? saying('done') : calling(...calls);
  };
  const look = tool('look', { execute: () => Promise.resolve({ content: 'x'.repeat(resultLength) }) });
  const { session, model } = createTestSession([work], { tools: [look], contextWindow: 32_000, maxTurns: 1_000 });
  const events = await runAll(session, ...prompts);
  expect(outcomes(events)).toMatchObject(prompts.map(() => ({ type: 'success', text: 'done' })));
  expect(ofType(events, 'compacted').length).toBeGreaterThan(2);
  const last = JSON.stringify(model.requests.findLast(({ tools }) => tools.length > 0)?.messages);
  for (const word of ['R1-7919', 'END-1', ...(prompts.length > 1 ? ['RULE-2: no tabs.'] : [])])
    expect(last).toContain(word);
});
