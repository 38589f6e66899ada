import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { checkOptions } from './check-options.js';
import type { QueryOptions } from './options.js';

const UUID = '11111111-2222-4333-8444-555555555555';
const server = { connect: () => Promise.resolve(), close: () => Promise.resolve() };

test('accepts everything that the type allows, including undefined', () => {
  const options: QueryOptions = {
    pathToQwenExecutable: 'qwen',
    cwd: '/',
    env: { A: '1', B: undefined },
    model: undefined,
    authType: 'openai',
    systemPrompt: { type: 'preset', preset: 'qwen_code', append: 'Be brief.' },
    permissionMode: 'plan',
    canUseTool: () => ({ behavior: 'allow' }),
    allowedTools: ['Bash(git log, x)'],
    coreTools: [],
    mcpServers: { local: { type: 'sdk', name: 'local', instance: server }, files: { command: 'files' } },
    maxSessionTurns: -1,
    maxToolCalls: 0,
    maxSubagentDepth: 100,
    allowedMcpServerNames: ['files'],
    disabledSlashCommands: ['init'],
    safeMode: true,
    proxy: 'http://proxy:8080',
    logLevel: 'warn',
    resume: UUID,
    forkSession: true,
    sessionId: UUID,
    abortController: new AbortController(),
    timeout: { canUseTool: Infinity, mcpRequest: 0 },
    extraArgs: ['--debug'],
    hooks: { PreToolUse: [{ matcher: 'edit', hooks: [() => ({})], timeout: 5, blocking: true }], Stop: undefined },
    agents: { reviewer: { description: 'Reviews.', tools: ['read_file'] } },
    budget: { wallMs: 60_000, toolCalls: 0 },
    effort: 'low',
    fallbackModel: ['a', 'b'],
    mcpReady: 'background',
    outputSchema: z.object({ answer: z.string() }),
    settingSources: [],
    trustProject: true,
    additionalDirectories: ['/srv'],
    resumeSessionAt: 'message',
  };
  expect(checkOptions(options)).toEqual(options);
});

test('refuses options that a copy would lose', () => {
  class Options {
    get permissionMode() {
      return 'plan' as const;
    }
  }
  const hidden = Object.defineProperty({}, 'canUseTool', { value: () => ({ behavior: 'allow' }), enumerable: false });
  const lost = 'expected an own, enumerable member';
  expect(() => checkOptions(new Options())).toThrow(`options.permissionMode: ${lost}`);
  expect(() => checkOptions(Object.create({ excludeTools: ['Bash'] }))).toThrow(`options.excludeTools: ${lost}`);
  expect(() => checkOptions(hidden)).toThrow(`options.canUseTool: ${lost}`);
  const own = Object.assign(Object.create({ excludeTools: ['Bash'] }), { excludeTools: ['Edit'] });
  expect(checkOptions(own)).toEqual({ excludeTools: ['Edit'] });
});

test('accepts process.env unchanged, for the CLI and for an MCP server', () => {
  const { env } = process;
  expect(checkOptions({ env, mcpServers: { files: { command: 'files', env: { ...env } as never } } }).env).toBe(env);
  expect(() => checkOptions({ env: { ...env, A: 1 } as never })).toThrow('options.env.A: expected string');
  expect(() => checkOptions({ env: [] as never })).toThrow('options.env: expected record');
});

