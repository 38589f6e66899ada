import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type CliStage, openCliStage, prompt, RESULT } from './cli-stage.js';

const ID = '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b11';

/** Runs `qwen sessions` to its end. */
async function sessions(stage: CliStage, ...words: readonly string[]) {
  const program = await stage.start(['sessions', ...words]);
  program.endInput();
  const { code } = await program.exited;
  return { code, text: program.lines.map(({ text }) => text).join('\n'), stderr: program.stderr };
}

const json = async (stage: CliStage, ...words: readonly string[]) =>
  JSON.parse((await sessions(stage, ...words, '--output-format', 'json')).text);

async function say(stage: CliStage, content: string): Promise<void> {
  const agent = await stage.startMachine(['--session-id', ID]);
  agent.send(prompt(content));
  agent.endInput();
  await agent.next(RESULT);
  await agent.exited;
}

test('a session is listed, shown, renamed, copied up to a message, and deleted', async () => {
  verifies('FB17', 'FB18');
  await using stage = await openCliStage([says('There are two.')]);
  await say(stage, 'How many?');
  const { sessions: listed } = await json(stage, 'list');
  expect(listed).toMatchObject([{ session_id: ID, cwd: stage.workspace.path, first_prompt: 'How many?' }]);
  expect((await sessions(stage, 'list')).text).toMatch(/^0f9d2c52.* {2}How many\?$/);
  const { messages } = await json(stage, 'show', ID);
  expect(messages).toMatchObject([{ type: 'user' }, { type: 'assistant' }]);
  expect((await sessions(stage, 'show', ID)).text).toContain('assistant: There are two.');
  expect(await json(stage, 'rename', ID, 'Counting')).toMatchObject({ title: 'Counting' });
  const fork = await json(stage, 'fork', ID, '--at', messages[0].uuid);
  expect(fork).toMatchObject({ forked_from: ID });
  expect((await json(stage, 'show', fork.session_id)).messages).toHaveLength(1);
  expect(await sessions(stage, 'delete', ID, '--yes')).toMatchObject({ code: 0, text: `Deleted ${ID}` });
  expect((await json(stage, 'list', '--all')).sessions).toMatchObject([{ session_id: fork.session_id }]);
}, 30_000);

test('what cannot be done is said, with an exit code', async () => {
  await using stage = await openCliStage();
  expect(await sessions(stage, 'show', ID)).toMatchObject({ code: 1, stderr: expect.stringContaining(ID) });
  expect(await sessions(stage, 'vanish')).toMatchObject({ code: 2, stderr: expect.stringContaining('list, show') });
  expect(await sessions(stage, 'rename', ID)).toMatchObject({ code: 2, stderr: expect.stringContaining('ID TITLE') });
  expect(await sessions(stage, 'delete', ID)).toMatchObject({ code: 1 });
  expect(await sessions(stage, 'list', '--limit', 'x')).toMatchObject({ code: 2 });
  expect(await sessions(stage, 'list', '-o', 'yaml')).toMatchObject({ code: 2 });
  expect(await sessions(stage, 'list', '--alll')).toMatchObject({ code: 2, stderr: expect.stringContaining('--alll') });
  expect((await sessions(stage)).text).toContain('Usage: qwen sessions');
}, 30_000);
