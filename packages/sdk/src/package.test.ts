import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';

// The built package, as an app finds it.
const run = promisify(execFile);
const folder = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

const EXPORTS = [
  'AbortError',
  'AgentError',
  'ControlRequestType',
  'PERMISSION_MODES',
  'ProcessTransport',
  'Query',
  'SdkControlServerTransport',
  'createSdkMcpServer',
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
  'query',
  'tool',
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

test('a strict app compiles against it, declarations of dependencies included', async () => {
  verifies('FB24');
  const compiler = require.resolve('typescript/package.json').replace('package.json', 'bin/tsc');
  const project = fileURLToPath(new URL('../test/consumer', import.meta.url));
  expect(await run(process.execPath, [compiler, '-p', project])).toMatchObject({ stdout: '' });
});

test('loading it loads no MCP library: that waits for the first in-process server', async () => {
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
