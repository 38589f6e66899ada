import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { verifies } from '@qwen/testkit';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

// The built package, as an app finds it.
const run = promisify(execFile);
const folder = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

const EXPORTS = [
  'AbortError',
  'AgentError',
  'AskError',
  'ControlRequestType',
  'HOOK_EVENTS',
  'HttpTransport',
  'InMemorySessionStore',
  'PERMISSION_MODES',
  'ProcessTransport',
  'Query',
  'SdkControlServerTransport',
  'SdkLogger',
  'TOOL_INPUT_SCHEMAS',
  'TOOL_RESULT_SCHEMAS',
  'answerUserQuestions',
  'ask',
  'createPool',
  'createSdkMcpServer',
  'createTransport',
  'deleteSession',
  'findRunningServer',
  'forkSession',
  'getSessionMessages',
  'importSessionToStore',
  'isAbortError',
  'isControlCancel',
  'isControlRequest',
  'isControlResponse',
  'isSDKAssistantMessage',
  'isSDKPartialAssistantMessage',
  'isSDKResultMessage',
  'isSDKSystemMessage',
  'isSDKUserMessage',
  'isSdkMcpServerConfig',
  'listSessions',
  'openSession',
  'query',
  'renameSession',
  'startup',
  'toPermissionUpdates',
  'tool',
  'toolInputOf',
  'toolResultOf',
  'userQuestionsOf',
];

const CLAUDE_EXPORTS = [
  'AbortError',
  'HOOK_EVENTS',
  'InMemorySessionStore',
  'SYSTEM_PROMPT_DYNAMIC_BOUNDARY',
  'createSdkMcpServer',
  'deleteSession',
  'filterEscalatingDefaultMode',
  'foldSessionSummary',
  'forkSession',
  'getSessionInfo',
  'getSessionMessages',
  'getSubagentMessages',
  'importSessionToStore',
  'listSessions',
  'listSubagents',
  'query',
  'renameSession',
  'resolveSettings',
  'startup',
  'tagSession',
  'tool',
  'unstable_v2_createSession',
  'unstable_v2_prompt',
  'unstable_v2_resumeSession',
];

test('the package exports this and nothing else, to import and to require', async () => {
  verifies('FB24', 'O-04');
  const print = 'process.stdout.write(JSON.stringify(Object.keys(sdk).sort()))';
  const imported = await run(
    process.execPath,
    ['--input-type=module', '-e', `import * as sdk from '@qwen/sdk'; ${print}`],
    {
      cwd: folder,
    },
  );
  const required = await run(process.execPath, ['-e', `const sdk = require('@qwen/sdk'); ${print}`], { cwd: folder });
  expect(JSON.parse(imported.stdout)).toEqual(EXPORTS);
  expect(JSON.parse(required.stdout)).toEqual(EXPORTS);
});

test('the entry for tests exports this and nothing else, and works with the main entry in both module systems', async () => {
  verifies('FB24');
  const body = `
    const { transport } = testing.scriptedCli(({ says }) => says('hi'));
    const read = async () => {
      for await (const message of sdk.query({ prompt: 'x', options: { transport } })) {
        if (message.type === 'result') console.log(JSON.stringify([Object.keys(testing).sort(), message.result]));
      }
    };
    read();`;
  const imports = `import * as sdk from '@qwen/sdk'; import * as testing from '@qwen/sdk/testing';`;
  const requires = `const sdk = require('@qwen/sdk'); const testing = require('@qwen/sdk/testing');`;
  const imported = await run(process.execPath, ['--input-type=module', '-e', imports + body], { cwd: folder });
  const required = await run(process.execPath, ['-e', requires + body], { cwd: folder });
  for (const { stdout } of [imported, required]) {
    expect(JSON.parse(stdout)).toEqual([['injectFaults', 'scriptedCli'], 'hi']);
  }
});

test('the entry for the AI SDK exports this and nothing else, and shares the classes of the main entry', async () => {
  const body = `
    const shared = () => { try { ai.createQwen().imageModel('x'); } catch (error) { return error.constructor === sdk.AgentError; } };
    process.stdout.write(JSON.stringify([Object.keys(ai).sort(), shared()]));`;
  const imports = `import * as sdk from '@qwen/sdk'; import * as ai from '@qwen/sdk/ai';`;
  const requires = `const sdk = require('@qwen/sdk'); const ai = require('@qwen/sdk/ai');`;
  const imported = await run(process.execPath, ['--input-type=module', '-e', imports + body], { cwd: folder });
  const required = await run(process.execPath, ['-e', requires + body], { cwd: folder });
  for (const { stdout } of [imported, required]) {
    expect(JSON.parse(stdout)).toEqual([['createQwen', 'toUIMessageStream'], true]);
  }
});

