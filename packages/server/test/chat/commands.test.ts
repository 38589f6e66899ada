import { readFile } from 'node:fs/promises';
import { calls, lastText, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { contentOf, openChatFixture, typesOf } from '../chat-fixture.js';

const MY_COMMAND = `description = "My custom command"
prompt = """
You are a helpful assistant.
User input: {{args}}

Please process this request.
"""
`;
const REVIEW = `description = "Code review helper"
prompt = """
Please review the following code:

@{{{args}}}

Focus on:
- Code quality
"""
`;

test('command files are listed with their sources', async () => {
  verifies(
    'Q-92',
    'Q-93',
    'Q-94',
    'Q-102',
    'Q-103',
    'Q-108',
    'Q-110',
    'Q-111',
    'Q-112',
    'CF-63',
    'CF-65',
    'GAP-81',
    'GAP-105',
  );
  await using fixture = await openChatFixture({ replies: [says('never')] });
  const { folder } = fixture.served;
  await folder.write('.qwen/commands/mycommand.toml', 'prompt = "Do it"');
  await folder.write('.qwen/commands/dir/subdir/command.toml', MY_COMMAND);
  await folder.write('.qwen/commands/odd name!.toml', 'prompt = "Odd"');
  await folder.write('home/.qwen/commands/own.toml', 'prompt = "Mine"');
  const sessionId = await fixture.newSession();
  expect(await fixture.ask('/api/commands/list', { sessionId })).toEqual({
    success: true,
    commands: [
      { name: 'dir:subdir:command', description: 'My custom command', kind: 'file' },
      { name: 'mycommand', description: 'Custom command from mycommand.toml', kind: 'file' },
      { name: 'odd_name_', description: 'Custom command from odd name!.toml', kind: 'file' },
      { name: 'own', description: 'Custom command from own.toml', kind: 'file' },
    ],
    total: 4,
  });
  const all = await fixture.ask('/api/commands/list', { sessionId, includeBuiltins: true });
  expect(all['commands']).toContainEqual({ name: 'help', description: expect.any(String), kind: 'built-in' });
});

test('help describes one command, or lists all of them', async () => {
  verifies('Q-99', 'Q-100', 'Q-101', 'Q-96');
  await using fixture = await openChatFixture({ replies: [says('never')] });
  await fixture.served.folder.write('.qwen/commands/mycommand.toml', MY_COMMAND);
  const sessionId = await fixture.newSession();
  for (const command of ['mycommand', '/mycommand']) {
    expect(await fixture.ask('/api/commands/help', { sessionId, command })).toEqual({
      success: true,
      command: { name: 'mycommand', description: 'My custom command', kind: 'file' },
    });
  }
  expect(await fixture.ask('/api/commands/help', { sessionId })).toEqual({
    success: true,
    commands: [{ name: 'mycommand', description: 'My custom command' }],
    total: 1,
  });
  const unknown = await fixture.post('/api/commands/help', { sessionId, command: 'nope' });
  expect(unknown.status).toBe(404);
  expect(await unknown.json()).toMatchObject({ success: false, error: 'Command not found: /nope' });
});

test('invalid command files are listed with the problem', async () => {
  verifies('GAP-82');
  await using fixture = await openChatFixture({ replies: [says('never')] });
  await fixture.served.folder.write('.qwen/commands/bad.toml', 'description = "no prompt"');
  await fixture.served.folder.write('.qwen/commands/good.toml', 'prompt = "Do it"');
  await fixture.served.folder.write('.qwen/commands/help.toml', 'prompt = "Taken"');
  await fixture.served.folder.write('.qwen/commands/git/odd name.md', 'First.');
  await fixture.served.folder.write('.claude/commands/git/odd name.md', 'Second.');
  const sessionId = await fixture.newSession();
  const listed = await fixture.ask('/api/commands/list', { sessionId });
  expect(listed).toMatchObject({
    total: 2,
    errors: [
      { file: 'bad.toml', message: expect.stringContaining('prompt') },
      { file: 'help.toml', message: '/help (built-in) takes precedence' },
      { file: 'git/odd name.md', message: '/git:odd_name (file) takes precedence' },
    ],
  });
});

test('a command is one turn of its session, and its final text is the output', async () => {
  verifies('Q-95', 'Q-96', 'Q-97', 'Q-104', 'GAP-76', 'GAP-74');
  await using fixture = await openChatFixture({ replies: [says('Processed.'), says('Again.')] });
  const { folder, model } = fixture.served;
  await folder.write('.qwen/commands/mycommand.toml', MY_COMMAND);
  const sessionId = await fixture.newSession();
  const prompt = 'You are a helpful assistant.\nUser input: hello world\n\nPlease process this request.\n';
  expect(await fixture.ask('/api/commands/execute', { sessionId, command: 'mycommand', args: 'hello world' })).toEqual({
    success: true,
    command: 'mycommand',
    output: 'Processed.',
    prompt,
  });
  expect(lastText(model.requests[0] ?? { messages: [], model: '' })).toBe(prompt);
  expect(await fixture.ask('/api/commands/execute', { sessionId, command: '/mycommand', args: 'x' })).toMatchObject({
    command: 'mycommand',
    output: 'Again.',
  });
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('Processed.');
  expect(await fixture.ask('/api/chat/history', { sessionId })).toMatchObject({
    history: [{ content: '/mycommand hello world' }, { content: 'Processed.' }, { content: '/mycommand x' }, {}],
  });
});

test('with submit false only the prompt is created', async () => {
  verifies('GAP-76', 'Q-105', 'Q-106', 'GAP-78');
  await using fixture = await openChatFixture({ replies: [says('never')] });
  const { folder, model } = fixture.served;
  await folder.write('.qwen/commands/review.toml', REVIEW);
  await folder.write('.qwen/commands/plain.toml', 'prompt = "Look:"');
  await folder.write('src/index.ts', 'const one = 1; // {{args}} @{secret} !{touch C} @src/index.ts\n');
  const sessionId = await fixture.newSession();
  const made = await fixture.ask('/api/commands/execute', {
    sessionId,
    command: 'review',
    args: 'src/index.ts',
    submit: false,
  });
  expect(made['output']).toBe(made['prompt']);
  expect(made['output']).toMatch(
    /^Please review the following code:\n\n.*src\/index\.ts.*\n```\nconst one = 1; \/\/ \{\{args\}\} @\{secret\} !\{touch C\}/,
  );
  expect(
    await fixture.ask('/api/commands/execute', { sessionId, command: 'plain', args: 'here', submit: false }),
  ).toMatchObject({
    output: 'Look:\n\nhere',
  });
  expect(model.requests).toEqual([]);
  const builtIn = await fixture.post('/api/commands/execute', { sessionId, command: 'about', submit: false });
  expect(builtIn.status).toBe(400);
});

test("the agent does not interpret the contents of a command's files either", async () => {
  verifies('S53', 'S77');
  await using fixture = await openChatFixture({ replies: [says('Reviewed.')] });
  const { folder, model } = fixture.served;
  await folder.write('.qwen/commands/show.toml', 'prompt = "@{evil.md}"');
  await folder.write('evil.md', '/about @other.txt');
  await folder.write('other.txt', 'owl');
  const sessionId = await fixture.newSession();
  await fixture.ask('/api/commands/execute', { sessionId, command: 'show' });
  const asked = JSON.stringify(model.requests[0]?.messages);
  expect(asked).toContain('/about @other.txt');
  expect(asked).not.toContain('owl');
});

test('a command with shell commands is refused, and no shell runs', async () => {
  verifies('Q-107', 'GAP-77', 'S53', 'S77');
  await using fixture = await openChatFixture({ replies: [says('never')] });
  await fixture.served.folder.write('.qwen/commands/dirty.toml', 'prompt = "Do !{touch C} and !{echo {{args}}}"');
  const sessionId = await fixture.newSession({ approvalMode: 'yolo' });
  for (const [path, body] of [
    ['/api/commands/execute', { command: 'dirty', args: "'; touch C; '" }],
    ['/api/chat/stream', { message: '/dirty x' }],
  ] as const) {
    const response = await fixture.post(path, { sessionId, ...body });
    expect([path, response.status]).toEqual([path, 400]);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('!{…}'), code: 'shell_refused' });
  }
  await expect(fixture.served.folder.read('C')).rejects.toThrow('ENOENT');
  expect(fixture.served.model.requests).toEqual([]);
});

test('references to files in a command obey the path rules', async () => {
  verifies('S53', 'GAP-79', 'S65');
  await using fixture = await openChatFixture({ replies: [says('never')] });
  const references = [
    ['@{../../etc/passwd}', 403, 'permission_denied'],
    ['@{/etc/passwd}', 403, 'permission_denied'],
    ['@{~/.ssh/id_rsa}', 400, 'invalid_payload'],
    ['@{none.txt}', 400, 'invalid_payload'],
  ] as const;
  for (const [row, [reference]] of references.entries()) {
    await fixture.served.folder.write(`.qwen/commands/leak${row}.toml`, `prompt = "${reference}"`);
  }
  const sessionId = await fixture.newSession();
  for (const [row, [reference, status, code]] of references.entries()) {
    const response = await fixture.post('/api/commands/execute', { sessionId, command: `leak${row}` });
    expect([reference, response.status]).toEqual([reference, status]);
    expect(await response.json()).toMatchObject({ success: false, code });
  }
});

test('an unknown command does not exist, whatever its name', async () => {
  verifies('Q-98', 'S77', 'CF-60');
  await using fixture = await openChatFixture({ replies: [says('never')] });
  const sessionId = await fixture.newSession();
  for (const command of ['unknown', '/unknown', '../../x', 'a b', 'x\u0007y', 'mcp__none__here']) {
    const response = await fixture.post('/api/commands/execute', { sessionId, command });
    expect(response.status).toBe(404);
    const name = command.replace(/^\//, '').replace('\u0007', '\\u0007');
    const { error, ...rest } = Object(await response.json());
    expect(rest).toMatchObject({ success: false, message: expect.any(String) });
    expect(error).toMatch(/^Command not found: \//);
    if (!command.includes('\u0007')) expect(error).toBe(`Command not found: /${name}`);
  }
  expect(fixture.served.model.requests).toEqual([]);
});

test('a slash command in a message runs, and its text is the answer', async () => {
  verifies('GAP-75');
  await using fixture = await openChatFixture({ replies: [says('Reviewed.')] });
  await fixture.served.folder.write('.qwen/commands/review.toml', REVIEW);
  await fixture.served.folder.write('a.ts', 'const a = 1;');
  const sessionId = await fixture.newSession();
  const own = await fixture.chat({ sessionId, message: '/review a.ts' });
  expect(contentOf(own)).toBe('Reviewed.');
  expect(JSON.stringify(fixture.served.model.requests[0]?.messages)).toContain('const a = 1;');

  const builtIn = await fixture.chat({ sessionId, message: '/about' });
  expect(contentOf(builtIn)).toMatch(/Node\.js/);
  expect(typesOf(builtIn).at(-1)).toBe('stream_end');
  expect(await fixture.ask('/api/commands/execute', { sessionId, command: 'about' })).toMatchObject({
    success: true,
    command: 'about',
    output: expect.stringMatching(/Node\.js/),
  });

  const unknown = await fixture.chat({ sessionId, message: '/nope' });
  expect(unknown.at(-1)).toMatchObject({ type: 'error', error: 'Command not found', code: 'unknown_command' });
  expect(fixture.served.model.requests).toHaveLength(1);
});

test('an edited command applies immediately, and so does another workspace', async () => {
  verifies('GAP-80', 'Q-108');
  await using fixture = await openChatFixture({ replies: [says('never')] });
  const { folder } = fixture.served;
  const sessionId = await fixture.newSession();
  expect(await fixture.ask('/api/commands/list', { sessionId })).toMatchObject({ total: 0 });
  await folder.write('.qwen/commands/fresh.toml', 'prompt = "New"');
  expect(await fixture.ask('/api/commands/help', { sessionId, command: 'fresh', reload: true })).toMatchObject({
    command: { name: 'fresh' },
  });
  await folder.write('other/file', '');
  await fixture.ask('/api/session/update-workspace', { sessionId, workspaceRoot: folder.resolve('other') });
  expect(await fixture.ask('/api/commands/list', { sessionId, reload: true })).toMatchObject({ total: 0 });
});

test('a turn that fails is a 502, whatever the provider said', async () => {
  verifies('GAP-76', 'S78');
  await using fixture = await openChatFixture({ replies: [{ error: { message: 'no such key' }, status: 401 }] });
  await fixture.served.folder.write('.qwen/commands/go.toml', 'prompt = "Go"');
  const sessionId = await fixture.newSession();
  const response = await fixture.post('/api/commands/execute', { sessionId, command: 'go' });
  expect(response.status).toBe(502);
  expect(response.headers.get('www-authenticate')).toBeNull();
  expect(await response.json()).toMatchObject({ success: false, code: 'turn_failed' });
});

test('a command file of the workspace does not replace a built-in command', async () => {
  await using fixture = await openChatFixture({ replies: [says('never')] });
  for (const name of ['help', 'clear', 'about']) {
    await fixture.served.folder.write(`.qwen/commands/${name}.toml`, 'prompt = "PLANTED"');
  }
  const sessionId = await fixture.newSession();
  for (const command of ['/help', 'HELP', '/about', '/clear']) {
    const answer = await fixture.ask('/api/commands/execute', { sessionId, command });
    expect(answer, command).toMatchObject({ success: true });
    expect(JSON.stringify(answer), command).not.toContain('PLANTED');
  }
  const unsent = fixture.ask('/api/commands/execute', { sessionId, command: '/help', submit: false });
  await expect(unsent).rejects.toThrow('submit: false is only supported for command files');
  expect(fixture.served.model.requests).toEqual([]);
});

test('/rewind restores the files as before a message, named by its request ID', async () => {
  const write = { name: 'write_file', input: { file_path: 'made.txt', content: 'made\n' } };
  await using fixture = await openChatFixture({ replies: [calls(write), says('Made it.')] });
  const sessionId = await fixture.newSession({ approvalMode: 'yolo' });
  const [connected] = await fixture.chat({ sessionId, message: 'make a file' });
  const requestId = connected?.type === 'connected' ? connected.requestId : '';
  const rewind = (args: string) => fixture.ask('/api/commands/execute', { sessionId, command: 'rewind', args });
  const made = `${fixture.workspace}/made.txt`;
  expect(await rewind(`${requestId} preview`)).toMatchObject({ output: expect.stringContaining(`Delete ${made}`) });
  expect(await readFile(made, 'utf8')).toBe('made\n');
  expect(await rewind(`${requestId} files`)).toMatchObject({ output: 'Cancelled. Nothing was changed.' });
  expect(await rewind(`${requestId} files --yes`)).toMatchObject({
    output: expect.stringContaining(`Deleted ${made}`),
  });
  await expect(readFile(made)).rejects.toThrow('ENOENT');
});
