import { query as ours } from '@qwen/sdk';
import { calls, type ScriptedReply, says, type TemporaryFolder } from '@qwen/testkit';
import { type QueryOptions, type SDKMessage, type SDKUserMessage, query as theirs } from '@qwen-code/sdk';
import { describe, expect, test } from 'vitest';
import { collect, openFixture, userMessage, writesNote } from './fixture.js';

// One app over our CLI, with either package: what it sees must not depend on its import.

const PACKAGES: readonly (readonly [string, typeof theirs])[] = [
  ['@qwen-code/sdk', theirs],
  // `Query` of the other package has private members that no other class can have.
  ['@qwen/sdk', ours as never],
];

describe.each(PACKAGES)('an app that imports %s', (_name, query) => {
  async function open(script: (workspace: TemporaryFolder) => readonly ScriptedReply[]) {
    const fixture = await openFixture(script);
    const start = (own: QueryOptions = {}, prompt: string | AsyncIterable<SDKUserMessage> = 'hi') =>
      query({ prompt, options: { ...fixture.options, ...own } });
    return { ...fixture, start, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() };
  }

  const toolResults = (messages: readonly SDKMessage[]): string =>
    JSON.stringify(messages.filter(({ type }) => type === 'user'));

  test('gets init first if the settings hold unknown members, servers and hooks that fail', async () => {
    const settings = {
      madeUp: 1,
      ui: { theme: 'dark' },
      mcpServers: { broken: { command: '/nonexistent/server' } },
      permissions: { allow: ['NoSuchTool', 'Bash(rm *)'], ask: ['Another'] },
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] },
      env: { A: 'b' },
      modelProviders: { openai: [{ id: 'qwen' }] },
    };
    await using fixture = await open(() => [says('hello')]);
    await fixture.workspace.write('.qwen/settings.json', JSON.stringify(settings));
    const messages = await collect(fixture.start());
    const [init] = messages;
    expect(init).toMatchObject({ type: 'system', subtype: 'init', cwd: fixture.workspace.path });
    expect(init).toMatchObject({ uuid: init?.session_id, tools: expect.any(Array), agents: expect.any(Array) });
    expect(messages.at(-1)).toMatchObject({ type: 'result', subtype: 'success', permission_denials: [] });
  });

  test('gets one system message per turn, also after its own changes', async () => {
    await using fixture = await open(() => [says('one'), says('two')]);
    const first = Promise.withResolvers<void>();
    const conversation: ReturnType<typeof theirs> = fixture.start(
      { model: 'a' },
      (async function* (): AsyncGenerator<SDKUserMessage> {
        yield userMessage('first');
        await first.promise;
        yield userMessage('second');
      })(),
    );
    const news: unknown[] = [];
    for await (const message of conversation) {
      if (message.type === 'system') news.push([message.subtype, message.model, message.permission_mode]);
      if (message.type !== 'result' || news.length > 1) continue;
      await conversation.setModel('b');
      await conversation.setPermissionMode('plan');
      first.resolve();
    }
    expect(news).toEqual([
      ['init', 'a', 'default'],
      ['init', 'b', 'plan'],
    ]);
  });

  test.each<[string, RegExp, QueryOptions]>([
    [
      'an excluded tool',
      /permission.*denied/i,
      { excludeTools: ['write_file'], allowedTools: ['write_file'], permissionMode: 'yolo' },
    ],
    ['an excluded path', /permission.*denied/i, { excludeTools: ['Edit(note.txt)'], permissionMode: 'yolo' }],
    ['no callback', /denied/i, { permissionMode: 'default' }],
  ])('reads that permission was denied: %s', async (_what, words, options) => {
    await using fixture = await open((workspace) => [writesNote(workspace), says('not written')]);
    const messages = await collect(fixture.start(options));
    expect(toolResults(messages)).toMatch(words);
    expect(toolResults(messages)).toContain('"is_error":true');
    await expect(fixture.workspace.read('note.txt')).rejects.toThrow('ENOENT');
  });

  test('gets the reason that its callback gave for a denial', async () => {
    await using fixture = await open((workspace) => [writesNote(workspace), says('not written')]);
    const canUseTool = async () => ({ behavior: 'deny', message: 'Not today.' }) as const;
    const messages = await collect(fixture.start({ permissionMode: 'default', canUseTool }));
    expect(toolResults(messages)).toContain('[Operation Cancelled] Reason: Not today.');
  });

  test('keeps the input of a call if updatedInput is empty', async () => {
    await using fixture = await open((workspace) => [writesNote(workspace), says('written')]);
    const canUseTool = async () => ({ behavior: 'allow', updatedInput: {} }) as const;
    await collect(fixture.start({ permissionMode: 'default', canUseTool }));
    expect(await fixture.workspace.read('note.txt')).toBe('written');
  });

  test('limits the turns of a subagent by max_turns', async () => {
    await using fixture = await open((workspace) => [
      calls({ name: 'task', input: { subagent_type: 'looker', description: 'look', prompt: 'Look.' } }),
      calls({ name: 'list_directory', input: { path: workspace.path } }),
      says('done'),
    ]);
    const limits = { runConfig: { max_turns: 1, max_time_minutes: 1 } };
    const agent = {
      name: 'looker',
      description: 'Looks.',
      systemPrompt: 'Look.',
      level: 'session',
      ...limits,
    } as const;
    const messages = await collect(fixture.start({ agents: [agent], permissionMode: 'yolo' }));
    expect(toolResults(messages)).toContain('used up its 1 model call');
  });

  test.each(['sessionId', 'resume'] as const)('rejects an invalid %s', async (name) => {
    await using fixture = await open(() => []);
    for (const id of ['none', '12345678-1234-6789-8234-123456789abc', '12345678-1234-4234-c234-123456789abc']) {
      expect(() => fixture.start({ [name]: id })).toThrow(`Invalid ${name}`);
    }
  });

  test('rejects a session ID in use, and one that does not exist', async () => {
    await using fixture = await open(() => [says('hello')]);
    const sessionId = crypto.randomUUID();
    await collect(fixture.start({ sessionId }));
    await expect(collect(fixture.start({ sessionId }))).rejects.toThrow('CLI process exited with code 1');
    const resume = crypto.randomUUID();
    await expect(collect(fixture.start({ resume }))).rejects.toThrow('CLI process exited with code 1');
  });

  test('gets the same error messages for options, executables and exits', async () => {
    await using fixture = await open(() => []);
    expect(() => fixture.start({ model: 5 as never })).toThrow('Invalid QueryOptions');
    expect(() => fixture.start({ madeUp: 1 } as never)).toThrow('Invalid QueryOptions');
    expect(() => fixture.start({ pathToQwenExecutable: '/no/such/cli' })).toThrow('Invalid pathToQwenExecutable');
    await fixture.workspace.write('exits.js', 'process.exit(3);');
    await fixture.workspace.write('dies.js', 'process.kill(process.pid, "SIGKILL");');
    const exits = { pathToQwenExecutable: fixture.workspace.resolve('exits.js') };
    await expect(collect(fixture.start(exits))).rejects.toThrow('CLI process exited with code 3');
    const dies = { pathToQwenExecutable: fixture.workspace.resolve('dies.js') };
    await expect(collect(fixture.start(dies))).rejects.toThrow('CLI process terminated by signal SIGKILL');
  });

  test('calls methods before, during and after', async () => {
    await using fixture = await open(() => [says('hello')]);
    const conversation = fixture.start();
    const names = await conversation.supportedCommands();
    expect(names).toMatchObject({ commands: expect.arrayContaining(['init', 'summary', 'compress']) });
    const { commands } = names as { commands: string[] };
    expect(commands).toEqual(commands.toSorted());
    expect(await conversation.getContextUsage(true)).toEqual(expect.any(Object));
    await collect(conversation);
    await conversation.close();
    await expect(conversation.interrupt()).rejects.toThrow(/^Query is closed$/);
    await expect(conversation.setModel('m')).rejects.toThrow(/^Query is closed$/);
    expect(conversation.isClosed()).toBe(true);
  });

  test('logs by level, over debug', async () => {
    await using fixture = await open(() => [says('hello')]);
    const logged = async (own: QueryOptions) => {
      const lines: string[] = [];
      await collect(fixture.start({ ...own, stderr: (line) => lines.push(line) }));
      return lines.join('\n');
    };
    const debug = await logged({ logLevel: 'debug' });
    expect(debug).toMatch(/\[DEBUG\].*--session-id/);
    expect(await logged({ logLevel: 'info', debug: true })).not.toContain('[DEBUG]');
    expect(await logged({ logLevel: 'error', debug: true })).not.toMatch(/\[(DEBUG|INFO|WARN)\]/);
  });
});
