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
import { type CanUseTool, query, toPermissionUpdates } from '../src/index.js';
import { collect, resultOf } from './programs.js';

// The built CLI, found as a dependency of this package.
const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

test('a subagent of the app has its own questions, hooks and messages', async () => {
  verifies('FB5', 'O-42');
  await using folder = await temporaryFolder();
  const task = { description: 'Review', prompt: 'Look at it', subagent_type: 'reviewer' };
  await using model = await startScriptedModel([
    calls({ name: 'task', input: task, id: 'call_task' }),
    calls({ name: 'write_file', input: { file_path: 'notes.txt', content: 'x' }, id: 'call_write' }),
    says('The review.'),
    says('All is well.'),
  ]);
  const asked: unknown[] = [];
  const hooked: unknown[] = [];
  const canUseTool: CanUseTool = (toolName, _input, { agent, parentToolUseId }) => {
    asked.push([toolName, agent, parentToolUseId]);
    return { behavior: 'allow' };
  };
  const conversation = query({
    prompt: 'Review it',
    options: {
      cwd: folder.path,
      env: isolatedEnvironment(folder.resolve('home'), model.env),
      canUseTool,
      agents: { reviewer: { description: 'Reviews changes.', systemPrompt: 'You review.' } },
      hooks: {
        PreToolUse: [
          {
            matcher: 'write_file',
            hooks: [
              ({ agent, parent_tool_use_id: parent }) => {
                hooked.push([agent, parent]);
              },
            ],
          },
        ],
      },
    },
  });
  const messages = await collect(conversation);
  expect(messages.at(-1)).toMatchObject({ subtype: 'success', result: 'All is well.' });
  expect(asked).toContainEqual(['write_file', 'reviewer', 'call_task']);
  expect(hooked).toEqual([['reviewer', 'call_task']]);
  expect(await folder.read('notes.txt')).toBe('x');
  const ofSubagent = messages.filter(
    (message) => 'parent_tool_use_id' in message && message.parent_tool_use_id === 'call_task',
  );
  expect(JSON.stringify(ofSubagent)).toContain('The review.');
});

test('a suggestion that is returned skips the next question of its kind', async () => {
  await using folder = await temporaryFolder();
  const run = (id: string) => calls({ name: 'run_shell_command', input: { command: 'touch made.txt' }, id });
  await using model = await startScriptedModel([run('first'), run('second'), says('Done.')]);
  const asked: string[] = [];
  const canUseTool: CanUseTool = (_toolName, _input, { toolUseId, suggestions }) => {
    asked.push(toolUseId);
    const updatedPermissions = (suggestions ?? []).filter(({ type }) => type === 'allow').flatMap(toPermissionUpdates);
    return { behavior: 'allow', updatedPermissions };
  };
  const options = { cwd: folder.path, env: isolatedEnvironment(folder.resolve('home'), model.env), canUseTool };
  expect(await resultOf(query({ prompt: 'Make it', options }))).toMatchObject({ result: 'Done.' });
  expect(asked).toEqual(['first']);
});
