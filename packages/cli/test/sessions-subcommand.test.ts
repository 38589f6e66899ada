import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type CliFixture, openCliFixture, prompt, RESULT } from './cli-fixture.js';

const ID = '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b11';

/** Runs `qwen sessions` to its end. */
async function sessions(fixture: CliFixture, ...words: readonly string[]) {
  const program = await fixture.start(['sessions', ...words]);
  program.endInput();
  const { code } = await program.exited;
  return { code, text: program.lines.map(({ text }) => text).join('\n'), stderr: program.stderr };
}

const json = async (fixture: CliFixture, ...words: readonly string[]) =>
  JSON.parse((await sessions(fixture, ...words, '--output-format', 'json')).text);

async function say(fixture: CliFixture, content: string): Promise<void> {
  const agent = await fixture.startMachine(['--session-id', ID]);
  agent.send(prompt(content));
  agent.endInput();
  await agent.next(RESULT);
  await agent.exited;
}

test('a session is listed, shown, renamed, copied up to a message, and deleted', async () => {
  verifies('FB17', 'FB18');
  await using fixture = await openCliFixture([says('There are two.')]);
  await say(fixture, 'How many?');
  const { sessions: listed } = await json(fixture, 'list');
  expect(listed).toMatchObject([{ session_id: ID, cwd: fixture.workspace.path, first_prompt: 'How many?' }]);
  expect((await sessions(fixture, 'list')).text).toMatch(/^0f9d2c52.* {2}How many\?$/);
  const { messages } = await json(fixture, 'show', ID);
  expect(messages).toMatchObject([{ type: 'user' }, { type: 'assistant' }]);
  expect((await sessions(fixture, 'show', ID)).text).toContain('assistant: There are two.');
  expect(await json(fixture, 'rename', ID, 'Counting')).toMatchObject({ title: 'Counting' });
  const fork = await json(fixture, 'fork', ID, '--at', messages[0].uuid);
  expect(fork).toMatchObject({ forked_from: ID });
  expect((await json(fixture, 'show', fork.session_id)).messages).toHaveLength(1);
  expect(await sessions(fixture, 'delete', ID, '--yes')).toMatchObject({ code: 0, text: `Deleted ${ID}` });
  expect((await json(fixture, 'list', '--all')).sessions).toMatchObject([{ session_id: fork.session_id }]);
}, 30_000);

test('invalid actions are reported with an exit code', async () => {
  await using fixture = await openCliFixture();
  expect(await sessions(fixture, 'show', ID)).toMatchObject({ code: 1, stderr: expect.stringContaining(ID) });
  expect(await sessions(fixture, 'vanish')).toMatchObject({ code: 2, stderr: expect.stringContaining('list, show') });
  expect(await sessions(fixture, 'rename', ID)).toMatchObject({ code: 2, stderr: expect.stringContaining('ID TITLE') });
  expect(await sessions(fixture, 'delete', ID)).toMatchObject({ code: 1 });
  expect(await sessions(fixture, 'list', '--limit', 'x')).toMatchObject({ code: 2 });
  expect(await sessions(fixture, 'list', '-o', 'yaml')).toMatchObject({ code: 2 });
  expect(await sessions(fixture, 'list', '--alll')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--alll'),
  });
  expect((await sessions(fixture)).text).toContain('Usage: qwen sessions');
}, 30_000);
