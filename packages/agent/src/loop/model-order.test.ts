import type { ModelPart } from '@qwen/models';
import { AgentError, type ErrorCode } from '@qwen/protocol';
import { expect, test } from 'vitest';
import {
  call,
  calling,
  createTestSession,
  ofType,
  outcomes,
  results,
  runAll,
  ScriptedEngineModel,
  START,
  saying,
  text,
  tool,
} from '../../test/scripted-engine.js';

const failing = (code: ErrorCode): ModelPart[] => [{ type: 'failure', error: new AgentError(code, `it is ${code}`) }];
const tools = [tool('look')];

test('the next model answers the same request, and no tool runs again', async () => {
  const answers = [calling(call('a', 'look')), failing('provider_error'), saying('done')];
  const { session, model } = createTestSession(answers, { tools, fallbackModels: ['second', 'third'] });
  const events = await runAll(session, 'go');
  expect(outcomes(events)).toEqual([{ type: 'success', text: 'done' }]);
  expect(results(events)).toEqual(['look: look ran']);
  expect(model.requests.map((request) => request.model)).toEqual(['scripted', 'scripted', 'second']);
  expect(model.requests[2]?.messages).toEqual(model.requests[1]?.messages);
  expect(ofType(events, 'model_fallback')).toMatchObject([
    { from: 'scripted', to: 'second', error: { code: 'provider_error' } },
  ]);
});

test('a model that failed is skipped for this prompt and tried first for the next one', async () => {
  const answers = [failing('model_not_found'), calling(call('a', 'look')), saying('one'), saying('two')];
  const { session, model } = createTestSession(answers, { tools, fallbackModels: ['second'] });
  await runAll(session, 'go', 'again');
  expect(model.requests.map((request) => request.model)).toEqual(['scripted', 'second', 'second', 'scripted']);
});

test('reports the last error when no model is left', async () => {
  const { session, model } = createTestSession([failing('rate_limited')], { fallbackModels: ['second', 'scripted'] });
  expect(outcomes(await runAll(session, 'go'))).toMatchObject([{ type: 'error', error: { code: 'rate_limited' } }]);
  expect(model.requests.map((request) => request.model)).toEqual(['scripted', 'second']);
});

test.each<[ErrorCode]>([['auth_failed'], ['permission_refused'], ['context_overflow'], ['bad_model_response']])(
  'another model answers after %s',
  async (code) => {
    const answers = [failing(code), saying('done')];
    const { session, model } = createTestSession(answers, { fallbackModels: ['second'] });
    expect(outcomes(await runAll(session, 'go'))).toEqual([{ type: 'success', text: 'done' }]);
    expect(model.requests.map((request) => request.model)).toEqual(['scripted', 'second']);
  },
);

test('another model answers after two empty answers', async () => {
  const answers = [saying(''), saying(' '), saying('done')];
  const { session, model } = createTestSession(answers, { fallbackModels: ['second'] });
  const events = await runAll(session, 'go');
  expect(outcomes(events)).toEqual([{ type: 'success', text: 'done' }]);
  expect(model.requests.map((request) => request.model)).toEqual(['scripted', 'scripted', 'second']);
  expect(ofType(events, 'model_fallback')).toMatchObject([{ to: 'second', error: { code: 'empty_answer' } }]);
});

test('a fallback without a key is skipped', async () => {
  const scripted = new ScriptedEngineModel([failing('provider_error'), saying('done')]);
  const createModel = async (name: string) => {
    if (name === 'second') throw new AgentError('missing_credentials', 'no key');
    return scripted;
  };
  const { session } = createTestSession([], { createModel, fallbackModels: ['second', 'third'] });
  const events = await runAll(session, 'go');
  expect(outcomes(events)).toEqual([{ type: 'success', text: 'done' }]);
  expect(ofType(events, 'model_fallback').map(({ to }) => to)).toEqual(['second', 'third']);
});

test('a model that the user chose while another failed answers, not a fallback', async () => {
  const failsLater = async function* answer(): AsyncGenerator<ModelPart> {
    await session.setModel('chosen');
    yield* failing('provider_error');
  };
  const { session, model } = createTestSession([failsLater, saying('done')], { fallbackModels: ['second'] });
  const events = await runAll(session, 'go');
  expect(model.requests.map((request) => request.model)).toEqual(['scripted', 'chosen']);
  expect(ofType(events, 'model_fallback')).toMatchObject([{ from: 'scripted', to: 'chosen' }]);
});

test('a request that no model takes ends with advice', async () => {
  const { session } = createTestSession([failing('context_overflow')], { fallbackModels: ['second'] });
  const [outcome] = outcomes(await runAll(session, 'go'));
  expect(outcome).toMatchObject({
    error: { message: expect.stringMatching(/^it is .*\. .* of second, .* larger window/) },
  });
});

test.each<[ErrorCode]>([['content_filtered'], ['invalid_request'], ['aborted']])(
  '%s is wrong everywhere',
  async (code) => {
    const { session, model } = createTestSession([failing(code)], { fallbackModels: ['second'] });
    expect(outcomes(await runAll(session, 'go'))).toMatchObject([{ type: 'error', error: { code } }]);
    expect(model.requests[0]?.model).toBe('scripted');
    expect(model.requests.map((request) => request.model)).not.toContain('second');
  },
);

test('the next model answers again after a broken answer, of which nothing is kept', async () => {
  const broken = [START, text('half'), ...call('a', 'look'), ...failing('stream_interrupted')];
  const { session, model, log } = createTestSession([broken, saying('whole')], { tools, fallbackModels: ['second'] });
  const events = await runAll(session, 'go');
  expect(outcomes(events)).toEqual([{ type: 'success', text: 'whole' }]);
  expect(results(events)).toEqual([]);
  expect(model.requests[1]?.messages).toEqual(model.requests[0]?.messages);
  expect(ofType(events, 'message_end')).toMatchObject([
    { stopReason: 'error', content: [{ type: 'text', text: 'half' }] },
    { stopReason: 'end_turn' },
  ]);
  expect(ofType(events, 'notice')).toMatchObject([{ code: 'answer_discarded' }]);
  expect(log.records.filter(({ type }) => type === 'assistant')).toHaveLength(1);
});
