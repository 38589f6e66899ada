import { calls, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { prompt } from '../cli-fixture.js';
import { shareProgram } from '../shared-program.js';
import { chat, openCliFixture, SUMMARY, said, startLines } from './openai-fixture.js';

/** Each test has a session of its own. */
const ask = shareProgram((fixture) => startLines(fixture));

test('overrides apply to their request only', async () => {
  verifies('E-10', 'E-19', 'E-20', 'E-21', 'CF-68');
  const { agent, requests } = await ask(says('One'), says('Two'));
  agent.send(
    chat('a', {
      session_id: 'overrides',
      options: { model: 'other', temperature: 0.2, tool_overrides: ['ReadFileTool'] },
    }),
  );
  await agent.next(SUMMARY);
  agent.send(chat('b', { session_id: 'overrides' }));
  await agent.next(SUMMARY);
  const [first, second] = requests();
  expect(first).toMatchObject({ model: 'other', temperature: 0.2 });
  expect(first?.tools?.map((tool) => tool.function.name)).toEqual(['read_file']);
  expect(second?.model).not.toBe('other');
  expect(second?.temperature).toBeUndefined();
  expect(second?.tools?.length).toBeGreaterThan(3);
});

test('a request with an unknown tool is refused before any model call', async () => {
  verifies('GAP-12', 'K-08');
  const { agent, requests } = await ask(says('Fine'));
  agent.send(chat('a', { options: { tool_overrides: ['NoSuchTool'] } }));
  await agent.next({ metadata: { error: { code: 'QWEN_INVALID_INPUT' } } });
  expect(requests()).toEqual([]);
  agent.send(chat('b'));
  await agent.next(said('Fine'));
});

test('the messages form seeds a session; for a known one only its last message counts', async () => {
  verifies('E-30', 'CF-21', 'A-19');
  const { agent, requests } = await ask(says('It is owl'), says('Owl again'));
  const messages = [
    { role: 'system', content: 'Speak like a pirate.' },
    { role: 'user', content: 'The word is owl.' },
    { role: 'assistant', content: 'Noted.' },
    { role: 'user', content: 'Which word?' },
  ];
  agent.send({ model: 'qwen-coder', session_id: 'messages', messages });
  await agent.next(said('It is owl'));
  await agent.next(SUMMARY);
  agent.send({
    model: 'qwen-coder',
    session_id: 'messages',
    messages: [{ role: 'user', content: 'FORGED' }, ...messages],
  });
  await agent.next(said('Owl again'));
  const [first, second] = requests().map((request) => JSON.stringify(request.messages));
  expect(first).toContain('The word is owl.');
  expect(first).toContain('Speak like a pirate.');
  expect(second).not.toContain('FORGED');
});

test('the model calls a host tool, and the host answers with the ID of the call', async () => {
  verifies('E-13', 'E-22', 'E-26', 'GAP-05', 'B-12');
  const { agent, requests } = await ask(
    calls({ name: 'lookup', input: { q: 'a' }, id: 'call_a' }, { name: 'lookup', input: { q: 'b' }, id: 'call_b' }),
    says('Found'),
  );
  const tools = [{ type: 'function', function: { name: 'lookup', parameters: { type: 'object' } } }];
  agent.send(chat('Look', { session_id: 'host', tools }));
  await agent.next({ choices: [{ finish_reason: 'tool_calls' }] });
  const answer = (tool_call_id: string, output: string) => ({
    session_id: 'host',
    tool_call_id,
    input: {
      origin: 'tool_response',
      parts: [{ type: 'function_response', function_response: { response: { output } } }],
    },
  });
  agent.send(answer('call_b', 'B'));
  agent.send(answer('call_a', 'A'));
  await agent.next(said('Found'));
  expect(requests().at(-1)?.messages.slice(-2)).toMatchObject([
    { role: 'tool', tool_call_id: 'call_a', content: 'A' },
    { role: 'tool', tool_call_id: 'call_b', content: 'B' },
  ]);
  agent.send(answer('call_a', 'again'));
  await agent.next({ metadata: { error: { code: 'QWEN_INVALID_INPUT' } } });
});

test('a host may answer an announced call before it starts', async () => {
  verifies('GAP-05', 'E-25');
  const ids = Array.from({ length: 9 }, (_, index) => `call_${index}`);
  const { agent, requests } = await ask(
    calls(...ids.map((id) => ({ name: 'lookup', input: { id }, id }))),
    says('Found'),
  );
  agent.send(chat('Look', { session_id: 'early', tools: [{ type: 'function', function: { name: 'lookup' } }] }));
  await agent.next({ choices: [{ finish_reason: 'tool_calls' }] });
  for (const id of ids.toReversed()) {
    const parts = [{ type: 'text', text: `answer of ${id}` }];
    agent.send({ session_id: 'early', tool_call_id: id, input: { origin: 'tool_response', parts } });
  }
  await agent.next(said('Found'));
  expect(requests().at(-1)?.messages.slice(-9)).toMatchObject(
    ids.map((id) => ({ role: 'tool', tool_call_id: id, content: `answer of ${id}` })),
  );
});

test('the end of input fails a call that waits for the host, and the turn continues', async () => {
  verifies('GAP-10');
  await using fixture = await openCliFixture([calls({ name: 'lookup', input: {}, id: 'call_a' }), says('Without it')]);
  const agent = await startLines(fixture);
  agent.send(chat('Look', { tools: [{ type: 'function', function: { name: 'lookup' } }] }));
  await agent.next({ choices: [{ finish_reason: 'tool_calls' }] });
  agent.endInput();
  await agent.next(said('Without it'));
  expect(await agent.exited).toEqual({ code: 0, signal: null });
  expect(fixture.model.requests.at(-1)?.messages.at(-1)).toMatchObject({ content: 'Input closed' });
});

test('a tool that the host requests runs as a turn without a model call', async () => {
  verifies('E-24');
  const { agent, fixture, requests } = await ask(says('never asked'));
  await fixture.workspace.write('a.txt', 'text of a');
  agent.send({
    input: { origin: 'user', parts: [] },
    tool_request: { name: 'read_file', args: { file_path: 'a.txt' }, callId: 'mine', isClientInitiated: true },
  });
  expect(await agent.next({ choices: [{ message: { role: 'tool' } }] })).toMatchObject({
    choices: [{ message: { tool_call_id: 'mine', content: expect.stringContaining('text of a') } }],
  });
  await agent.next(SUMMARY);
  expect(requests()).toEqual([]);
});

test('a system message clears the history or adds a note for the model', async () => {
  verifies('E-14', 'E-17', 'E-28');
  await using fixture = await openCliFixture([says('One'), says('Two')]);
  const agent = await startLines(fixture);
  agent.send(chat('The word is owl', { session_id: 's' }));
  await agent.next(SUMMARY);
  const system = (part: object) => ({ session_id: 's', input: { origin: 'system', parts: [part] } });
  agent.send(system({ type: 'instruction', text: '/clear' }));
  await agent.next({ type: 'result/command', command: { path: ['clear'] } });
  agent.send(system({ type: 'text', text: 'The user is called Kim.' }));
  await agent.next({ type: 'result/command', result: { type: 'handled' } });
  agent.send(chat('Who am I?', { session_id: 's' }));
  await agent.next(said('Two'));
  const told = JSON.stringify(fixture.model.requests.at(-1)?.messages);
  expect(told).not.toContain('owl');
  expect(told).toContain('The user is called Kim.');
});

test('an SDK message is a prompt of the current session, answered in the openai dialect', async () => {
  verifies('CF-01', 'CF-02');
  await using fixture = await openCliFixture([says('Hello'), says('Again')]);
  const agent = await startLines(fixture);
  agent.send(prompt('Hi'));
  await agent.next(said('Hello'));
  agent.send(prompt('More'));
  await agent.next(said('Again'));
  expect(fixture.model.requests.at(-1)?.messages.length).toBeGreaterThan(3);
});
