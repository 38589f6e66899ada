import { access } from 'node:fs/promises';
import {
  calls,
  isolatedEnvironment,
  resourceBaseline,
  says,
  startScriptedModel,
  temporaryFolder,
  verifies,
} from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import {
  answerUserQuestions,
  type CanUseTool,
  type ConfirmQuestion,
  createPool,
  deleteSession,
  forkSession,
  getSessionMessages,
  listSessions,
  type OnConfirm,
  type QueryOptions,
  query,
  renameSession,
  type SDKUserMessage,
  startup,
  userQuestionsOf,
} from '../src/index.js';
import { collect, resultOf, silentPrompt } from './programs.js';

// What only both ends together can show: the options and verbs of the SDK against the CLI that is installed with it.
const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

async function fixture(replies: Parameters<typeof startScriptedModel>[0]) {
  const folder = await temporaryFolder();
  const model = await startScriptedModel(replies);
  const options: QueryOptions = { cwd: folder.path, env: isolatedEnvironment(folder.resolve('home'), model.env) };
  return {
    folder,
    model,
    options,
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const write = (file: string) => calls({ name: 'write_file', input: { file_path: file, content: 'x' } });

test('a message with priority reaches the model with the next tool result and gets no separate result', async () => {
  await using scene = await fixture([write('a.txt'), says('I heard you.'), says('Later, too.')]);
  const isAsked = Promise.withResolvers<void>();
  const isSent = Promise.withResolvers<void>();
  const message = (content: string, more: Partial<SDKUserMessage> = {}): SDKUserMessage => ({
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    ...more,
  });
  async function* prompts() {
    yield message('Write');
    await isAsked.promise;
    yield message('After that', { priority: 'later' });
    yield message('Use tabs', { priority: 'now', uuid: 'f4b3e4e8-6d8f-4a9e-9a40-1f9d6a4c7b11' });
    isSent.resolve();
  }
  const canUseTool: CanUseTool = async () => {
    isAsked.resolve();
    await isSent.promise;
    return { behavior: 'allow' };
  };
  const seen = await collect(query({ prompt: prompts(), options: { ...scene.options, canUseTool } }));
  expect(seen.flatMap((one) => (one.type === 'result' ? [one.subtype] : []))).toEqual(['success', 'success']);
  expect(seen.filter((one) => one.type === 'user' && one.priority != null)).toMatchObject([
    { uuid: 'f4b3e4e8-6d8f-4a9e-9a40-1f9d6a4c7b11', priority: 'now', message: { content: 'Use tabs' } },
  ]);
  expect(scene.model.requests[1]?.messages.slice(-2)).toMatchObject([
    { role: 'tool' },
    { role: 'user', content: 'Use tabs' },
  ]);
  expect(scene.model.requests[2]?.messages.at(-1)).toMatchObject({ role: 'user', content: 'After that' });
});

test('an answer that matches the schema is a typed value; otherwise the turn fails', async () => {
  const outputSchema = z.object({ city: z.string() });
  const answer = (input: object) => calls({ name: 'structured_output', input });
  await using good = await fixture([answer({ town: 'Bern' }), answer({ city: 'Bern' }), says('never asked')]);
  const success = await resultOf(query({ prompt: 'Capital?', options: { ...good.options, outputSchema } }));
  expect(success).toMatchObject({ subtype: 'success', structured_output: { city: 'Bern' } });

  await using bad = await fixture(Array.from({ length: 9 }, () => says('It is Bern.')));
  const failure = await resultOf(query({ prompt: 'Capital?', options: { ...bad.options, outputSchema } }));
  expect(failure).toMatchObject({ is_error: true, error: { code: 'invalid_output' } });
  expect(failure).not.toHaveProperty('structured_output');
});

test('a budget ends the turn with its name and the remaining amount', async () => {
  await using scene = await fixture(
    Array.from({ length: 5 }, () => calls({ name: 'list_directory', input: { path: '.' } })),
  );
  const options: QueryOptions = { ...scene.options, budget: { toolCalls: 2 } };
  expect(await resultOf(query({ prompt: 'Look around', options }))).toMatchObject({
    subtype: 'error_budget',
    is_error: true,
    error: { code: 'budget_exceeded' },
    budget_remaining: { toolCalls: 0 },
  });
});

test('stored sessions are listed, read, renamed, copied, continued and removed', async () => {
  verifies('FB17', 'FB18');
  await using scene = await fixture([says('one'), says('two'), says('three')]);
  const { env, cwd } = scene.options;
  const first = query({ prompt: 'first', options: scene.options });
  await resultOf(first);
  const id = first.getSessionId();
  await resultOf(query({ prompt: 'second', options: { ...scene.options, resume: id } }));

  expect(await listSessions({ env, cwd })).toMatchObject({ sessions: [{ session_id: id, first_prompt: 'first' }] });
  expect(await listSessions({ env, cwd: '/elsewhere' })).toMatchObject({ sessions: [] });
  const { messages } = await getSessionMessages(id, { env });
  expect(messages.map(({ type }) => type)).toEqual(['user', 'assistant', 'user', 'assistant']);
  expect(await renameSession(id, 'My title', { env })).toMatchObject({ session_id: id, title: 'My title' });

  const upToMessageId = messages[1]?.uuid;
  const copy = await forkSession(id, { env, upToMessageId });
  expect(copy).toMatchObject({ forked_from: id });
  const went = query({ prompt: 'third', options: { ...scene.options, resume: copy.session_id } });
  expect(await resultOf(went)).toMatchObject({ result: 'three', session_id: copy.session_id });
  const texts = JSON.stringify(scene.model.requests.at(-1)?.messages);
  expect(texts).toContain('first');
  expect(texts).not.toContain('second');

  await deleteSession(copy.session_id, { env });
  expect((await listSessions({ env })).sessions.map(({ session_id: left }) => left)).toEqual([id]);
  await expect(getSessionMessages(copy.session_id, { env })).rejects.toMatchObject({ code: 'session_not_found' });
});

test('continuing from an earlier message leaves the old session unchanged', async () => {
  verifies('FB18');
  await using scene = await fixture([says('one'), says('two'), says('other')]);
  const first = query({ prompt: 'first', options: scene.options });
  const answer = (await collect(first)).find((message) => message.type === 'assistant');
  const id = first.getSessionId();
  await resultOf(query({ prompt: 'second', options: { ...scene.options, resume: id } }));
  const back = query({ prompt: 'instead', options: { ...scene.options, resume: id, resumeSessionAt: answer?.uuid } });
  expect(await resultOf(back)).toMatchObject({ result: 'other', session_id: back.getSessionId() });
  expect(back.getSessionId()).not.toBe(id);
  expect(JSON.stringify(scene.model.requests.at(-1)?.messages)).not.toContain('second');
  expect((await getSessionMessages(id, { env: scene.options.env })).messages).toHaveLength(4);
});

test('warm CLIs answer without a start, singly and from a pool', async () => {
  verifies('FB19');
  await using scene = await fixture([says('one'), says('two'), says('three')]);
  const warm = await startup(scene.options);
  expect(await resultOf(warm.query('x'))).toMatchObject({ result: 'one' });
  await using pool = createPool({ options: scene.options });
  await pool.ready();
  const results = [await resultOf(pool.query('y')), await resultOf(pool.query('z'))];
  expect(results.map(({ result }) => result)).toEqual(['two', 'three']);
  expect(new Set(results.map(({ session_id: id }) => id)).size).toBe(2);
});

test('the methods return what the CLI knows', async () => {
  verifies('O-09', 'CF-36', 'FB7');
  await using scene = await fixture([says('hello')]);
  const options: QueryOptions = {
    ...scene.options,
    excludeTools: ['Bash(rm:*)'],
    agents: { reviewer: { description: 'Reviews.' } },
  };
  await using conversation = query({ prompt: silentPrompt(), options });
  expect(await conversation.accountInfo()).toMatchObject({ provider: 'openai', host: expect.any(String) });
  expect(await conversation.supportedModels()).toEqual(
    expect.arrayContaining([expect.objectContaining({ id: expect.any(String) })]),
  );
  expect(await conversation.getContextUsage({ showDetails: true })).toMatchObject({ total_tokens: expect.any(Number) });
  expect(await conversation.getUsageInfo()).toMatchObject({ turns: 0 });
  expect(await conversation.setEffortStatus('high')).toMatchObject({ applied: expect.any(Boolean) });
  expect(await conversation.continueLastTurn()).toMatchObject({ accepted: false });
  expect(await conversation.supportedAgents()).toContain('reviewer');
  expect(await conversation.ping()).toBeGreaterThanOrEqual(0);
  expect(await conversation.canUseTool('run_shell_command', { command: 'ls && rm -r x' })).toMatchObject({
    behavior: 'deny',
    rule: 'Bash(rm:*)',
  });
  expect(await conversation.canUseTool('run_shell_command', { command: 'touch x' })).toMatchObject({
    behavior: 'ask',
    permission_suggestions: expect.arrayContaining([expect.objectContaining({ rules: expect.any(Array) })]),
  });
  await expect(conversation.canUseTool('no_such_tool', {})).rejects.toMatchObject({ code: 'unknown_tool' });
  expect(await conversation.canUseTool('read_file', { file_path: 'a' })).toMatchObject({ behavior: 'allow' });
  expect(await conversation.explainPermission('write_file', { file_path: 'a', content: '' })).toMatchObject({
    behavior: 'ask',
    decided_by: expect.any(String),
    shadowed: [],
  });
});

test('large values are not passed on the command line: a prompt of 1 MB, five hundred agents, an image', async () => {
  verifies('FB23', 'F34');
  await using scene = await fixture([says('seen')]);
  const agents = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`agent-${index}`, { description: 'Helps.'.repeat(100) }]),
  );
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } } as const;
  async function* prompt(): AsyncGenerator<SDKUserMessage> {
    yield { type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'What is it?' }, image] } };
  }
  const systemPrompt = `Begin.${'x'.repeat(1024 * 1024)}The end.`;
  const conversation = query({ prompt: prompt(), options: { ...scene.options, systemPrompt, agents } });
  const known = await conversation.supportedAgents();
  expect(known).toEqual(expect.arrayContaining(Object.keys(agents)));
  expect(await resultOf(conversation)).toMatchObject({ result: 'seen' });
  const sent = JSON.stringify(scene.model.requests[0]?.messages);
  expect(sent).toContain('xThe end.');
  expect(sent).toContain('iVBORw0KGgo=');
});

