import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { calls, says, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answerTo, type CliFixture, control, openCliFixture, prompt, QUESTION, RESULT } from './cli-fixture.js';

const ID = '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b11';
const FORK = '7b0d34d6-5c1f-4a52-8b0f-6b1c1f6c0a22';

/** Runs one prompt in a new process. Returns the init line. */
async function say(fixture: CliFixture, content: string, args: readonly string[], cwd = fixture.workspace.path) {
  const agent = await fixture.startMachine(args, { cwd });
  agent.send(prompt(content));
  agent.endInput();
  const init = await agent.next({ type: 'system', subtype: 'init' });
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'success' });
  await agent.exited;
  return init;
}

/** The messages of the last model call, without the system prompt. */
const lastConversation = (fixture: CliFixture) =>
  fixture.model.requests.at(-1)?.messages.flatMap(({ role, content }) => (role === 'system' ? [] : [content]));

test('a session has the requested ID, can be resumed from any folder, and is the latest of its folder', async () => {
  verifies('FB18', 'GAP-04');
  await using fixture = await openCliFixture([says('one'), says('two'), says('three'), says('four')]);
  await using elsewhere = await temporaryFolder();
  expect(await say(fixture, 'a', ['--session-id', ID])).toMatchObject({ session_id: ID });
  expect(await say(fixture, 'b', [`--resume=${ID}`], elsewhere.path)).toMatchObject({ session_id: ID });
  expect(lastConversation(fixture)).toEqual(['a', 'one', 'b']);
  expect(await say(fixture, 'c', ['--continue'])).toMatchObject({ session_id: ID });
  expect(lastConversation(fixture)).toEqual(['a', 'one', 'b', 'two', 'c']);
  const { session_id } = await say(fixture, 'd', ['--continue', '--fork-session', '--session-id', FORK]);
  expect(session_id).toBe(FORK);
  expect(lastConversation(fixture)).toEqual(['a', 'one', 'b', 'two', 'c', 'three', 'd']);
});

test('files are 0600 in a folder of 0700, whatever the umask', async () => {
  verifies('S107');
  await using fixture = await openCliFixture([says('one')]);
  const program = await fixture.start([], {
    command: '/bin/sh',
    args: [
      '-c',
      'umask 000; exec "$0" "$@"',
      process.execPath,
      new URL('../bin/qwen.js', import.meta.url).pathname,
      'hi',
    ],
    env: { ...fixture.env, XDG_CACHE_HOME: fixture.workspace.resolve('home/.cache') },
  });
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 0 });
  const folder = fixture.workspace.resolve('home/.qwen/sessions');
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  const [file = ''] = await readdir(folder);
  expect((await stat(`${folder}/${file}`)).mode & 0o777).toBe(0o600);
  const cache = fixture.workspace.resolve('home/.cache/qwen');
  expect((await stat(cache)).mode & 0o777).toBe(0o700);
});

test('a session in use by another process is busy with a typed result, and can be forked', async () => {
  verifies('F90', 'FB9');
  await using fixture = await openCliFixture([
    calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'x' } }),
    says('forked'),
  ]);
  const first = await fixture.startMachine(['--session-id', ID]);
  first.send(prompt('write'));
  await first.next(QUESTION);
  const second = await fixture.startMachine(['--resume', ID]);
  second.send(prompt('me too'));
  expect(await second.next(RESULT)).toMatchObject({ is_error: true, error: { code: 'session_busy' } });
  const third = await fixture.startMachine(['--resume', ID, '--fork-session']);
  third.send(prompt('a copy'));
  expect(await third.next(RESULT)).toMatchObject({ result: 'forked' });
});

test('--max-session-turns ends a tool loop with a typed result', async () => {
  verifies('F79');
  await using fixture = await openCliFixture([calls({ name: 'list_directory', input: { path: '.' } })]);
  const agent = await fixture.startMachine(['--max-session-turns', '2']);
  agent.send(prompt('loop'));
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'error_max_turns', is_error: true, num_turns: 2 });
  expect(fixture.model.requests).toHaveLength(2);
});

