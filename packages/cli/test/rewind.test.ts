import { watch } from 'node:fs';
import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { calls, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answerTo, type CliFixture, control, openCliFixture, prompt, RESULT } from './cli-fixture.js';

const writes = (file_path: string, content: string) => ({ name: 'write_file', input: { file_path, content } });
const withId = (uuid: string, text: string) => ({ ...prompt(text), uuid });
const ID = '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b11';
const FORK = '7b0d34d6-5c1f-4a52-8b0f-6b1c1f6c0a22';
const [FIRST, SECOND] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

/** What `rewind_files` answers. */
async function rewindOf(agent: Awaited<ReturnType<CliFixture['startMachine']>>, id: string, isDry = false) {
  const request_id = crypto.randomUUID();
  agent.send(control(request_id, { subtype: 'rewind_files', user_message_id: id, ...(isDry && { dry_run: true }) }));
  return ((await agent.next(answerTo(request_id))) as { response: { response: unknown } }).response.response;
}

test('rewind_files restores the files of a message, subagent edits included, also after a restart', async () => {
  const task = { name: 'task', input: { description: 'd', prompt: 'inner work', subagent_type: 'general-purpose' } };
  await using fixture = await openCliFixture([
    calls(writes('a.txt', 'one\n'), writes('sub/new.txt', 'new\n')),
    says('first done'),
    calls(task),
    calls(writes('a.txt', 'inner\n')),
    says('inner done'),
    says('second done'),
  ]);
  await fixture.workspace.write('a.txt', 'zero\n');
  await chmod(fixture.workspace.resolve('a.txt'), 0o755);
  const agent = await fixture.startMachine(['--approval-mode=yolo', '--session-id', ID]);
  agent.send(withId(FIRST, 'first'));
  await agent.next(RESULT);
  agent.send(withId(SECOND, 'second'));
  await agent.next(RESULT);
  expect(await fixture.workspace.read('a.txt')).toBe('inner\n');
  const [a, created] = [fixture.workspace.resolve('a.txt'), fixture.workspace.resolve('sub/new.txt')];
  expect(await rewindOf(agent, SECOND, true)).toMatchObject({
    canRewind: true,
    filesChanged: [a],
    insertions: 1,
    deletions: 1,
  });
  expect(await rewindOf(agent, SECOND)).toMatchObject({ canRewind: true, filesChanged: [a] });
  expect(await fixture.workspace.read('a.txt')).toBe('one\n');
  expect(await rewindOf(agent, 'unknown', true)).toEqual({
    canRewind: false,
    error: expect.stringContaining('no user message unknown') as unknown,
  });
  agent.endInput();
  await agent.exited;
  const resumed = await fixture.startMachine(['--resume', ID, '--fork-session', '--session-id', FORK]);
  expect(await rewindOf(resumed, FIRST)).toMatchObject({ canRewind: true, filesChanged: [a, created] });
  expect(await fixture.workspace.read('a.txt')).toBe('zero\n');
  expect((await stat(a)).mode & 0o777).toBe(0o755);
  await expect(readFile(created)).rejects.toThrow('ENOENT');
});

test('rewind_conversation ends it before a message, on resume too', async () => {
  await using fixture = await openCliFixture([says('one'), says('two'), says('three'), says('four')]);
  const agent = await fixture.startMachine(['--session-id', ID]);
  agent.send(withId(FIRST, 'a'));
  await agent.next(RESULT);
  agent.send(withId(SECOND, 'b'));
  await agent.next(RESULT);
  agent.send(control('r', { subtype: 'rewind_conversation', user_message_id: SECOND }));
  expect(await agent.next(answerTo('r'))).toMatchObject({ response: { response: { prompt: 'b' } } });
  agent.send(control('again', { subtype: 'rewind_conversation', user_message_id: SECOND }));
  expect(await agent.next(answerTo('again'))).toMatchObject({
    response: { subtype: 'error', error: { code: 'message_not_found' } },
  });
  agent.send(prompt('c'));
  await agent.next(RESULT);
  expect(
    fixture.model.requests
      .at(-1)
      ?.messages.slice(1)
      .map(({ content }) => content),
  ).toEqual(['a', 'one', 'c']);
  agent.endInput();
  await agent.exited;
  const resumed = await fixture.startMachine(['--resume', ID]);
  resumed.send(control('first', { subtype: 'rewind_conversation', user_message_id: FIRST }));
  await resumed.next(answerTo('first'));
  resumed.send(prompt('d'));
  await resumed.next(RESULT);
  expect(
    fixture.model.requests
      .at(-1)
      ?.messages.slice(1)
      .map(({ content }) => content),
  ).toEqual(['d']);
});

