import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { chat, openCliFixture, SUMMARY, said, startLines } from './openai-fixture.js';

/** The names that a line carries. */
function namesOf(line: Readonly<Record<string, unknown>>): { readonly session: unknown; readonly prompt: unknown } {
  const metadata = Object(line['metadata']);
  return { session: metadata.session_id, prompt: metadata.prompt_id };
}

const summaryOf = (session_id: string) => ({ metadata: { session_id, summary: {} } });

test('a request without a session_id, or with _new, creates a session and returns its ID first', async () => {
  verifies('E-03', 'E-05', 'E-29', 'CF-20', 'GAP-15');
  await using fixture = await openCliFixture([says('One'), says('Two'), says('Three')]);
  const agent = await startLines(fixture);
  const receipt = namesOf(await agent.next({ object: 'chat.completion' }));
  agent.send(chat('a'));
  const one = namesOf(await agent.next(SUMMARY));
  agent.send(chat('b'));
  const two = namesOf(await agent.next(SUMMARY));
  agent.send(chat('c', { session_id: '_new' }));
  const three = namesOf(await agent.next(SUMMARY));
  expect(one.session).toBe(receipt.session);
  expect(new Set([one, two, three].map(({ session }) => session)).size).toBe(3);
  expect(one.prompt).toBe(`${String(one.session)}########1`);
});

test('a host may choose the name of a session, and can use it after a restart', async () => {
  verifies('E-04', 'E-07', 'CF-64');
  await using fixture = await openCliFixture([says('Owl, I will remember.'), says('Owl')]);
  const first = await startLines(fixture);
  first.send(chat('The word is owl', { session_id: 'session-123' }));
  await first.next(summaryOf('session-123'));
  first.endInput();
  await first.exited;
  const second = await startLines(fixture);
  second.send(chat('Which word?', { session_id: 'session-123' }));
  expect(await second.next(summaryOf('session-123'))).toMatchObject({
    metadata: { prompt_id: 'session-123########2' },
  });
  expect(JSON.stringify(fixture.model.requests.at(-1)?.messages)).toContain('The word is owl');
});

test.each(['../../etc/x', 'a/b', '.hidden', 'con', 'x'.repeat(129)])(
  'a name that cannot be a file is refused, and the process continues: %s',
  async (session_id) => {
    verifies('GAP-12', 'K-08', 'S31');
    await using fixture = await openCliFixture([says('Alive')]);
    const agent = await startLines(fixture);
    agent.send(chat('Hi', { session_id }));
    expect(await agent.next({ metadata: { error: {} } })).toMatchObject({
      choices: [{ finish_reason: 'stop' }],
      metadata: { error: { code: 'QWEN_INVALID_INPUT', line_number: 1 } },
    });
    agent.send(chat('Hi'));
    await agent.next(said('Alive'));
  },
);

test('sessions run in parallel: one waits for its model while the other is answered', async () => {
  verifies('GAP-09', 'A-18');
  await using fixture = await openCliFixture([says('slow '.repeat(200)), says('quick')], { tokensPerSecond: 100 });
  const agent = await startLines(fixture);
  agent.send(chat('a', { session_id: 'slow' }));
  agent.send({ type: 'heartbeat_request', session_id: 'slow' });
  await agent.next({ type: 'result/heartbeat' });
  agent.send(chat('/about', { session_id: 'other' }));
  await agent.next({ type: 'result/command', session_id: 'other' });
  agent.send({ type: 'control/cancel', session_id: 'slow' });
  expect(await agent.next({ type: 'result/cancel' })).toMatchObject({ status: 'ok' });
});

test('prompts of a session run one after the other; the 33rd queued one is refused', async () => {
  verifies('GAP-09');
  await using fixture = await openCliFixture([says('slow '.repeat(100))], { tokensPerSecond: 50 });
  const agent = await startLines(fixture);
  for (let count = 0; count < 40; count += 1) agent.send(chat(`prompt ${count}`, { session_id: 's' }));
  expect(await agent.next({ metadata: { error: { code: 'overloaded' } } })).toMatchObject({
    metadata: { session_id: 's', error: { retryable: true } },
  });
});

test('a session that another process has open is reported', async () => {
  verifies('E-04');
  await using fixture = await openCliFixture([says('Mine')]);
  const first = await startLines(fixture);
  first.send(chat('Hi', { session_id: 'shared' }));
  await first.next(SUMMARY);
  const second = await startLines(fixture);
  second.send(chat('Hi', { session_id: 'shared' }));
  expect(await second.next({ metadata: { error: { code: 'session_busy' } } })).toMatchObject({
    metadata: { session_id: 'shared' },
  });
  expect(await second.next(SUMMARY)).toMatchObject({ metadata: { summary: { is_error: true } } });
});

test('prompt IDs of the host are accepted, used ones refused, and generated ones are numbered', async () => {
  verifies('E-06', 'E-08', 'E-09');
  await using fixture = await openCliFixture([says('One'), says('Two')]);
  const agent = await startLines(fixture);
  agent.send(chat('a', { session_id: 's', prompt_id: 'mine' }));
  expect(await agent.next(SUMMARY)).toMatchObject({ metadata: { prompt_id: 'mine' } });
  agent.send(chat('b', { session_id: 's', prompt_id: 'mine' }));
  expect(await agent.next({ metadata: { error: {} } })).toMatchObject({
    metadata: { error: { message: expect.stringContaining('used before') } },
  });
  agent.send(chat('c', { session_id: 's' }));
  await agent.next(said('Two'));
});

test('a continuation keeps the prompt ID of the turn that it resumes', async () => {
  verifies('E-09', 'E-23');
  await using fixture = await openCliFixture([says('One'), says('Two')]);
  const agent = await startLines(fixture);
  agent.send(chat('a', { session_id: 's', prompt_id: 'mine' }));
  await agent.next(SUMMARY);
  agent.send(chat('b', { session_id: 's', prompt_id: 'mine', continuation: true }));
  expect(await agent.next(said('Two'))).toMatchObject({ metadata: { prompt_id: 'mine' } });
  expect(await agent.next(SUMMARY)).toMatchObject({ metadata: { prompt_id: 'mine' } });
});

test('beyond the limit of open sessions, the first one is closed and reopened from its file with its settings', async () => {
  verifies('A-18', 'GAP-09');
  await using fixture = await openCliFixture([says('Fine')]);
  const agent = await startLines(fixture);
  for (let count = 0; count < 64; count += 1) {
    agent.send(chat(`The word of session ${count}`, { session_id: `s${count}` }));
    await agent.next(summaryOf(`s${count}`));
    if (count > 0) continue;
    agent.send({
      type: 'control_request',
      request_id: 'm',
      session_id: 's0',
      request: { subtype: 'set_model', model: 'other' },
    });
    await agent.next({ type: 'control_response', request_id: 'm' });
  }
  // The first one is called again while it falls asleep.
  agent.send(chat('One too many', { session_id: 's64' }));
  agent.send(chat('Which word?', { session_id: 's0' }));
  expect(await agent.next(summaryOf('s0'))).toMatchObject({ metadata: { summary: { is_error: false } } });
  const asked = fixture.model.requests.find(({ messages }) => JSON.stringify(messages).includes('Which word?'));
  expect(asked?.model).toBe('other');
  expect(JSON.stringify(asked?.messages)).toContain('The word of session 0');
});