test.each<[string, object, string]>([
  [
    'an unknown option',
    { permisionMode: 'plan' },
    'options.permisionMode does not exist; did you mean permissionMode?',
  ],
  ['one that is like nothing', { xyzzy: 1 }, 'options.xyzzy does not exist'],
  ['an unknown timeout', { timeout: { canUseTools: 1 } }, 'options.timeout.canUseTools does not exist'],
  ['a wrong type', { model: 7 }, 'options.model: expected string'],
  ['a wrong mode', { permissionMode: 'careless' }, 'options.permissionMode: expected "default" or'],
  ['an effort that is none', { effort: 'extreme' }, 'options.effort: expected "low" or'],
  ['no turns', { maxSessionTurns: 0 }, 'options.maxSessionTurns: expected at least 1, or -1'],
  ['no function', { canUseTool: true }, 'options.canUseTool: expected a function'],
  ['a negative timeout', { timeout: { canUseTool: -1 } }, 'options.timeout.canUseTool: expected milliseconds'],
  [
    'a session id that is none',
    { resume: 'latest' },
    'Invalid resume: options.resume: expected a UUID of version 1 to 5',
  ],
  ['a list that would fall apart', { allowedTools: ['Edit,Bash'] }, 'options.allowedTools: expected no commas'],
  ['a hook of no event', { hooks: { PreToolUses: [] } }, 'options.hooks.PreToolUses does not exist; did you mean Pre'],
  ['a hook that is no function', { hooks: { Stop: [{ hooks: ['x'] }] } }, 'options.hooks.Stop.0.hooks.0: expected a f'],
  ['an unknown hook member', { hooks: { Stop: [{ hooks: [], block: true }] } }, 'options.hooks.Stop.0.block does not'],
  ['a negative hook timeout', { hooks: { Stop: [{ hooks: [], timeout: -1 }] } }, 'timeout: expected seconds'],
  ['an agent without a name', { agents: [{ description: 'x' }] }, 'options.agents.0.name: expected string'],
  ['two agents of one name', { agents: [{ name: 'a' }, { name: 'a' }] }, 'duplicate subagent name a'],
  ['a wrong agent member', { agents: { a: { tools: 'all' } } }, 'options.agents.0.tools: expected array'],
  ['an unknown limit', { budget: { euro: 1 } }, 'options.budget.euro does not exist'],
  ['a limit of nothing', { budget: { wallMs: 0 } }, 'options.budget.wallMs: expected a number above 0'],
  [
    'four fallback models',
    { fallbackModel: ['a', 'b', 'c', 'd'] },
    'options.fallbackModel: expected a model, or three at most',
  ],
  [
    'an answer that is no object',
    { outputSchema: z.array(z.string()) },
    'options.outputSchema: expected a schema of an',
  ],
  ['a JSON Schema of a text', { outputSchema: { type: 'string' } }, 'options.outputSchema: expected a schema of an'],
  ['no transport', { transport: {} }, 'options.transport: expected a Transport'],
  ['a message of no session', { resumeSessionAt: 'm' }, 'options.resumeSessionAt needs resume or continue'],
  ['an unknown layer', { settingSources: ['managed'] }, 'options.settingSources.0: expected "user" or "project"'],
  ['a guard of another SDK', { insecure: true }, 'options.insecure is not supported by this version'],
  ['a sandbox of another SDK', { sandbox: { enabled: true } }, 'options.sandbox: expected'],
  ['a proxy with a password', { proxy: 'http://a:b@proxy' }, 'options.proxy: expected the URL of a proxy'],
  ['a depth of nothing', { maxSubagentDepth: 0 }, 'options.maxSubagentDepth: expected at least 1'],
  ['an unknown log level', { logLevel: 'loud' }, 'options.logLevel: expected "debug" or'],
  ['a flag of ours', { extraArgs: ['--approval-mode=yolo'] }, 'use the option for --approval-mode instead'],
  ['two ways to go on', { resume: UUID, continue: true }, 'contradict each other'],
  ['a fork of nothing', { forkSession: true }, 'options.forkSession needs resume or continue'],
  ['a new id for an old session', { resume: UUID, sessionId: UUID }, 'names a new session'],
  ['a server without instance', { mcpServers: { a: { type: 'sdk', name: 'a' } } }, 'mcpServers.a.instance: expected'],
  ['a server without a way', { mcpServers: { a: { args: [] } } }, 'mcpServers.a: expected exactly one of command'],
  ['a server with two ways', { mcpServers: { a: { command: 'x', url: 'y' } } }, 'mcpServers.a: expected exactly one'],
  ['a server that is none', { mcpServers: { a: 'npx files' } }, 'mcpServers.a: expected object'],
  ['a wrong server member', { mcpServers: { a: { command: 1 } } }, 'mcpServers.a.command: expected string'],
])('%s is refused by name', (_name, options, message) => {
  verifies('T25', 'T26');
  expect(() => checkOptions(options as QueryOptions)).toThrow(
    expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(message) }),
  );
});

test.each([
  'not-a-uuid',
  '12345678-1234-6789-8234-123456789abc',
  '01890a5d-ac96-774b-bcce-b302099a8057',
  '12345678-1234-1234-c234-123456789abc',
  '00000000-0000-0000-0000-000000000000',
])('the session ID %s is refused', (id) => {
  expect(() => checkOptions({ sessionId: id })).toThrow(/^Invalid sessionId: options\.sessionId: expected a UUID/);
  expect(() => checkOptions({ resume: id })).toThrow(/^Invalid resume: options\.resume: expected a UUID/);
});

test('every UUID of version 1 to 5 is a session ID, and an empty text is none', () => {
  for (const version of [1, 2, 3, 4, 5]) {
    for (const variant of ['8', '9', 'a', 'B']) {
      const sessionId = `12345678-1234-${version}234-${variant}234-123456789abc`;
      expect(checkOptions({ sessionId })).toEqual({ sessionId });
    }
  }
  expect(checkOptions({ sessionId: '', resume: '' })).toEqual({ sessionId: undefined, resume: undefined });
});

test('all other refusals begin with the words of @qwen-code/sdk', () => {
  for (const options of [
    { xyzzy: 1 },
    { model: 7 },
    { insecure: true },
    { mcpServers: { a: 'x' } },
    { agents: [{}] },
  ]) {
    expect(() => checkOptions(options as QueryOptions)).toThrow(/^Invalid QueryOptions: options\./);
  }
});

test('there are four permission modes', () => {
  verifies('O-46');
  for (const permissionMode of ['default', 'plan', 'auto-edit', 'yolo'] as const) {
    expect(checkOptions({ permissionMode })).toEqual({ permissionMode });
  }
});
