import { resourceBaseline, verifies } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { failureOf } from '../../test/programs.js';
import { eventThat, openFake } from '../../test/sessions.js';
import type { HintAnswer, HostTool } from '../index.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

test('a hint reports loading before its answer', async () => {
  verifies('G-12');
  await using session = await openFake();
  const loading: HintAnswer[] = [];
  const answer = await session.hints({ trigger: 'at', text: '@src' }, { onLoading: (part) => loading.push(part) });
  expect(loading).toMatchObject([{ status: 'loading', suggestions: [] }]);
  expect(answer).toEqual({
    status: 'ok',
    suggestions: [{ label: '@src', value: '@src' }],
    isPerfectMatch: false,
    message: undefined,
  });
  expect(await session.hints({ trigger: 'slash', text: '/help' })).toMatchObject({ isPerfectMatch: true });
});

test('answers only the newest of 10,000 hints per input, and other sessions separately', async () => {
  verifies('G-09', 'GAP-31');
  await using session = await openFake();
  const other = session.hints({ trigger: 'slash', text: '/other', sessionId: 'other' });
  const answers = await Promise.all(
    Array.from({ length: 10_000 }, (_, index) => session.hints({ trigger: 'slash', text: `/${index}` })),
  );
  expect(answers.pop()).toMatchObject({ suggestions: [{ value: '/9999' }] });
  expect(answers.every((answer) => answer === undefined)).toBe(true);
  expect(await other).toMatchObject({ suggestions: [{ value: '/other' }] });
});

test('aborting a search withdraws it', async () => {
  verifies('G-10');
  await using session = await openFake();
  const everything = session.events();
  const controller = new AbortController();
  const search = session.hints({ trigger: 'at', text: '@never' }, { signal: controller.signal });
  controller.abort();
  expect(await failureOf(search)).toMatchObject({ code: 'cancelled' });
  expect(await eventThat(everything, ({ kind }) => kind === 'unknown')).toMatchObject({
    value: { value: { type: 'command_hint_cancel', trigger: 'at' } },
  });
  const late = session.hints({ trigger: 'at', text: '@never' }, { signal: controller.signal });
  expect(await failureOf(late)).toMatchObject({ code: 'cancelled' });
});

test('an unanswered hint request and a CLI without hints reject', async () => {
  await using session = await openFake({}, { timeout: { initialize: 10_000, controlRequest: 50 } });
  expect(await failureOf(session.hints({ trigger: 'at', text: '@never' }))).toMatchObject({ code: 'timeout' });
  await using foreign = await openFake({ capabilities: { commandHints: false } });
  expect(await failureOf(foreign.hints({ trigger: 'at', text: '@' }))).toMatchObject({ code: 'unsupported_by_cli' });
});

const weather = (run: HostTool['run']): HostTool => ({
  name: 'weather',
  description: 'The weather of a town.',
  parameters: { type: 'object', properties: { town: { type: 'string' } } },
  run,
});

test.each(['message', 'chunk'] as const)('a tool of the app runs and is answered, in the %s format', async (format) => {
  verifies('GAP-05', 'E-26');
  const seen: unknown[] = [];
  const run: HostTool['run'] = async (input, { callId, sessionId, promptId, signal }) => {
    seen.push({ input, callId, sessionId, promptId, aborted: signal.aborted });
    return { sky: 'blue' };
  };
  await using session = await openFake({}, { format, tools: [weather(run)] });
  const turn = session.prompt('weather {"town":"Ulm"}');
  expect(await turn.result).toMatchObject({ text: 'weather: {"sky":"blue"}', toolCalls: 1 });
  const { sessionId, promptId } = turn;
  expect(seen).toEqual([{ input: { town: 'Ulm' }, callId: 'call_1', sessionId, promptId, aborted: false }]);
});