test('killed during a tool call: the session resumes, and the call is marked and not repeated', async () => {
  verifies('F97');
  await using fixture = await openCliFixture([
    calls({ name: 'run_shell_command', input: { command: 'echo ran >> ran; sleep 1000' } }),
    says('I see that it was interrupted.'),
  ]);
  const agent = await fixture.startMachine(['--session-id', ID, '--yolo']);
  agent.send(prompt('sleep'));
  await expect.poll(() => fixture.workspace.read('ran').catch(() => ''), { timeout: 10_000 }).toBe('ran\n');
  agent.kill('SIGKILL');
  await agent.exited;
  await say(fixture, 'and now?', ['--resume', ID, '--yolo']);
  const roles = fixture.model.requests.at(-1)?.messages.map(({ role }) => role);
  expect(roles?.slice(1)).toEqual(['user', 'assistant', 'tool', 'user']);
  expect(await fixture.workspace.read('ran')).toBe('ran\n');
});

test('project instructions are read, except in safe mode', async () => {
  await using fixture = await openCliFixture([says('ok')]);
  await fixture.workspace.write('AGENTS.md', 'Always speak Latin.');
  await say(fixture, 'hi', []);
  expect(fixture.model.requests[0]?.messages[0]?.content).toContain('Always speak Latin.');
  await say(fixture, 'hi', ['--safe-mode']);
  expect(fixture.model.requests[1]?.messages[0]?.content).not.toContain('Latin');
});

test('a mode change is stored, and a resumed session starts in its own initial mode', async () => {
  verifies('M-59');
  await using fixture = await openCliFixture([says('one'), says('two')]);
  const agent = await fixture.startMachine(['--session-id', ID]);
  agent.send(prompt('a'));
  await agent.next(RESULT);
  agent.send(control('1', { subtype: 'set_permission_mode', mode: 'yolo' }));
  await agent.next({ type: 'system', subtype: 'permission_mode_changed' });
  agent.endInput();
  await agent.exited;
  const text = await readFile(fixture.workspace.resolve(`home/.qwen/sessions/${ID}.jsonl`), 'utf8');
  expect(text).toContain('"type":"permission_mode"');
  expect(await say(fixture, 'b', ['--resume', ID])).toMatchObject({ permission_mode: 'default' });
});

test('resuming at a message continues in a copy, and the session is unchanged', async () => {
  verifies('FB18');
  await using fixture = await openCliFixture([says('one'), says('two'), says('three')]);
  await say(fixture, 'a', ['--session-id', ID]);
  await say(fixture, 'b', ['--resume', ID]);
  const messages = await stored(fixture);
  const init = await say(fixture, 'c', ['--resume', ID, '--resume-session-at', String(messages[1]?.['uuid'])]);
  expect(init.session_id).not.toBe(ID);
  expect(lastConversation(fixture)).toEqual(['a', 'one', 'c']);
  expect(await stored(fixture)).toEqual(messages);
});

/** The messages of the session as the disk has them. */
async function stored(fixture: CliFixture): Promise<readonly Record<string, unknown>[]> {
  const text = await readFile(fixture.workspace.resolve(`home/.qwen/sessions/${ID}.jsonl`), 'utf8');
  const records = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return records.filter(({ type }) => type === 'user' || type === 'assistant');
}

test('a session whose file is deleted while it runs ends its turns with typed errors and is not recreated', async () => {
  verifies('F98');
  await using fixture = await openCliFixture([says('one'), says('two')]);
  const agent = await fixture.startMachine(['--session-id', ID]);
  agent.send(prompt('a'));
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'success' });
  await rm(fixture.workspace.resolve(`home/.qwen/sessions/${ID}.jsonl`));
  agent.send(prompt('b'));
  expect(await agent.next(RESULT)).toMatchObject({ is_error: true, error: { code: 'storage_unwritable' } });
  agent.send(control('1', { subtype: 'get_session_messages', session_id: ID }));
  expect(await agent.next(answerTo('1'))).toMatchObject({
    response: { subtype: 'error', error: { code: 'session_not_found' } },
  });
  agent.endInput();
  await agent.exited;
  expect(await readdir(fixture.workspace.resolve('home/.qwen/sessions'))).toEqual([]);
});
