import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answerTo, control, openCliFixture, prompt, RESULT } from './cli-fixture.js';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('initialize is the first line to be answered, with the members of both specifications', async () => {
  verifies('M-08', 'M-14', 'M-15', 'J-19', 'J-20', 'J-21', 'N-14', 'A-16');
  await using fixture = await openCliFixture([says('hello')]);
  const agent = await fixture.startMachine(['--approval-mode', 'plan', '-m', 'named']);
  agent.send(control('init', { subtype: 'initialize', hooks: null }));
  const line = await agent.next(() => true);
  expect(line).toEqual({
    type: 'control_response',
    response: {
      subtype: 'success',
      request_id: 'init',
      response: {
        subtype: 'initialize',
        session_id: expect.stringMatching(UUID_V4),
        protocol_version: 1,
        commands: expect.arrayContaining(['clear', 'help']),
        output_style: 'stream-json',
        output_format: 'stream-json',
        model: 'named',
        permissionMode: 'plan',
        agents: ['general-purpose', 'explore', 'plan'],
        account: { provider: 'openai', host: new URL(fixture.model.baseUrl).host, credential_source: 'OPENAI_API_KEY' },
        capabilities: expect.objectContaining({
          tools: expect.arrayContaining(['read_file', 'run_shell_command']),
          hooks: true,
          can_handle_can_use_tool: true,
          can_handle_mcp_message: true,
        }),
      },
    },
  });
  agent.endInput();
  expect(await agent.exited).toEqual({ code: 0, signal: null });
});

test('a turn starts with init and ends with one result of the same session', async () => {
  verifies('P-01', 'P-02', 'P-10', 'GAP-40', 'FB7', 'M-74');
  await using fixture = await openCliFixture([says('hello')]);
  const agent = await fixture.startMachine();
  agent.send(control('init', { subtype: 'initialize' }));
  const { response } = await agent.next(answerTo('init'));
  agent.send(prompt('hi'));
  agent.endInput();
  await agent.exited;
  const lines = agent.lines.slice(1).map(({ json }) => json);
  expect(lines.map((line) => [line?.['type'], line?.['subtype']])).toEqual([
    ['system', 'init'],
    ['assistant', undefined],
    ['result', 'success'],
  ]);
  expect(lines.at(-1)).toMatchObject({ result: 'hello', is_error: false, permission_denials: [] });
  const ids = new Set(lines.map((line) => line?.['session_id']));
  expect([...ids]).toEqual([(response as { response: { session_id: string } }).response.session_id]);
});

test('control requests before initialize are answered, and initialize is optional', async () => {
  verifies('F23', 'GAP-42', 'M-35', 'M-61', 'M-62', 'M-34');
  await using fixture = await openCliFixture([says('hello')]);
  const agent = await fixture.startMachine();
  agent.send(control('1', { subtype: 'supported_commands' }));
  agent.send(control('2', { subtype: 'mcp_server_status' }));
  agent.send(control('3', { subtype: 'set_model', model: 'early' }));
  agent.send(prompt('hi'));
  expect(await agent.next(answerTo('1'))).toMatchObject({
    response: { response: { commands: expect.arrayContaining(['clear', 'help']) } },
  });
  expect(await agent.next(answerTo('2'))).toMatchObject({ response: { response: { status: {}, servers: {} } } });
  expect(await agent.next(answerTo('3'))).toMatchObject({ response: { response: { model: 'early' } } });
  await agent.next(RESULT);
  expect(fixture.model.requests[0]?.model).toBe('early');
});

test('an initialize sent right after the first prompt is still applied', async () => {
  verifies('F23');
  await using fixture = await openCliFixture([says('hello')]);
  const agent = await fixture.startMachine();
  const lines = [prompt('hi'), control('init', { subtype: 'initialize', systemPrompt: 'You are a parrot.' })];
  agent.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await agent.next(RESULT);
  expect(fixture.model.requests[0]?.messages[0]).toMatchObject({ role: 'system', content: 'You are a parrot.' });
});

