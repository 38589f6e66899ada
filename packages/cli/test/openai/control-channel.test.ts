import { calls, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { control } from '../cli-fixture.js';
import { chat, openCliFixture, SUMMARY, said, startLines } from './openai-fixture.js';

const WRITES = [calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'x' }, id: 'call_1' }), says('Done')];
const QUESTION = { type: 'control_request', subtype: 'can_use_tool' };

test.each([
  [
    'the RFC',
    (request_id: unknown) => ({ request_id, response: { subtype: 'success', result: { behavior: 'approve' } } }),
  ],
  ['003', (request_id: unknown) => ({ response: { subtype: 'success', request_id, response: { behavior: 'allow' } } })],
])(
  'a question contains every form and its session, and an answer in the form of %s applies',
  async (_form, toAnswer) => {
    verifies('CF-31', 'CF-32', 'CF-33', 'J-01', 'J-06', 'J-16', 'J-18', 'L-04');
    await using fixture = await openCliFixture(WRITES);
    const agent = await startLines(fixture);
    agent.send(chat('Write', { session_id: 's', prompt_id: 'p' }));
    const question = await agent.next(QUESTION);
    expect(question).toMatchObject({
      session_id: 's',
      prompt_id: 'p',
      tool: { name: 'write_file', arguments: { file_path: 'a.txt' } },
      request: { subtype: 'can_use_tool', tool_name: 'write_file', tool_use_id: 'call_1' },
    });
    agent.send({ type: 'control_response', ...toAnswer(question['request_id']) });
    await agent.next(said('Done'));
    expect(await fixture.workspace.read('a.txt')).toBe('x');
  },
);

test('a failing host denies, and the turn continues', async () => {
  verifies('CF-34', 'J-10', 'K-09', 'L-02', 'GAP-38');
  await using fixture = await openCliFixture(WRITES);
  const agent = await startLines(fixture);
  agent.send(chat('Write', { session_id: 's' }));
  const { request_id } = await agent.next(QUESTION);
  agent.send({
    type: 'control_response',
    request_id,
    response: { subtype: 'error', error: { message: 'no screen', retryable: false } },
  });
  expect(await agent.next((line) => 'control_errors' in Object(line['metadata']))).toMatchObject({
    metadata: { control_errors: [{ subtype: 'can_use_tool', message: 'no screen', retryable: false }] },
  });
  await agent.next(said('Done'));
  expect(JSON.stringify(fixture.model.requests.at(-1)?.messages)).toContain('no screen');
});

test('the end of input denies open questions', async () => {
  verifies('GAP-10', 'L-02', 'J-09');
  await using fixture = await openCliFixture(WRITES);
  const agent = await startLines(fixture);
  agent.send(chat('Write', { session_id: 's' }));
  await agent.next(QUESTION);
  agent.endInput();
  await agent.next(said('Done'));
  expect(await agent.exited).toEqual({ code: 0, signal: null });
  expect(JSON.stringify(fixture.model.requests.at(-1)?.messages)).toContain('Input closed');
});

test('a request goes to the session that it names, in this direction too', async () => {
  verifies('CF-35', 'A-25', 'J-17', 'J-24');
  await using fixture = await openCliFixture([says('One'), says('Two')]);
  const agent = await startLines(fixture);
  for (const session_id of ['one', 'two']) {
    agent.send(chat('Hi', { session_id }));
    await agent.next(SUMMARY);
  }
  agent.send({ ...control('m', { subtype: 'set_model', model: 'other' }), session_id: 'one' });
  expect(await agent.next({ type: 'control_response' })).toMatchObject({
    request_id: 'm',
    response: { request_id: 'm', response: { model: 'other' }, result: { model: 'other' } },
  });
  agent.send({ ...control('x', { subtype: 'interrupt' }), session_id: 'three' });
  expect(await agent.next({ type: 'control_response' })).toMatchObject({
    response: { subtype: 'error', error: { code: 'session_not_found' } },
  });
  for (const session_id of ['one', 'two']) {
    agent.send(chat('Again', { session_id }));
    await agent.next(SUMMARY);
  }
  expect(fixture.model.requests.slice(-2).map(({ model }) => model)).toEqual(['other', 'scripted']);
});

test('initialize after the first line is answered here too', async () => {
  verifies('CF-03', 'CF-72');
  await using fixture = await openCliFixture([says('Hi')]);
  const agent = await startLines(fixture);
  agent.send({ type: 'heartbeat_request' });
  await agent.next({ type: 'result/heartbeat' });
  agent.send(control('init', { subtype: 'initialize' }));
  expect(await agent.next({ type: 'control_response' })).toMatchObject({
    response: { response: { subtype: 'initialize', capabilities: { permissionControl: true } } },
  });
});

const HOOKED = { subtype: 'initialize', hooks: { PreToolUse: [{ matcher: '.*', hookCallbackIds: ['guard'] }] } };

test('a failing hook of the host is reported in the session of its request', async () => {
  verifies('K-09', 'GAP-49', 'GAP-38');
  await using fixture = await openCliFixture([...WRITES, says('Other')]);
  const agent = await startLines(fixture, ['--dialect', 'openai']);
  agent.send(control('i', HOOKED));
  agent.send(chat('Write', { session_id: 's', prompt_id: 'p' }));
  const question = await agent.next({ type: 'control_request', subtype: 'hook_callback' });
  expect(question).toMatchObject({ session_id: 's', prompt_id: 'p' });
  const { request_id } = question;
  agent.send({ type: 'control_response', request_id, response: { subtype: 'error', error: { message: 'no guard' } } });
  expect(await agent.next((line) => 'control_errors' in Object(line['metadata']))).toMatchObject({
    metadata: {
      session_id: 's',
      control_errors: [
        { request_id, subtype: 'hook_callback', message: expect.stringContaining('no guard'), retryable: false },
      ],
    },
  });
  await agent.next(said('Done'));
});

test('withdrawals and answers contain their session and prompt', async () => {
  verifies('J-23', 'CF-35', 'GAP-36');
  await using fixture = await openCliFixture([...WRITES.slice(0, 1), says('Meanwhile'), says('Done')]);
  const agent = await startLines(fixture);
  agent.send(chat('Write', { session_id: 'one', prompt_id: 'p' }));
  const { request_id } = await agent.next(QUESTION);
  agent.send(chat('Hi', { session_id: 'two' }));
  await agent.next(said('Meanwhile'));
  agent.send({ ...control('m', { subtype: 'set_model', model: 'other' }), session_id: 'one' });
  expect(await agent.next({ type: 'control_response' })).toMatchObject({ request_id: 'm', session_id: 'one' });
  agent.send({ type: 'control/cancel', session_id: 'one' });
  expect(await agent.next({ type: 'control_cancel_request' })).toMatchObject({
    request_id,
    session_id: 'one',
    prompt_id: 'p',
  });
});
