import { calls, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answer, answerTo, control, openCliFixture, prompt, QUESTION, RESULT } from './cli-fixture.js';

test('set_model applies from the next model call, also during a turn, and is reported', async () => {
  verifies('M-27', 'M-28', 'M-31', 'M-32', 'M-34', 'M-87', 'P-09');
  await using fixture = await openCliFixture([
    calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'x' } }),
    says('done'),
  ]);
  const agent = await fixture.startMachine();
  agent.send(prompt('write'));
  const { request_id } = await agent.next(QUESTION);
  agent.send(control('model', { subtype: 'set_model', model: 'other' }));
  expect(await agent.next(answerTo('model'))).toMatchObject({
    response: { subtype: 'success', response: { subtype: 'set_model', model: 'other' } },
  });
  await agent.next({ type: 'system', subtype: 'model_changed', model: 'other' });
  agent.send(answer(request_id, { behavior: 'allow' }));
  await agent.next(RESULT);
  expect(fixture.model.requests.map(({ model }) => model)).toEqual(['scripted', 'other']);
});

test('null restores the initial model; an invalid value is an error and changes nothing', async () => {
  verifies('CF-43', 'M-29', 'M-30');
  await using fixture = await openCliFixture([says('ok')]);
  const agent = await fixture.startMachine(['--model', 'start']);
  agent.send(control('1', { subtype: 'set_model', model: 'other' }));
  for (const model of ['  ', { name: 'x' }]) {
    agent.send(control(`bad ${typeof model}`, { subtype: 'set_model', model }));
    expect(await agent.next(answerTo(`bad ${typeof model}`))).toMatchObject({
      response: { subtype: 'error', error: { code: 'invalid_payload', message: expect.stringContaining('model') } },
    });
  }
  agent.send(prompt('a'));
  await agent.next(RESULT);
  agent.send(control('4', { subtype: 'set_model', model: null }));
  expect(await agent.next(answerTo('4'))).toMatchObject({ response: { response: { model: 'start' } } });
  agent.send(prompt('b'));
  await agent.next(RESULT);
  expect(fixture.model.requests.map(({ model }) => model)).toEqual(['other', 'start']);
});

test('partial messages add up to the complete answer', async () => {
  verifies('FB16', 'P-08');
  const text = 'A longer answer that comes in several pieces.';
  await using fixture = await openCliFixture([says(text)]);
  const agent = await fixture.startMachine(['--include-partial-messages']);
  agent.send(prompt('hi'));
  agent.endInput();
  await agent.exited;
  const events = agent.lines.flatMap(({ json }) => (json?.['type'] === 'stream_event' ? [json] : []));
  const pieces = events.map(({ event }) => (event as { delta?: { text?: string } }).delta?.text ?? '');
  expect(pieces.filter((piece) => piece !== '').length).toBeGreaterThan(1);
  expect(pieces.join('')).toBe(text);
  const types = agent.lines.map(({ json }) => json?.['type']);
  expect(types.slice(0, 2)).toEqual(['system', 'stream_event']);
  expect(types.slice(-4)).toEqual(['assistant', 'stream_event', 'stream_event', 'result']);
});

test('without credentials the first prompt is answered with a result that states so, and the exit code is 0', async () => {
  verifies('FB7', 'FB9');
  await using fixture = await openCliFixture();
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, ...env } = fixture.env;
  const agent = await fixture.startMachine([], { env });
  agent.send(control('init', { subtype: 'initialize' }));
  await agent.next(answerTo('init'));
  agent.send(prompt('hi'));
  expect(await agent.next(RESULT)).toMatchObject({
    subtype: 'error_during_execution',
    is_error: true,
    error: { code: 'missing_credentials', message: expect.stringContaining('DASHSCOPE_API_KEY') },
  });
  agent.send(prompt('again'));
  await agent.next({ ...RESULT, error: { code: 'missing_credentials' } });
  agent.endInput();
  expect(await agent.exited).toEqual({ code: 0, signal: null });
});

test('no output contains keys, whatever fails', async () => {
  verifies('S106', 'F63');
  await using fixture = await openCliFixture([
    () => ({ error: { message: 'bad key sk-canary-123456', type: 'invalid_request_error' }, status: 401 }),
  ]);
  const agent = await fixture.startMachine(['--debug'], {
    env: {
      ...fixture.env,
      OPENAI_API_KEY: 'sk-canary-123456',
      QWEN_MODEL_HEADERS: '{"X-Secret":"header-canary-123456"}',
    },
  });
  agent.send(control('init', { subtype: 'initialize' }));
  agent.send('{broken');
  agent.send(prompt('hi'));
  await agent.next({ ...RESULT, is_error: true });
  agent.endInput();
  await agent.exited;
  expect(agent.lines.map(({ text }) => text).join('\n') + agent.stderr).not.toMatch(/canary/);
});

test('unreachable MCP servers are listed in init and in a notice', async () => {
  verifies('M-11', 'FB15');
  await using fixture = await openCliFixture([says('ok')]);
  const agent = await fixture.startMachine(['--mcp-config', '{"mcpServers":{"theirs":{"command":"server"}}}']);
  agent.send(control('init', { subtype: 'initialize' }));
  expect(await agent.next(() => true)).toMatchObject({ type: 'control_response' });
  agent.send(prompt('hi'));
  expect(await agent.next({ type: 'system' })).toMatchObject({
    subtype: 'init',
    mcp_servers: [{ name: 'theirs', status: 'disconnected' }],
  });
  await agent.next({ type: 'system', subtype: 'notice', data: { code: 'mcp_server_failed' } });
});
