import { calls, lastText, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answer, type CliFixture, control, openCliFixture, prompt, QUESTION, RESULT } from './cli-fixture.js';

const QUESTIONS = [{ question: 'Which port?', options: [{ label: '80' }, { label: '8080' }] }];
const ASKS = calls({ name: 'ask_user_question', input: { questions: QUESTIONS } });

const offered = (fixture: CliFixture): readonly string[] =>
  fixture.model.requests[0]?.tools?.map((tool) => tool.function.name) ?? [];

test('the app answers a question of the model, also in yolo mode', async () => {
  await using fixture = await openCliFixture([ASKS, (request) => says(lastText(request))]);
  const agent = await fixture.startMachine(['--approval-mode', 'yolo']);
  agent.send(control('init', { subtype: 'initialize', canUseTool: true }));
  agent.send(prompt('serve it'));
  const question = await agent.next(QUESTION);
  expect(question).toMatchObject({
    request: { tool_name: 'ask_user_question', tool_use_id: 'call_1', input: { questions: QUESTIONS } },
  });
  const updatedInput = { questions: QUESTIONS, answers: { 'Which port?': '8080' } };
  agent.send(answer(question['request_id'], { behavior: 'allow', updatedInput }));
  expect(await agent.next(RESULT)).toMatchObject({ result: 'Which port?\n8080' });
});

test('the model cannot ask if no one can answer or the tool is excluded', async () => {
  const run = async (args: readonly string[], initialize: Readonly<Record<string, unknown>>) => {
    await using fixture = await openCliFixture([says('done')]);
    const agent = await fixture.startMachine(args);
    agent.send(control('init', { subtype: 'initialize', ...initialize }));
    agent.send(prompt('go'));
    const init = await agent.next({ type: 'system', subtype: 'init' });
    await agent.next(RESULT);
    expect(init['tools']).toEqual(offered(fixture));
    return offered(fixture);
  };
  expect(await run([], { canUseTool: true })).toContain('ask_user_question');
  expect(await run([], {})).toContain('ask_user_question');
  expect(await run(['--permission-mode', 'dontAsk'], {})).not.toContain('ask_user_question');
  expect(await run([], { canUseTool: false })).not.toContain('ask_user_question');
  const excluded = await run(['--exclude-tools', 'AskUserQuestion,task'], { canUseTool: true });
  expect(excluded).toContain('read_file');
  expect(excluded).not.toContain('ask_user_question');
  expect(excluded).not.toContain('task');
});
