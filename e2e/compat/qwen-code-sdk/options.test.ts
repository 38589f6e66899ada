import { calls, hasPrograms, lastText, says, temporaryFolder, verifies } from '@qwen/testkit';
import { createSdkMcpServer, type QueryOptions, tool } from '@qwen-code/sdk';
import { expect, test } from 'vitest';
import { collect, type Fixture, openFixture, results, writesNote } from './fixture.ts';

const systemTextOf = ({ model }: Fixture): string =>
  JSON.stringify(model.requests[0]?.messages.filter(({ role }) => role === 'system'));

const offeredTools = ({ model }: Fixture): string[] =>
  model.requests[0]?.tools?.map((offered) => offered.function.name) ?? [];

test('model and authType select the model', async () => {
  await using fixture = await openFixture(() => [says('one')]);
  const messages = await collect(fixture.query('hi', { model: 'the-other', authType: 'openai' }));
  expect(fixture.model.requests[0]?.model).toBe('the-other');
  expect(messages[0]).toMatchObject({ subtype: 'init', model: 'the-other' });
});

test('systemPrompt replaces the built-in prompt; the preset keeps it and appends text', async () => {
  await using replaced = await openFixture(() => [says('one')]);
  await collect(replaced.query('hi', { systemPrompt: 'You are a --pirate.' }));
  expect(systemTextOf(replaced)).toContain('You are a --pirate.');
  await using built = await openFixture(() => [says('one')]);
  await collect(built.query('hi', { systemPrompt: { type: 'preset', preset: 'qwen_code', append: 'Speak French.' } }));
  expect(systemTextOf(built)).toContain('Speak French.');
  expect(systemTextOf(built).length).toBeGreaterThan(systemTextOf(replaced).length);
});

test('coreTools and excludeTools select the tools for the model', async () => {
  await using fixture = await openFixture(() => [says('one')]);
  await collect(fixture.query('hi', { coreTools: ['read_file', 'edit', 'glob'], excludeTools: ['edit'] }));
  expect(offeredTools(fixture).toSorted()).toEqual(['glob', 'read_file']);
});

test('allowedTools run without asking, also as a rule with a pattern', async () => {
  verifies('M-38');
  await using fixture = await openFixture(() => [
    calls({ name: 'run_shell_command', input: { command: 'echo allowed by a rule' } }),
    (request) => says(lastText(request)),
  ]);
  const messages = await collect(
    fixture.query('hi', {
      allowedTools: ['run_shell_command(echo *)'],
      canUseTool: async () => ({ behavior: 'deny', message: 'must not be asked' }),
    }),
  );
  expect(results(messages)).toMatchObject([{ result: expect.stringContaining('allowed by a rule') }]);
});

test('maxSessionTurns ends a turn that does not end by itself', async () => {
  await using fixture = await openFixture((workspace) => [writesNote(workspace)]);
  const messages = await collect(fixture.query('hi', { maxSessionTurns: 2, permissionMode: 'yolo' }));
  expect(results(messages)).toMatchObject([{ subtype: 'error_max_turns', is_error: true }]);
  expect(fixture.model.requests).toHaveLength(2);
});

test('maxSessionTurns -1 is no limit', async () => {
  await using fixture = await openFixture(() => [says('one')]);
  expect(results(await collect(fixture.query('hi', { maxSessionTurns: -1 })))).toMatchObject([{ result: 'one' }]);
});

test('includeDirectories belong to the workspace', async () => {
  await using other = await temporaryFolder();
  await other.write('a.txt', 'from the other folder');
  await using fixture = await openFixture(() => [
    calls({ name: 'read_file', input: { file_path: other.resolve('a.txt') } }),
    (request) => says(lastText(request)),
  ]);
  const messages = await collect(fixture.query('read', { includeDirectories: [other.path] }));
  expect(results(messages)).toMatchObject([{ result: expect.stringContaining('from the other folder') }]);
});

test('allowedMcpServerNames omits the other servers', async () => {
  await using fixture = await openFixture(() => [says('one')]);
  const server = (name: string) =>
    createSdkMcpServer({ name, tools: [tool('ping', 'Pings.', {}, async () => ({ content: [] }))] });
  await collect(
    fixture.query('hi', {
      mcpServers: { first: server('first'), second: server('second') },
      allowedMcpServerNames: ['second'],
    }),
  );
  expect(offeredTools(fixture).filter((name) => name.startsWith('mcp__'))).toEqual(['mcp__second__ping']);
});

