import { says, startByteServer, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answerTo, control, openCliFixture, prompt, RESULT, STOP, textChunk } from './cli-fixture.js';

const reply = { chunks: [textChunk('hi'), STOP] };

test('effort is sent to a model that supports it, and reported as without effect otherwise', async () => {
  await using fixture = await openCliFixture();
  await using server = await startByteServer([reply, reply]);
  const env = { ...fixture.env, OPENAI_BASE_URL: `${server.url}/v1` };
  const agent = await fixture.startMachine(['--model', 'gpt-5', '--effort', 'low'], { env });
  agent.send(prompt('one'));
  await agent.next(RESULT);
  agent.send(control('1', { subtype: 'set_effort', effort: 'high' }));
  expect(await agent.next(answerTo('1'))).toMatchObject({ response: { response: { applied: true } } });
  agent.send(prompt('two'));
  await agent.next(RESULT);
  const bodies = server.requests.map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ reasoning_effort }) => reasoning_effort)).toEqual(['low', 'high']);
  agent.send(control('2', { subtype: 'set_model', model: 'llama3' }));
  await agent.next(answerTo('2'));
  agent.send(control('3', { subtype: 'set_effort', effort: 'high' }));
  expect(await agent.next(answerTo('3'))).toMatchObject({
    response: { response: { applied: false, reason: expect.stringContaining('llama3') } },
  });
});

test('the models of the provider are listed; without a list, only the current one', async () => {
  await using fixture = await openCliFixture();
  const list = { headers: { 'content-type': 'application/json' }, chunks: ['{"data":[{"id":"a"},{"id":"b"}]}'] };
  await using server = await startByteServer([list, { status: 500, chunks: ['{"error":"down"}'] }]);
  const env = { ...fixture.env, OPENAI_BASE_URL: `${server.url}/v1` };
  const agent = await fixture.startMachine([], { env });
  agent.send(control('1', { subtype: 'get_available_models' }));
  expect(await agent.next(answerTo('1'))).toMatchObject({
    response: { response: { models: [{ id: 'a' }, { id: 'b' }], current: 'scripted' } },
  });
  agent.send(control('2', { subtype: 'get_available_models' }));
  expect(await agent.next(answerTo('2'))).toMatchObject({
    response: { response: { models: [{ id: 'scripted' }], current: 'scripted', reason: expect.any(String) } },
  });
});

test('the context usage, the token usage and the account are returned', async () => {
  await using fixture = await openCliFixture([says('hi')]);
  const agent = await fixture.startMachine();
  agent.send(control('0', { subtype: 'initialize' }));
  const initialized = await agent.next(answerTo('0'));
  expect(initialized).toMatchObject({
    response: { response: { account: { provider: 'openai', credential_source: 'OPENAI_API_KEY' } } },
  });
  expect(JSON.stringify(initialized)).not.toContain('sk-scripted');
  agent.send(prompt('hello'));
  const { usage } = await agent.next(RESULT);
  agent.send(control('1', { subtype: 'get_context_usage', show_details: true }));
  expect(await agent.next(answerTo('1'))).toMatchObject({
    response: {
      response: {
        model: 'scripted',
        total_tokens: (usage as { total_tokens: number }).total_tokens,
        is_estimated: false,
        categories: [{ name: 'system prompt' }, { name: 'tools' }, { name: 'messages' }],
      },
    },
  });
  agent.send(control('2', { subtype: 'get_usage_info' }));
  expect(await agent.next(answerTo('2'))).toMatchObject({ response: { response: { turns: 1, models: {} } } });
});

test('stored sessions are listed before any prompt, without loading the agent', async () => {
  await using fixture = await openCliFixture([says('hi')]);
  const first = await fixture.startMachine();
  first.send(prompt('hello'));
  first.endInput();
  const { session_id } = await first.next(RESULT);
  await first.exited;
  const agent = await fixture.startMachine();
  agent.send(control('1', { subtype: 'list_sessions', cwd: fixture.workspace.path }));
  expect(await agent.next(answerTo('1'))).toMatchObject({
    response: { response: { sessions: [{ session_id, first_prompt: 'hello' }] } },
  });
  agent.send(control('2', { subtype: 'rename_session', session_id, title: 'Greeting' }));
  expect(await agent.next(answerTo('2'))).toMatchObject({ response: { response: { title: 'Greeting' } } });
  agent.endInput();
  await agent.exited;
});

test('the running session renames itself and cannot be deleted', async () => {
  verifies('FB17');
  await using fixture = await openCliFixture([says('hi')]);
  const agent = await fixture.startMachine();
  agent.send(prompt('hello'));
  const { session_id } = await agent.next(RESULT);
  agent.send(control('1', { subtype: 'rename_session', session_id, title: 'Ours' }));
  expect(await agent.next(answerTo('1'))).toMatchObject({ response: { response: { title: 'Ours' } } });
  agent.send(control('2', { subtype: 'delete_session', session_id }));
  expect(await agent.next(answerTo('2'))).toMatchObject({
    response: { subtype: 'error', error: { code: 'session_busy' } },
  });
  const other = await fixture.startMachine();
  other.send(control('3', { subtype: 'rename_session', session_id, title: 'Mine' }));
  expect(await other.next(answerTo('3'))).toMatchObject({
    response: { subtype: 'error', error: { code: 'session_busy' } },
  });
  agent.send(prompt('again'));
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'success' });
});
