import { calls, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answer, answerTo, control, openCliFixture, prompt, QUESTION, RESULT } from './cli-fixture.js';

const runs = (command: string) => ({ name: 'run_shell_command', input: { command } });

test('a command allowed for the session asks once, through the suggested rule; reading never asks', async () => {
  verifies('M-52', 'S24', 'J-06', 'CF-33');
  const tidy = String.raw`mkdir -p out && touch out/a`;
  await using fixture = await openCliFixture([
    calls(runs(tidy)),
    calls(runs('ls out')),
    calls(runs(tidy)),
    says('done'),
  ]);
  const agent = await fixture.startMachine();
  agent.send(prompt('go'));
  const question = await agent.next(QUESTION);
  expect(question).toMatchObject({
    request: {
      input: { command: tidy },
      permission_suggestions: [
        { type: 'allow' },
        { type: 'deny' },
        { type: 'allow', rules: ['Bash(mkdir -p out)', 'Bash(touch out/a)'], destination: 'session' },
      ],
    },
  });
  const rules = ['Bash(mkdir -p out)', 'Bash(touch out/a)'];
  const updatedPermissions = [{ type: 'addRules', behavior: 'allow', rules, destination: 'session' }];
  agent.send(answer(question['request_id'], { behavior: 'allow', updatedPermissions }));
  // Another question would come before the result and stay open.
  expect(await agent.next(RESULT)).toMatchObject({ result: 'done', permission_denials: [] });
  expect(await fixture.workspace.read('out/a')).toBe('');
});

test('a dry run works before the first prompt and after a denial', async () => {
  verifies('CF-36', 'S29');
  await using fixture = await openCliFixture([calls(runs('touch a')), calls(runs('touch b')), says('done')]);
  const agent = await fixture.startMachine();
  const explain = { subtype: 'explain_permission', tool_name: 'Bash', input: { command: 'touch a' } };
  agent.send(control('before', explain));
  expect(await agent.next(answerTo('before'))).toMatchObject({
    response: { response: { behavior: 'ask', decided_by: 'default', shadowed: [], parts: [{ text: 'touch a' }] } },
  });
  agent.send(prompt('go'));
  const { request_id } = await agent.next(QUESTION);
  const updatedPermissions = [
    {
      type: 'addRules',
      behavior: 'deny',
      rules: [{ toolName: 'Bash', ruleContent: 'touch:*' }],
      destination: 'session',
    },
  ];
  agent.send(answer(request_id, { behavior: 'deny', message: 'no', updatedPermissions }));
  expect(await agent.next(RESULT)).toMatchObject({ permission_denials: [{}, {}] });
  agent.send(control('after', explain));
  expect(await agent.next(answerTo('after'))).toMatchObject({
    response: { response: { behavior: 'deny', decided_by: 'deny_rule', rule: 'Bash(touch:*)' } },
  });
  expect(await fixture.workspace.read('a').catch(() => 'none')).toBe('none');
});

test('plan mode runs read-only commands and explains why it runs nothing else', async () => {
  verifies('M-47');
  await using fixture = await openCliFixture([calls(runs('ls')), calls(runs('touch a')), says('done')]);
  const agent = await fixture.startMachine(['--permission-mode', 'plan']);
  agent.send(prompt('go'));
  expect(await agent.next(RESULT)).toMatchObject({ permission_denials: [{ tool_input: { command: 'touch a' } }] });
  const told = JSON.stringify(fixture.model.requests.at(-1)?.messages);
  expect(told).toContain('Plan mode permits read-only work.');
});
