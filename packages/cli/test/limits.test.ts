import { calls, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answerTo, control, openCliFixture, prompt, RESULT } from './cli-fixture.js';

const LOOK = calls({ name: 'list_directory', input: { path: '.' } });
const YOLO = ['--approval-mode', 'yolo'];

test('the budget of initialize ends each prompt with a typed result, and the stream reports the rest', async () => {
  verifies('F79', 'P-10', 'GAP-59');
  await using fixture = await openCliFixture([LOOK]);
  const agent = await fixture.startMachine(['--max-tool-calls', '9', '--max-wall-time', '1h']);
  agent.send(control('1', { subtype: 'initialize', budget: { toolCalls: 1 } }));
  agent.send(prompt('look for ever'));
  agent.endInput();
  expect(await agent.next({ type: 'system', subtype: 'budget' })).toMatchObject({
    data: { remaining: { toolCalls: 1 } },
  });
  expect(await agent.next(RESULT)).toMatchObject({
    subtype: 'error_budget',
    is_error: true,
    terminal_reason: 'toolCalls',
    num_turns: 2,
    budget_remaining: { toolCalls: 0, wallMs: expect.any(Number) },
    error: { code: 'budget_exceeded' },
  });
  expect(await agent.exited).toMatchObject({ code: 0 });
});

test('the time limit stops a running command and its processes', async () => {
  verifies('F70');
  await using fixture = await openCliFixture([
    calls({ name: 'run_shell_command', input: { command: 'sleep 600; echo late > late.txt' } }),
  ]);
  const agent = await fixture.startMachine([...YOLO, '--max-wall-time', '0.3']);
  agent.send(prompt('sleep'));
  agent.endInput();
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'error_budget', terminal_reason: 'wallMs' });
  expect(await agent.exited).toMatchObject({ code: 0 });
  expect(fixture.model.requests).toHaveLength(1);
}, 20_000);

test('the tokens of a session count across its runs', async () => {
  verifies('GAP-59');
  await using fixture = await openCliFixture([says('one'), says('two')]);
  const run = async (args: readonly string[]) => {
    const agent = await fixture.startMachine(args);
    agent.send(prompt('hello'));
    agent.endInput();
    const result = await agent.next(RESULT);
    await agent.exited;
    return result;
  };
  expect(await run([])).toMatchObject({ subtype: 'success' });
  expect(await run(['--continue', '--session-token-limit', '1'])).toMatchObject({
    subtype: 'error_budget',
    terminal_reason: 'sessionTokens',
    num_turns: 0,
  });
});

test('a fallback model answers when the first one is unavailable', async () => {
  const missing = { error: { message: 'The model does not exist', type: 'invalid_request_error' }, status: 404 };
  await using fixture = await openCliFixture([missing, says('from the second')]);
  const agent = await fixture.startMachine(['--fallback-model', 'second']);
  agent.send(prompt('hi'));
  agent.endInput();
  expect(await agent.next({ type: 'system', subtype: 'model_fallback' })).toMatchObject({
    data: { from: 'scripted', to: 'second', code: 'model_not_found' },
  });
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'success', result: 'from the second' });
  expect(fixture.model.requests.map(({ model }) => model)).toEqual(['scripted', 'second']);
});

test('an interrupted turn is continued, in this process or after a resume', async () => {
  verifies('F64', 'F97');
  const expired = { error: { message: 'the token expired', type: 'auth' }, status: 401 };
  let isExpired = true;
  await using fixture = await openCliFixture([says('fine'), () => (isExpired ? expired : says('done'))]);
  const agent = await fixture.startMachine();
  agent.send(prompt('begin'));
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'success' });
  agent.send(prompt('go'));
  const { session_id, ...failed } = await agent.next(RESULT);
  expect(failed).toMatchObject({ is_error: true, error: { code: 'auth_failed' } });
  agent.send(control('c', { subtype: 'continue_last_turn' }));
  expect(await agent.next(answerTo('c'))).toMatchObject({ response: { response: { accepted: true } } });
  await agent.next(RESULT);
  agent.endInput();
  await agent.exited;
  isExpired = false;
  const resumed = await fixture.startMachine(['--resume', String(session_id)]);
  resumed.send(control('c', { subtype: 'continue_last_turn' }));
  expect(await resumed.next(RESULT)).toMatchObject({ subtype: 'success', result: 'done' });
  resumed.send(control('d', { subtype: 'continue_last_turn' }));
  expect(await resumed.next(answerTo('d'))).toMatchObject({
    response: { response: { accepted: false, reason: 'The last turn is complete.' } },
  });
  expect(fixture.model.requests.at(-1)?.messages.filter(({ role }) => role === 'user')).toHaveLength(2);
});
