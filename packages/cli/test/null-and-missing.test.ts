import { calls, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answer, answerTo, control, openCliFixture, prompt, QUESTION, RESULT } from './cli-fixture.js';

const NULLS = Object.fromEntries(
  [
    'hooks',
    'sdkMcpServers',
    'mcpServers',
    'agents',
    'timeout',
    'systemPrompt',
    'appendSystemPrompt',
    'outputSchema',
    'budget',
    'effort',
    'fallbackModels',
  ].map((name) => [name, null]),
);

/** One session in which the app says nothing where it can: by null, or by leaving it out. */
async function play(words: { readonly initialize: object; readonly allow: object; readonly message: object }) {
  const input = { file_path: 'a.txt', content: 'a' };
  await using fixture = await openCliFixture([calls({ name: 'write_file', input }), says('done')]);
  const agent = await fixture.startMachine();
  agent.send(control('init', { subtype: 'initialize', ...words.initialize }));
  const { response } = await agent.next(answerTo('init'));
  agent.send({ ...prompt('write'), ...words.message });
  const { request_id, request } = await agent.next(QUESTION);
  agent.send(answer(request_id, { behavior: 'allow', ...words.allow }));
  const { subtype, result } = await agent.next(RESULT);
  return {
    response,
    request,
    subtype,
    result,
    written: await fixture.workspace.read('a.txt'),
    path: fixture.workspace.path,
  };
}

/** Without what differs from run to run. */
const steady = ({ path, ...played }: Awaited<ReturnType<typeof play>>) =>
  JSON.parse(
    JSON.stringify(played)
      .replaceAll(path, 'W')
      .replaceAll(/[\da-f]{8}-[-\da-f]{27}|127\.0\.0\.1:\d+/g, 'ID'),
  ) as unknown;

test('null and a missing member are the same, from the first request to the answer of a question', async () => {
  verifies('CF-46');
  const missing = await play({ initialize: {}, allow: {}, message: {} });
  const nulls = await play({
    initialize: NULLS,
    allow: { updatedInput: null, updatedPermissions: null, message: null },
    message: { parent_tool_use_id: null, session_id: null, uuid: null },
  });
  expect(steady(nulls)).toEqual(steady(missing));
  expect(missing).toMatchObject({ subtype: 'success', written: 'a', request: { blocked_path: null } });
  expect(missing.request).toHaveProperty('permission_suggestions');
});
