import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type TemporaryFolder, temporaryFolder, verifies } from '@qwen/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The packages as npm would install them, in an app that has no zod: only @qwen/protocol can resolve it.
const run = promisify(execFile);
const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('../..', import.meta.url));

const APP = `
  import { createSdkMcpServer, InMemorySessionStore, query, tool } from '@qwen/sdk';
  import type { CanUseTool, Options, QwenSession, SDKMessage, UserQuestion } from '@qwen/sdk';
  import { FileSessionStore } from '@qwen/sdk/stores';
  import { readOutputLine, type QwenEvent } from '@qwen/sdk/terminal';
  import { scriptedCli } from '@qwen/sdk/testing';

  const canUseTool: CanUseTool = async (toolName) =>
    toolName === 'read_file' ? { behavior: 'allow' } : { behavior: 'deny', message: 'no' };
  const now = tool('now', 'Tells the time.', { type: 'object' }, () => ({ content: [] }));
  const mcpServers = { clock: createSdkMcpServer({ name: 'clock', tools: [now] }) };
  const { transport } = scriptedCli(({ says }) => says('hi'));
  export const messages: AsyncIterable<SDKMessage> = query({ prompt: 'x', options: { canUseTool, mcpServers, transport } });
  export const question: UserQuestion = { question: 'Which?', options: [{ label: 'this' }] };
  export const options: Options = { maxTurns: 3, sessionStore: new InMemorySessionStore() };
  export const stores = { files: new FileSessionStore({ directory: 'sessions' }) };
  export async function kindsOf(session: QwenSession): Promise<string[]> {
    const found: string[] = [];
    for await (const event of session.events()) found.push(event.kind);
    return found;
  }
  export const isDone = (message: SDKMessage): boolean =>
    // @ts-expect-error no result has this subtype
    message.type === 'result' && message.subtype === 'sucess';
  export const kinds = (event: QwenEvent): string => event.kind;
  export const line = readOutputLine('{}').kind;
  // @ts-expect-error no type of the packages is any
  export const wrong: number = line;
`;

let app: TemporaryFolder;
beforeAll(async () => {
  app = await createApp();
}, 120_000);
afterAll(() => app[Symbol.asyncDispose]());

test.each([
  ['node10', 'typescript5', 'app.ts', { module: 'commonjs', moduleResolution: 'node10' }],
  ['node16 from an ES module', 'typescript5', 'app.mts', { module: 'node16', moduleResolution: 'node16' }],
  ['node16 from CommonJS', 'typescript5', 'app.cts', { module: 'node16', moduleResolution: 'node16' }],
  ['node10 with TypeScript 5.4', 'typescript54', 'app.ts', { module: 'commonjs', moduleResolution: 'node10' }],
  ['node16 with TypeScript 5.4', 'typescript54', 'app.cts', { module: 'node16', moduleResolution: 'node16' }],
  ['bundler with TypeScript 5.4', 'typescript54', 'app.ts', { module: 'esnext', moduleResolution: 'bundler' }],
  ['nodenext', 'typescript', 'app.mts', { module: 'nodenext', moduleResolution: 'nodenext' }],
  ['bundler', 'typescript', 'app.ts', { module: 'esnext', moduleResolution: 'bundler' }],
])(
  'the packed SDK compiles in an app without zod under %s',
  { timeout: 120_000 },
  async (...[, compiler, file, options]) => {
    verifies('FB24');
    await app.write(file, APP);
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2023', 'esnext.disposable', 'dom'],
      types: ['node'],
      ...options,
    };
    const settings = {
      ...compilerOptions,
      strict: true,
      exactOptionalPropertyTypes: true,
      esModuleInterop: true,
      skipLibCheck: false,
      noEmit: true,
    };
    await app.write('tsconfig.json', JSON.stringify({ compilerOptions: settings, files: [file] }));
    const tsc = require.resolve(`${compiler}/package.json`).replace('package.json', 'bin/tsc');
    const { stdout, stderr } = await run(process.execPath, [tsc, '-p', app.path]).catch(
      (failure: { stdout: string; stderr: string }) => failure,
    );
    expect(stdout + stderr).toBe('');
  },
);

/** An app with the tarballs unpacked into `node_modules`, and zod where only `@qwen/protocol` finds it. */
async function createApp(): Promise<TemporaryFolder> {
  const folder = await temporaryFolder();
  await folder.write('package.json', '{ "name": "an-app", "private": true }');
  for (const name of ['sdk', 'protocol']) {
    const target = folder.resolve('node_modules', '@qwen', name);
    await mkdir(target, { recursive: true });
    const { packageManager } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as { packageManager: string };
    const tarball = folder.resolve(`${name}.tgz`);
    const args = ['-y', packageManager, '--config.ignore-scripts=true', 'pack', '--out', tarball];
    await run('npx', args, { cwd: `${root}packages/${name}` });
    await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', target]);
  }
  await mkdir(folder.resolve('node_modules/@qwen/protocol/node_modules'));
  await symlink(
    `${root}packages/protocol/node_modules/zod`,
    folder.resolve('node_modules/@qwen/protocol/node_modules/zod'),
  );
  await symlink(`${root}node_modules/@types`, folder.resolve('node_modules/@types'));
  return folder;
}