test('the entry for Claude apps exports this and nothing else, and shares the classes of the main entry', async () => {
  const print = `process.stdout.write(JSON.stringify([Object.keys(claude).sort(), claude.AbortError === sdk.AbortError]))`;
  const imports = `import * as sdk from '@qwen/sdk'; import * as claude from '@qwen/sdk/claude'; ${print}`;
  const requires = `const sdk = require('@qwen/sdk'); const claude = require('@qwen/sdk/claude'); ${print}`;
  const imported = await run(process.execPath, ['--input-type=module', '-e', imports], { cwd: folder });
  const required = await run(process.execPath, ['-e', requires], { cwd: folder });
  for (const { stdout } of [imported, required]) expect(JSON.parse(stdout)).toEqual([CLAUDE_EXPORTS, true]);
});

test('the entry for stores exports this and nothing else, in both module systems', async () => {
  const print = 'process.stdout.write(JSON.stringify(Object.keys(stores).sort()))';
  const imports = `import * as stores from '@qwen/sdk/stores'; ${print}`;
  const imported = await run(process.execPath, ['--input-type=module', '-e', imports], { cwd: folder });
  const requires = `const stores = require('@qwen/sdk/stores'); ${print}`;
  const required = await run(process.execPath, ['-e', requires], { cwd: folder });
  for (const { stdout, stderr } of [imported, required]) {
    expect(JSON.parse(stdout)).toEqual(['FileSessionStore', 'RedisSessionStore', 'SqliteSessionStore']);
    expect(stderr).toBe('');
  }
});

test('the entry for screens exports this and nothing else, in both module systems', async () => {
  verifies('FB24', 'CF-62');
  const print = 'process.stdout.write(JSON.stringify(Object.keys(screen).sort()))';
  const imports = `import * as screen from '@qwen/sdk/terminal'; ${print}`;
  const imported = await run(process.execPath, ['--input-type=module', '-e', imports], { cwd: folder });
  const requires = `const screen = require('@qwen/sdk/terminal'); ${print}`;
  const required = await run(process.execPath, ['-e', requires], { cwd: folder });
  for (const { stdout } of [imported, required]) {
    expect(JSON.parse(stdout)).toEqual([
      'AgentError',
      'COMMAND_DIALOGS',
      'CompletionCollector',
      'EventReader',
      'SESSION_EVENTS',
      'TERMINAL_SOURCES',
      'THEME_TOKENS',
      'TOOL_STATUSES',
      'collectCompletions',
      'createTerminalReplay',
      'readOutputLine',
      'toCommandDescriptor',
      'toDate',
    ]);
  }
});

test('the entry for screens runs without Node.js', async () => {
  verifies('S-09');
  const app = `
    import { createTerminalReplay } from '@qwen/sdk/terminal';
    const line = { object: 'chat.completion.chunk', choices: [{ delta: { content: 'hi' } }] };
    createTerminalReplay({ write }).feed(JSON.stringify(line));`;
  const bundle = await build({
    stdin: { contents: app, resolveDir: folder },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    write: false,
  });
  const written: string[] = [];
  // A world with nothing but the language in it.
  runInNewContext(bundle.outputFiles[0]?.text ?? '', { write: (text: string) => written.push(text) });
  expect(written).toEqual(['hi']);
});