test('runs a tool with the approved input, also for a subagent', async () => {
  const run: HostTool['run'] = ({ town }) => `rain in ${String(town)}`;
  await using session = await openFake({}, { tools: [weather(run)] });
  expect(await session.prompt('changed {"town":"Bonn"}').result).toMatchObject({ text: 'weather: "rain in Bonn"' });
  expect(await session.prompt('inside {"town":"Kiel"}').result).toMatchObject({ text: 'weather: "rain in Kiel"' });
});

test('tools are offered with each prompt', async () => {
  await using session = await openFake({}, { tools: [weather(() => 'sun')] });
  const { text } = await session.prompt('options').result;
  expect(JSON.parse(text)).toMatchObject({ tools: [{ type: 'function', function: { name: 'weather' } }] });
});

test('reports failures of host tools to the model', async () => {
  const failing: readonly (readonly [string, HostTool['run'], string])[] = [
    ['{}', () => Promise.reject(new Error('no such town')), 'no such town'],
    ['{}', () => 1n, 'BigInt'],
    ['[1]', () => 'never', 'not an object'],
    ['{"torn', () => 'never', 'JSON'],
  ];
  for (const [input, run, words] of failing) {
    await using session = await openFake({}, { tools: [weather(run)] });
    const { text } = await session.prompt(`weather ${input}`).result;
    expect(text).toContain('weather: {"error":"');
    expect(text).toContain(words);
  }
});

test('a request without a JSON form rejects', async () => {
  await using session = await openFake();
  const asked = session.sendControlRequest('explain_permission', { tool_name: 'edit', input: 1n });
  expect(await failureOf(asked)).toMatchObject({ code: 'invalid_payload' });
});

test('aborts a withdrawn tool call and does not answer it', async () => {
  const aborted = new Promise<void>((resolve) => {
    const run: HostTool['run'] = (_input, { signal }) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      return aborted.then(() => 'late');
    };
    void openFake({}, { tools: [weather(run)] }).then(async (session) => {
      expect(await session.prompt('denied {}').result).toMatchObject({ text: 'nobody may' });
      await session.close();
    });
  });
  await aborted;
});

test('the result of a cancelled tool call is dropped', async () => {
  verifies('GAP-05');
  const run: HostTool['run'] = (_input, { signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve('late'), { once: true });
    });
  await using session = await openFake({}, { tools: [weather(run)] });
  const everything = session.events();
  expect(await session.prompt('denied {}').result).toMatchObject({ text: 'nobody may' });
  for (const text of ['on', 'end']) expect(await session.prompt(`echo ${text}`).result).toMatchObject({ text });
  const said: string[] = [];
  await eventThat(everything, (event) => {
    if (event.kind === 'text') said.push(event.text);
    return event.kind === 'text' && event.text === 'end';
  });
  expect(said).toEqual(['nobody may', 'on', 'end']);
});

test('runs a tool only after its call is approved', async () => {
  verifies('GAP-05');
  const towns: unknown[] = [];
  await using session = await openFake({}, { tools: [weather(({ town }) => towns.push(town))] });
  expect(await session.prompt('refused {"town":"Ulm"}').result).toMatchObject({ text: 'nobody may' });
  expect(await session.prompt('weather {"town":"Bonn"}').result).toMatchObject({ text: 'weather: 1' });
  expect(towns).toEqual(['Bonn']);
});

test('a call whose arguments are repeated while it runs is run once', async () => {
  const towns: unknown[] = [];
  await using session = await openFake({}, { tools: [weather(({ town }) => towns.push(town))] });
  expect(await session.prompt('repeated {"town":"Ulm"}').result).toMatchObject({ text: 'weather: 1' });
  await session.heartbeat();
  expect(towns).toEqual(['Ulm']);
});

test('a call without a host tool is answered with toolResponse', async () => {
  verifies('E-22');
  await using session = await openFake();
  const turn = session.prompt('weather {}');
  for await (const event of turn) {
    if (event.kind !== 'tool' || event.display.status !== 'executing') continue;
    await session.toolResponse(event.display.tool_call_id, 'rain', turn);
  }
  expect(await turn.result).toMatchObject({ text: 'weather: "rain"' });
});
