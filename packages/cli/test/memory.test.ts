import { calls, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answer, openCliFixture, prompt, QUESTION, RESULT } from './cli-fixture.js';

test('the agent adds to its memory with approval, and later sessions read it; without the setting there is none', async () => {
  await using fixture = await openCliFixture([
    ({ messages }) => {
      const [, path = ''] = /- (\S+): about this project/.exec(JSON.stringify(messages[0])) ?? [];
      return calls({ name: 'write_file', input: { file_path: path, content: '- Tests run with vitest.\n' } });
    },
    says('saved'),
    says('later'),
  ]);
  const agent = await fixture.startMachine([
    '--settings',
    '{"memory":{"enabled":true}}',
    '--approval-mode',
    'auto-edit',
  ]);
  agent.send(prompt('remember how tests run'));
  const question = await agent.next(QUESTION);
  expect(question).toMatchObject({ request: { input: { content: '- Tests run with vitest.\n' } } });
  agent.send(answer(question['request_id'], { behavior: 'allow' }));
  expect(await agent.next(RESULT)).toMatchObject({ result: 'saved' });
  agent.endInput();
  await agent.exited;
  const later = await fixture.start(['-p', 'go']);
  later.endInput();
  await later.exited;
  const sent = JSON.stringify(fixture.model.requests[2]?.messages);
  expect(sent).toContain('Tests run with vitest.');
  expect(sent).not.toContain('You have a memory');
});