test('a kill in the middle of a restore leaves whole files, and the next restore finishes it', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `file-${index}.txt`);
  const changes = names.map((name, index) => ({ ...writes(name, `new ${index}\n`), id: `call_${index}` }));
  await using fixture = await openCliFixture([calls(...changes), says('done')]);
  for (const name of names) await fixture.workspace.write(name, `old ${name}\n`);
  const agent = await fixture.startMachine(['--approval-mode=yolo', '--session-id', ID]);
  agent.send(withId(FIRST, 'go'));
  await agent.next(RESULT);
  const watcher = watch(fixture.workspace.path, (_event, name) => {
    if (name === 'file-0.txt') agent.kill('SIGKILL');
  });
  agent.send(control('r', { subtype: 'rewind_files', user_message_id: FIRST }));
  expect(await agent.exited).toMatchObject({ signal: 'SIGKILL' });
  watcher.close();
  const states = await Promise.all(
    names.map(async (name, index) => [`old ${name}\n`, `new ${index}\n`].indexOf(await fixture.workspace.read(name))),
  );
  expect(new Set(states)).toEqual(new Set([0, 1]));
  const resumed = await fixture.startMachine(['--resume', ID]);
  const { files } = (await rewindOf(resumed, FIRST)) as { files: readonly object[] };
  expect(files.filter((file) => 'changed_since' in file || 'refused' in file)).toEqual([]);
  for (const name of names) expect(await fixture.workspace.read(name)).toBe(`old ${name}\n`);
  expect((await readdir(fixture.workspace.path)).filter((name) => !name.endsWith('.tmp')).toSorted()).toEqual(
    [...names, 'home'].toSorted(),
  );
});

test('files that a command names are restored: changed, made, moved and removed ones, folders too', async () => {
  const command =
    'sed -i s/old/new/ a.txt && rm -r folder && mkdir -p sub && echo x > sub/made.txt && mv b.txt c.txt && cat kept.txt';
  await using fixture = await openCliFixture([
    calls({ name: 'run_shell_command', input: { command } }),
    says('first'),
    calls({ name: 'run_shell_command', input: { command: 'cat a.txt kept.txt' } }),
    says('second'),
  ]);
  const files = { 'a.txt': 'old\n', 'b.txt': 'b\n', 'folder/deep/in.txt': 'in\n', 'kept.txt': 'kept\n' };
  for (const [name, text] of Object.entries(files)) await fixture.workspace.write(name, text);
  const agent = await fixture.startMachine(['--approval-mode=yolo', '--session-id', ID]);
  agent.send(withId(FIRST, 'go'));
  await agent.next(RESULT);
  agent.send(withId(SECOND, 'look'));
  await agent.next(RESULT);
  expect(await fixture.workspace.read('c.txt')).toBe('b\n');
  expect(await rewindOf(agent, SECOND)).toMatchObject({ filesChanged: [] });
  const rewind = (await rewindOf(agent, FIRST)) as { files: readonly { path: string; action: string }[] };
  expect(rewind.files.map(({ path, action }) => `${action} ${path.slice(fixture.workspace.path.length + 1)}`)).toEqual([
    'restore a.txt',
    'recreate b.txt',
    'delete c.txt',
    'recreate folder/deep/in.txt',
    'delete sub/made.txt',
  ]);
  for (const [name, text] of Object.entries(files)) expect(await fixture.workspace.read(name)).toBe(text);
  expect((await readdir(fixture.workspace.path)).toSorted()).toEqual(
    ['a.txt', 'b.txt', 'folder', 'home', 'kept.txt'].toSorted(),
  );
});