test('requests in the flat and the nested form of the RFC are understood', async () => {
  verifies('J-16', 'J-17', 'J-24', 'CF-31');
  await using fixture = await openCliFixture();
  const agent = await fixture.startMachine();
  agent.send({ type: 'control_request', request_id: 'flat', subtype: 'supported_commands' });
  agent.send({ type: 'control_request', request_id: 'nested', payload: { subtype: 'supported_commands' } });
  for (const id of ['flat', 'nested']) {
    expect(await agent.next(answerTo(id))).toMatchObject({
      response: { subtype: 'success', response: { commands: expect.arrayContaining(['clear', 'help']) } },
    });
  }
});

test('an unknown subtype, and a request without one, are answered with an error and their id', async () => {
  verifies('M-07', 'F13', 'M-06', 'J-22');
  await using fixture = await openCliFixture([says('hello')]);
  const agent = await fixture.startMachine();
  agent.send(control('a', { subtype: 'from_the_future' }));
  agent.send(control('b', {}));
  expect(await agent.next(answerTo('a'))).toMatchObject({
    response: { subtype: 'error', error: { code: 'unknown_subtype', message: expect.any(String) } },
  });
  expect(await agent.next(answerTo('b'))).toMatchObject({ response: { error: { code: 'invalid_message' } } });
  agent.send(prompt('hi'));
  await agent.next({ ...RESULT, subtype: 'success' });
});

test('another protocol version is a typed error and exit code 3', async () => {
  verifies('F24', 'GAP-11');
  await using fixture = await openCliFixture();
  const agent = await fixture.startMachine();
  agent.send(control('init', { subtype: 'initialize', protocol_version: 3 }));
  expect(await agent.next(answerTo('init'))).toMatchObject({
    response: { subtype: 'error', error: { code: 'unsupported_protocol', data: { requested: 3, supported: [1] } } },
  });
  expect(await agent.exited).toEqual({ code: 3, signal: null });
});

test.each([
  ['the variable QWEN_CHANNEL', ['--input-format=stream-json'], { QWEN_CHANNEL: 'SDK' }],
  ['the variable GEMINI_CHANNEL', [], { GEMINI_CHANNEL: 'SDK' }],
  ['two words', ['--output-format', 'stream-json', '--channel', 'SDK'], {}],
  ['the flag --dialect', ['--input-format=stream-json', '--output-format=stream-json', '--dialect=sdk'], {}],
])('%s selects the SDK channel', async (_how, args, more) => {
  verifies('A-24', 'CF-02', 'M-76');
  await using fixture = await openCliFixture([says('hello')]);
  const agent = await fixture.start(args, { env: { ...fixture.env, ...more } });
  agent.send(prompt('hi'));
  await agent.next({ ...RESULT, result: 'hello' });
  agent.endInput();
  expect(await agent.exited).toEqual({ code: 0, signal: null });
});

test('without a flag, an initialize in the first line selects the SDK channel', async () => {
  verifies('CF-02');
  await using fixture = await openCliFixture([says('hello')]);
  const agent = await fixture.start(['--input-format', 'stream-json', '--output-format', 'stream-json']);
  expect(await agent.next({ object: 'chat.completion' })).toMatchObject({ system_fingerprint: 'qwen-ipc/1' });
  agent.send(control('init', { subtype: 'initialize' }));
  agent.send(prompt('hi'));
  await agent.next(answerTo('init'));
  expect(await agent.next(RESULT)).toMatchObject({ result: 'hello' });
  agent.endInput();
  expect(await agent.exited).toEqual({ code: 0, signal: null });
  // The receipt that was out already is all that such a host has to skip.
  expect(agent.lines.filter(({ json }) => json !== undefined && 'object' in json)).toHaveLength(1);
});