test('the app answers a question of the model, and the model reads the answer', async () => {
  const question = { question: 'Which port?', options: [{ label: '80' }, { label: '8080' }] };
  await using scene = await fixture([
    calls({ name: 'ask_user_question', input: { questions: [question] } }),
    says('OK'),
  ]);
  const canUseTool: CanUseTool = (toolName, input) => {
    const questions = userQuestionsOf(toolName, input) ?? [];
    const answers = questions.map(({ question: text, options }) => [text, options[1]?.label ?? 'none']);
    return answerUserQuestions(input, Object.fromEntries(answers));
  };
  // It is asked in yolo too: no mode can answer for the person.
  const options: QueryOptions = { ...scene.options, canUseTool, permissionMode: 'yolo', stderr: () => undefined };
  expect(await resultOf(query({ prompt: 'Configure', options }))).toMatchObject({ result: 'OK' });
  const messages = scene.model.requests.at(-1)?.messages ?? [];
  expect(messages.at(-1)).toMatchObject({ role: 'tool', content: 'Which port?\n8080' });
});

test.each([
  ['yes', 'proceed_once', 'The word is owl'],
  ['no answer', undefined, undefined],
] as const)('a custom command asks before its shell command runs: %s', async (_word, answer, expected) => {
  verifies('F-26', 'J-05', 'CF-27');
  await using scene = await fixture([says('Read.')]);
  await scene.folder.write('home/.qwen/commands/word.toml', 'prompt = "The word is !{touch marker; echo owl}"');
  const asked: ConfirmQuestion[] = [];
  const onConfirm: OnConfirm = (question) => {
    asked.push(question);
    return answer ?? 'cancel';
  };
  const options = { ...scene.options, ...(answer !== undefined && { onConfirm }) };
  const result = await resultOf(query({ prompt: '/word', options }));
  const said = scene.model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
  if (expected === undefined) {
    expect([result.num_turns, said]).toEqual([0, []]);
    await expect(access(scene.folder.resolve('marker'))).rejects.toThrow('ENOENT');
  } else {
    expect(asked).toEqual([{ kind: 'shell', commands: ['touch marker; echo owl'], raw: '/word' }]);
    expect(said).toEqual([expect.stringContaining(expected)]);
  }
});
