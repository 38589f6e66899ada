import type { ModelPart } from '@qwen/models';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import {
  call,
  calling,
  createTestSession,
  FINISH,
  ofType,
  outcomes,
  runAll,
  START,
  saying,
  text,
  tool,
} from '../../test/scripted-engine.js';

const CUT: ModelPart = { type: 'finish', reason: 'length', usage: { input_tokens: 10, output_tokens: 2 } };
const THOUGHT: ModelPart = { type: 'thinking_delta', text: 'hm' };
const cut = (value: string): ModelPart[] => [START, text(value), CUT];
const tools = [tool('look')];

test.for<[string, ModelPart[]]>([
  ['empty', [START, FINISH]],
  ['white space', [START, text(' \n'), FINISH]],
  ['only reasoning', [START, THOUGHT, FINISH]],
  ['reasoning up to the limit', [START, THOUGHT, CUT]],
])('an answer (%s) is requested once more, then is an error', async ([, nothing]) => {
  verifies('F78');
  const healed = createTestSession([nothing, saying('here')]);
  const events = await runAll(healed.session, 'go');
  expect(outcomes(events)).toEqual([{ type: 'success', text: 'here' }]);
  expect(ofType(events, 'notice')).toMatchObject([{ message: expect.stringMatching(/^(scripted|The answer)/) }]);
  expect(healed.log.records.filter(({ type }) => type === 'assistant').length).toBeLessThanOrEqual(2);

  const { session, model } = createTestSession([nothing]);
  const [outcome] = outcomes(await runAll(session, 'go'));
  expect(outcome).toMatchObject({
    type: 'error',
    error: { code: expect.stringMatching(/^(empty_answer|answer_cut)$/) },
  });
  expect(model.requests).toHaveLength(2);
});

test('a truncated answer is continued once, and both parts are the result', async () => {
  const { session, model } = createTestSession([cut('The quick bro'), saying('wn fox')]);
  const events = await runAll(session, 'go');
  expect(outcomes(events)).toEqual([{ type: 'success', text: 'The quick brown fox' }]);
  expect(model.requests[1]?.messages.slice(1)).toMatchObject([
    { role: 'assistant', content: [{ text: 'The quick bro' }] },
    { role: 'user', content: [{ text: expect.stringContaining('Continue exactly where it stopped') }] },
  ]);
  expect(ofType(events, 'notice')).toMatchObject([{ code: 'answer_cut' }]);
});

test('an answer truncated twice is an error', async () => {
  const { session, model } = createTestSession([cut('a')]);
  expect(outcomes(await runAll(session, 'go'))).toMatchObject([{ type: 'error', error: { code: 'answer_cut' } }]);
  expect(model.requests).toHaveLength(2);
});

test('calls in between allow another attempt', async () => {
  const answers = [[START, FINISH], calling(call('a', 'look')), cut('en'), saying('d')];
  const { session } = createTestSession(answers, { tools });
  expect(outcomes(await runAll(session, 'go'))).toEqual([{ type: 'success', text: 'end' }]);
});

test('the next prompt starts over', async () => {
  const { session } = createTestSession([[START, FINISH], saying('one'), [START, FINISH], saying('two')]);
  expect(outcomes(await runAll(session, 'go', 'again'))).toMatchObject([{ text: 'one' }, { text: 'two' }]);
});