test("safeMode ignores the project's instructions", async () => {
  await using fixture = await openFixture(() => [says('one')]);
  await fixture.workspace.write('QWEN.md', 'Always answer in rhymes.');
  await collect(fixture.query('hi', { safeMode: true }));
  expect(JSON.stringify(fixture.model.requests[0])).not.toContain('rhymes');
});

test('tools work in cwd', async () => {
  await using fixture = await openFixture(() => [
    calls({ name: 'run_shell_command', input: { command: 'pwd' } }),
    (request) => says(lastText(request)),
  ]);
  const messages = await collect(fixture.query('where', { permissionMode: 'yolo' }));
  expect(results(messages)).toMatchObject([{ result: expect.stringContaining(fixture.workspace.path) }]);
});

test('maxToolCalls ends a turn that calls more tools', async () => {
  await using fixture = await openFixture((workspace) => [writesNote(workspace)]);
  const messages = await collect(fixture.query('hi', { maxToolCalls: 2, permissionMode: 'yolo' }));
  expect(results(messages)).toMatchObject([{ is_error: true }]);
  expect(fixture.model.requests.length).toBeLessThanOrEqual(3);
});

test('fallbackModel answers when the model is unavailable', async () => {
  await using fixture = await openFixture(() => [
    (request) => (request.model === 'spare' ? says('from the spare one') : { error: { message: 'gone' }, status: 404 }),
  ]);
  const messages = await collect(fixture.query('hi', { fallbackModel: ['spare'] }));
  expect(results(messages)).toMatchObject([{ subtype: 'success', result: 'from the spare one' }]);
});

test('agents are offered to the model as a tool, and one of them works in a separate context', async () => {
  await using fixture = await openFixture(() => [
    calls({ name: 'task', input: { subagent_type: 'poet', description: 'a line', prompt: 'Write one line.' } }),
    says('roses are red'),
    (request) => says(lastText(request)),
  ]);
  const agents = [
    { name: 'poet', description: 'Writes.', systemPrompt: 'You write lines.', level: 'session' as const },
  ];
  const messages = await collect(fixture.query('hi', { agents, permissionMode: 'yolo' }));
  expect(messages[0]).toMatchObject({ agents: expect.arrayContaining(['poet']) });
  expect(results(messages)).toMatchObject([{ result: expect.stringContaining('roses are red') }]);
  const ofPoet = messages.filter(
    (message) => 'parent_tool_use_id' in message && message.parent_tool_use_id === 'call_1',
  );
  expect(ofPoet.length).toBeGreaterThan(0);
  expect(JSON.stringify(fixture.model.requests[1]?.messages)).toContain('You write lines.');
});

test('options that request the default behavior are accepted', async () => {
  await using fixture = await openFixture(() => [says('fine')]);
  const messages = await collect(fixture.query('hi', { maxSubagentDepth: 1 }));
  expect(results(messages)).toMatchObject([{ subtype: 'success', result: 'fine' }]);
});

test('disabledSlashCommands are not listed and do not run', async () => {
  await using fixture = await openFixture(() => [says('fine')]);
  const messages = await collect(fixture.query('/about', { disabledSlashCommands: ['about', 'init'] }));
  const [init] = messages;
  expect(init).toMatchObject({ slash_commands: expect.arrayContaining(['help']) });
  expect(init).not.toMatchObject({ slash_commands: expect.arrayContaining(['about']) });
  expect(init).not.toMatchObject({ slash_commands: expect.arrayContaining(['init']) });
  expect(JSON.stringify(results(messages))).not.toContain('Version');
});

test.runIf(process.platform === 'linux' && hasPrograms('bwrap'))('sandbox runs commands in one', async () => {
  const command = 'grep NoNewPrivs /proc/self/status';
  await using fixture = await openFixture(() => [
    calls({ name: 'run_shell_command', input: { command } }),
    says('done'),
  ]);
  const messages = await collect(fixture.query('hi', { sandbox: true }));
  expect(messages[0]).toMatchObject({ subtype: 'init', sandbox: 'workspace-write' });
  expect(JSON.stringify(fixture.model.requests.at(-1))).toMatch(/NoNewPrivs:\W*t1/);
});

test.each<[string, QueryOptions]>([
  ['insecure', { insecure: true }],
  ['worktree', { worktree: true }],
  ['extensions', { extensions: ['one'] }],
])('%s is refused by name instead of being ignored', async (flag, own) => {
  await using fixture = await openFixture(() => [says('never')]);
  const heard: string[] = [];
  await expect(
    collect(fixture.query('hi', { ...own, logLevel: 'debug', stderr: (text) => heard.push(text) })),
  ).rejects.toThrow('exited with code');
  expect(heard.join('')).toContain(`--${flag} is not supported`);
  expect(fixture.model.requests).toEqual([]);
});