test('errors print under their own names after bundling', async () => {
  const script = `
    import { AbortError, AgentError } from '@qwen/sdk';
    console.log(new AgentError('timeout', 'late'), new AbortError());
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  expect(stdout).toMatch(/^AgentError: late/);
  expect(stdout).toMatch(/ AbortError: The query was aborted/);
  expect(stdout).not.toContain('_A');
});

test.each([
  ['an ES module', (body: string) => ['--input-type=module', '-e', `import { query } from '@qwen/sdk';${body}`]],
  ['CommonJS', (body: string) => ['-e', `const { query } = require('@qwen/sdk');(async () => {${body}})();`]],
])('an uncaught error in %s prints its message and little else', async (_format, toArguments) => {
  const body = `
    const options = { pathToQwenExecutable: 'test/programs/exits-3-with-stderr.mjs' };
    for await (const message of query({ prompt: 'x', options }));`;
  const stderrOf = (...flags: readonly string[]): Promise<string> =>
    run(process.execPath, [...flags, ...toArguments(body)], { cwd: folder }).then(
      () => '',
      ({ stderr }: { readonly stderr: string }) => stderr,
    );
  const plain = await stderrOf();
  expect(plain).toContain('AgentError: CLI process exited with code 3');
  expect(plain.length).toBeLessThan(2_000);
  const mapped = await stderrOf('--enable-source-maps');
  expect(mapped).toMatch(/at toExitError .*src[\\/]query[\\/]exit-error\.ts:\d+/);
  expect(mapped.length).toBeLessThan(2_000);
});

test('a strict app compiles against it, declarations of dependencies included', async () => {
  verifies('FB24', 'O-47', 'O-48', 'O-49');
  const compiler = require.resolve('typescript/package.json').replace('package.json', 'bin/tsc');
  const project = fileURLToPath(new URL('consumer', import.meta.url));
  expect(await run(process.execPath, [compiler, '-p', project])).toMatchObject({ stdout: '' });
});

test('prints nothing by itself, and only to stderr with debug', async () => {
  verifies('T24', 'T37', 'O-18', 'GAP-57', 'CF-51');
  const noise = Buffer.from('npm WARN noise\n').toString('base64');
  const script = (debug: boolean) => `
    import { query } from '@qwen/sdk';
    const prompt = JSON.stringify({ base64: '${noise}', pieceBytes: 100 });
    const options = { pathToQwenExecutable: 'test/programs/prints-raw.mjs', debug: ${debug} };
    for await (const message of query({ prompt, options })) if (message.type === 'never') break;
  `;
  const runWith = (debug: boolean) =>
    run(process.execPath, ['--input-type=module', '-e', script(debug)], { cwd: folder });
  expect(await runWith(false)).toEqual({ stdout: '', stderr: '' });
  const { stdout, stderr } = await runWith(true);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^\[qwen sdk\] sends \d+ bytes: control_request$/m);
  expect(stderr).toMatch(/^\[qwen sdk\] invalid_json: .*npm WARN noise/m);
});

test('loading it does not load child_process, crypto, fs/promises or worker_threads', async () => {
  const { stdout } = await run(process.execPath, ['test/programs/lists-modules.mjs'], { cwd: folder });
  const [type, loaded]: [string, string[]] = JSON.parse(stdout);
  const late = ['child_process', 'crypto', 'internal/fs/promises', 'worker_threads'];
  expect(late.filter((name) => loaded.includes(`NativeModule ${name}`))).toEqual([]);
  expect(type).toBe('function');
  expect(loaded).toContain('NativeModule fs');
});

test('modules for a session load with the first session', async () => {
  const script = `
    import { AgentError, openSession } from '@qwen/sdk';
    import { registerHooks } from 'node:module';
    const loaded = [];
    const note = (url) => { if (url.endsWith('.js')) loaded.push(url.split('/').pop()); };
    registerHooks({ load: (url, context, next) => { note(url); return next(url, context); } });
    const env = { FAKE: '{}' };
    const session = await openSession({ pathToQwenExecutable: 'test/programs/speaks-openai-lines.mjs', env });
    const { text } = await session.prompt('echo hi').result;
    const { exitCode } = await session.close();
    const isOurs = await (async () => session.prompt('too late').result)().catch((error) => error instanceof AgentError);
    process.stdout.write(JSON.stringify([loaded, text, exitCode, isOurs]));
  `;
  const imported = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  expect(JSON.parse(imported.stdout)).toEqual([[expect.stringMatching(/^on-demand-.*\.js$/)], 'hi', 0, true]);
  const body = script.replace(/import (.*) from ('.*');/g, 'const $1 = require($2);');
  const required = await run(process.execPath, ['-e', `(async () => {${body}})()`], { cwd: folder });
  expect(JSON.parse(required.stdout)).toEqual([[], 'hi', 0, true]);
});

test('the MCP library loads with the first in-process server', async () => {
  const script = `
    import { createSdkMcpServer, tool } from '@qwen/sdk';
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url.split('/').pop()); return next(url, context); } });
    const { instance } = createSdkMcpServer({ name: 'x', tools: [tool('t', '', {}, () => ({ content: [] }))] });
    const before = loaded.length;
    await instance.connect({ start: async () => {}, send: async () => {}, close: async () => {} });
    process.stdout.write(JSON.stringify([before, loaded]));
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual([0, ['serve-tools.js']]);
});
