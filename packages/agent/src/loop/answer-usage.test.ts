import type { ModelPart } from '@qwen/models';
import { AgentError, type Usage } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { createTestSession, FINISH, hanging, ofType, START, saying, text } from '../../test/scripted-engine.js';
import type { AgentEvent } from '../events.js';
import type { AgentSession } from '../session/session.js';
import { AnswerUsage } from './answer-usage.js';

const REQUEST = {
  model: 'm',
  system: 'x'.repeat(400),
  messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'y'.repeat(400) }] }],
  tools: [],
};
const sent = () => new AnswerUsage(REQUEST, new AbortController().signal);

/** Runs a prompt and interrupts it when this event appears. */
async function interruptAt(session: AgentSession, type: AgentEvent['type']): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  session.submit({ uuid: 'p', content: 'go' });
  session.endInput();
  for await (const event of session.events()) {
    events.push(event);
    if (event.type === type) session.interrupt({ by: 'user', reason: 'test' });
  }
  return events;
}

test('a count from the provider is exact until more of the answer arrives', () => {
  const usage = sent();
  const counted: Usage = { input_tokens: 7, output_tokens: 3, cache_read_input_tokens: 5, total_tokens: 10 };
  usage.follow(START);
  usage.note(counted);
  expect(usage.soFar([{ type: 'text', text: 'some text' }])).toEqual(counted);
  usage.follow(text('more'));
  expect(usage.soFar([{ type: 'text', text: 'z'.repeat(400) }])).toEqual({
    ...counted,
    output_tokens: 100,
    total_tokens: 107,
    is_estimated: true,
  });
});

test('without a count, request and answer are estimated', () => {
  const usage = sent();
  usage.follow(START);
  const { input_tokens: input, ...rest } = usage.soFar([{ type: 'text', text: 'z'.repeat(40) }]);
  expect(input).toBeGreaterThan(200);
  expect(rest).toMatchObject({ output_tokens: 10, total_tokens: input + 10, is_estimated: true });
});

test('a pending retry and an unsent request cost nothing', () => {
  const usage = sent();
  usage.follow({ type: 'retry', attempt: 1, delayMs: 1, error: new AgentError('provider_error', 'busy') });
  expect(usage.soFar([])).toMatchObject({ input_tokens: 0, output_tokens: 0 });
  expect(new AnswerUsage(REQUEST, AbortSignal.abort()).soFar([])).toMatchObject({ input_tokens: 0 });
});

test('an interrupted turn has an estimated usage, in its events, result and totals', async () => {
  const { session, log } = createTestSession([hanging(START, text('z'.repeat(4_000)))]);
  const events = await interruptAt(session, 'block_delta');
  const [end] = ofType(events, 'turn_end');
  expect(end).toMatchObject({ outcome: { type: 'interrupted' }, usage: { output_tokens: 1_000, is_estimated: true } });
  expect(end?.usage.input_tokens).toBeGreaterThan(0);
  expect(ofType(events, 'message_end')[0]?.usage).toEqual(end?.usage);
  expect(session.ledger.models.get('scripted')).toMatchObject({ outputTokens: 1_000 });
  expect(log.records.findLast(({ type }) => type === 'turn_end')).toMatchObject({ usage: { is_estimated: true } });
});

test('a retried answer counts too', async () => {
  const broken: ModelPart[] = [
    START,
    text('z'.repeat(40)),
    { type: 'retry', attempt: 1, delayMs: 0, error: new AgentError('stream_interrupted', 'cut'), discards: true },
  ];
  const { session } = createTestSession([[...broken, START, text('ok'), FINISH]]);
  const events = await interruptAt(session, 'turn_end');
  const [discarded, kept] = ofType(events, 'message_end');
  expect(discarded?.usage).toMatchObject({ output_tokens: 10, is_estimated: true });
  expect(kept?.usage).toEqual({ input_tokens: 10, output_tokens: 2 });
  expect(ofType(events, 'turn_end')[0]?.usage).toMatchObject({ output_tokens: 12, is_estimated: true });
});

test('an estimate is not used as the size of the conversation', async () => {
  const { session } = createTestSession([hanging(START, text('half')), saying('done')]);
  await interruptAt(session, 'block_delta');
  expect(session.contextUsage()).toMatchObject({ isEstimated: true });
});
