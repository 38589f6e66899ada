import { calls, says, startByteServer, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { chat, expectOnlyProtocol, FORMATS, isSummary, openLinesFixture, sessionOf } from './fixture.ts';

// What hosts are built for (the acceptance scenarios of the RFC).

test('a host sends prompts one at a time and reads several answers to each', async () => {
  verifies('A-26', 'B-03', 'B-20', 'A-23');
  await using fixture = await openLinesFixture([
    { ...calls({ name: 'list_directory', input: { path: '.' } }), content: 'I look.' },
    says('There is one file.'),
    says('It is a.txt.'),
  ]);
  await fixture.workspace.write('a.txt', 'x');
  const program = await fixture.start('stream-json');
  const session = { session_id: await sessionOf(program) };
  for (const prompt of ['How many files?', 'Which one?']) {
    program.send(chat(prompt, session));
    await program.next(isSummary);
  }
  program.endInput();
  await program.exited;
  const spoken = program.lines.flatMap(({ json }) => {
    const [choice] = Object(json).choices ?? [];
    if (isSummary(json ?? {})) return ['-'];
    return choice?.message.content ? [`${choice.message.role}: ${choice.message.content.split('\n')[0]}`] : [];
  });
  expect(spoken[0]).toBe('assistant: I look.');
  expect(spoken[1]).toMatch(/^tool: /);
  expect(spoken.slice(2)).toEqual(['assistant: There is one file.', '-', 'assistant: It is a.txt.', '-']);
  expectOnlyProtocol(program.lines);
});

const delta = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const STOP = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

test('a host shows the first word while the model is still generating the second', async () => {
  verifies('A-27', 'C-15');
  const second = Promise.withResolvers<string>();
  await using fixture = await openLinesFixture([]);
  await using model = await startByteServer([{ chunks: [delta('First '), second.promise, STOP] }]);
  const program = await fixture.start('stream-chunk-json', {
    env: { ...fixture.env, OPENAI_BASE_URL: `${model.url}/v1` },
  });
  program.send(chat('speak'));
  const first = await program.next({ choices: [{ delta: { content: 'First ' } }] });
  expect(first['object']).toBe('chat.completion.chunk');
  // Only now does the model go on.
  second.resolve(delta('second.'));
  await program.next({ choices: [{ delta: { content: 'second.' } }] });
  await program.next(isSummary);
});

test('a message is written when it is complete, not when the turn ends', async () => {
  verifies('B-16', 'A-26');
  const answer = Promise.withResolvers<string>();
  await using fixture = await openLinesFixture([]);
  const call = {
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name: 'list_directory', arguments: '{"path":"."}' },
  };
  const chunk = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }] })}\n\ndata: [DONE]\n\n`;
  await using model = await startByteServer([{ chunks: [chunk] }, { chunks: [answer.promise, STOP] }]);
  const program = await fixture.start('stream-json', { env: { ...fixture.env, OPENAI_BASE_URL: `${model.url}/v1` } });
  program.send(chat('look'));
  const calling = await program.next({ choices: [{ finish_reason: 'tool_calls' }] });
  expect(calling['object']).toBe('chat.completion');
  await program.next({ choices: [{ message: { role: 'tool', tool_call_id: 'call_1' } }] });
  answer.resolve(delta('Seen.'));
  await program.next({ choices: [{ message: { content: 'Seen.' }, finish_reason: 'stop' }] });
  await program.next(isSummary);
});

test.each(FORMATS)("slash, at and question mark typed in a host's input box work, in %s", async (format) => {
  verifies('A-28', 'F-01', 'F-02', 'CF-67');
  await using fixture = await openLinesFixture([says('I read it.')]);
  await fixture.workspace.write('notes.txt', 'the answer is 42\n');
  const program = await fixture.start(format);
  const session = { session_id: await sessionOf(program) };
  program.send({ type: 'command_hint_request', ...session, trigger: 'at', text: 'read @not', cursor: 9 });
  expect(await program.next({ type: 'result/command_hint', status: 'ok' })).toMatchObject({
    suggestions: [{ value: 'notes.txt' }],
  });
  program.send(chat('read @notes.txt', session));
  await program.next(isSummary);
  expect(JSON.stringify(fixture.model.requests[0]?.messages)).toContain('the answer is 42');
  program.send(chat('/stats', session));
  await program.next({ type: 'result/command', result: { type: 'message' } });
  program.send(chat('?', session));
  await program.next({ type: 'result/command', command: { path: ['help'] } });
  program.send(chat('/nothing-of-the-kind', session));
  const unknown = await program.next({ type: 'result/command', result: { type: 'message', level: 'error' } });
  expect(JSON.stringify(unknown)).toContain('Unknown command: /nothing-of-the-kind');
  expect(fixture.model.requests).toHaveLength(1);
  program.endInput();
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expectOnlyProtocol(program.lines);
});
