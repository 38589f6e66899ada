import { calls, lastText, type ScriptedReply, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answer, control, openCliFixture, prompt, QUESTION, RESULT } from './cli-fixture.js';

const REVIEWER = {
  name: 'reviewer',
  description: 'Reviews code.',
  systemPrompt: 'You review.',
  tools: ['Read', 'Write'],
  runConfig: { maxTurns: 2 },
};

const initialize = control('init', { subtype: 'initialize', agents: [REVIEWER] });

const TASK = {
  name: 'task',
  input: { description: 'a review', prompt: 'review it', subagent_type: 'reviewer' },
};

/** Answers by who asks: the subagent's requests begin with its own system prompt. */
const byAgent = (main: readonly ScriptedReply[], inner: readonly ScriptedReply[]): ScriptedReply[] => {
  const left = { main: [...main], inner: [...inner] };
  return [
    (request) => {
      const isInner = JSON.stringify(request.messages[0]).includes('You review.');
      const queue = isInner ? left.inner : left.main;
      const reply = queue.length > 1 ? queue.shift() : queue[0];
      if (reply === undefined) throw new Error('nothing is left to say');
      return typeof reply === 'function' ? reply(request) : reply;
    },
  ];
};

test('a subagent of the app works under its own call, asks for permission, and reports', async () => {
  verifies('M-21', 'GAP-50', 'J-06', 'O-42', 'S29');
  const writes = { id: 'inner_1', name: 'write_file', input: { file_path: 'review.txt', content: 'fine' } };
  const script = byAgent([calls(TASK), says('all fine')], [calls(writes), says('It is fine.')]);
  await using fixture = await openCliFixture(script);
  const agent = await fixture.startMachine();
  agent.send(initialize);
  agent.send(prompt('go'));
  const question = await agent.next(QUESTION);
  expect(question).toMatchObject({
    request: { tool_name: 'write_file', tool_use_id: 'inner_1', parent_tool_use_id: 'call_1', agent: 'reviewer' },
  });
  agent.send(answer(question['request_id'], { behavior: 'allow' }));
  expect(await agent.next({ type: 'user', parent_tool_use_id: 'call_1' })).toMatchObject({
    message: { content: [{ type: 'tool_result', tool_use_id: 'inner_1', is_error: false }] },
  });
  expect(await agent.next({ type: 'assistant', parent_tool_use_id: 'call_1' })).toMatchObject({
    message: { content: [{ type: 'text', text: 'It is fine.' }] },
  });
  expect(await agent.next({ type: 'user', parent_tool_use_id: null })).toMatchObject({
    message: { content: [{ tool_use_id: 'call_1', content: expect.stringMatching(/^It is fine\.\n\n\(reviewer: /) }] },
  });
  expect(await agent.next(RESULT)).toMatchObject({ result: 'all fine', num_turns: 2 });
  expect(await fixture.workspace.read('review.txt')).toBe('fine');
  const [, inner] = fixture.model.requests;
  expect(inner?.tools?.map((tool) => tool.function.name)).toEqual(['read_file', 'write_file']);
});

test('a limit ends the subagent but not the turn', async () => {
  verifies('O-44', 'GAP-50');
  const reads = { name: 'read_file', input: { file_path: 'a.txt' } };
  const script = byAgent([calls(TASK), (request) => says(lastText(request))], [calls(reads)]);
  await using fixture = await openCliFixture(script);
  const agent = await fixture.startMachine();
  agent.send(initialize);
  agent.send(prompt('go'));
  expect(await agent.next(RESULT)).toMatchObject({
    is_error: false,
    result: expect.stringContaining('used up its 2 model calls (runConfig.maxTurns)'),
  });
});

test('after a kill during a task, the session resumes and the call has a result', async () => {
  verifies('F97');
  const reads = { name: 'write_file', input: { file_path: 'a.txt', content: 'x' } };
  const script = byAgent([calls(TASK), says('resumed')], [calls(reads)]);
  await using fixture = await openCliFixture(script);
  const agent = await fixture.startMachine();
  agent.send(initialize);
  agent.send(prompt('go'));
  const { session_id: sessionId } = await agent.next({ type: 'system', subtype: 'init' });
  await agent.next(QUESTION);
  agent.kill();
  await agent.exited;
  const again = await fixture.startMachine(['--resume', String(sessionId)]);
  again.send(prompt('go on'));
  expect(await again.next(RESULT)).toMatchObject({ result: 'resumed' });
  const messages = fixture.model.requests.at(-1)?.messages ?? [];
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
  expect(JSON.stringify(messages)).not.toContain('inner');
  expect(JSON.stringify(messages[3])).toContain('Interrupted: this call has no result.');
});
