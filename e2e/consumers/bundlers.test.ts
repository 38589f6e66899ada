import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import {
  calls,
  isolatedEnvironment,
  lastText,
  says,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
  verifies,
} from '@qwen/testkit';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import webpack from 'webpack';
import { createProject, install } from './project.ts';

const run = promisify(execFile);

/** Runs a query with a tool of its own, and prints the answer. */
const APP = `
  import { createSdkMcpServer, query, tool } from '@qwen/sdk';
  const shape = { type: 'object', properties: {} };
  const greet = tool('greet', 'Greets.', shape, () => ({ content: [{ type: 'text', text: 'from the bundled app' }] }));
  const mcpServers = { app: createSdkMcpServer({ name: 'app', tools: [greet] }) };
  const canUseTool = () => ({ behavior: 'allow' });
  async function main() {
    const conversation = query({ prompt: 'hi', options: { mcpServers, canUseTool } });
    for await (const message of conversation) if (message.type === 'result') console.log(message.result);
  }
  main();
`;

async function bundleWithEsbuild(project: TemporaryFolder, format: 'esm' | 'cjs'): Promise<string> {
  const outfile = project.resolve('out', format === 'esm' ? 'app.mjs' : 'app.cjs');
  await build({
    entryPoints: [project.resolve('app.js')],
    outfile,
    bundle: true,
    platform: 'node',
    format,
    logLevel: 'silent',
  });
  return outfile;
}

async function bundleWithWebpack(project: TemporaryFolder): Promise<string> {
  const compiler = webpack({
    context: project.path,
    entry: './app.js',
    target: 'node',
    mode: 'production',
    // Minifying takes most of the time and changes nothing about how the CLI is found.
    optimization: { minimize: false },
    output: { path: project.resolve('out'), filename: 'app.cjs' },
  });
  const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) => {
    compiler?.run((error, result) => (error === null ? resolve(result) : reject(error)));
  });
  expect(stats?.hasErrors()).toBe(false);
  return project.resolve('out', 'app.cjs');
}

/** Runs the bundled app in a home and a workspace of its own, and gives what it printed. */
async function runApp(file: string, cwd: string): Promise<string> {
  await using model = await startScriptedModel([
    calls({ name: 'mcp__app__greet', input: {} }),
    (request) => says(`The tool said: ${lastText(request)}`),
  ]);
  const env = isolatedEnvironment(`${cwd}/home`, model.env);
  const { stdout } = await run(process.execPath, [file], { cwd, env });
  return stdout;
}

const SAID = 'The tool said: from the bundled app\n';

test.each([
  ['esbuild, as esm,', (project: TemporaryFolder) => bundleWithEsbuild(project, 'esm')],
  ['webpack', bundleWithWebpack],
])('after %s the app runs a query and finds the CLI of the SDK', async (_name, bundle) => {
  verifies('FB21');
  await using project = await createProject({ 'app.js': APP });
  expect(await runApp(await bundle(project), project.path)).toBe(SAID);
});

test.each([
  ['esbuild, as esm,', (project: TemporaryFolder) => bundleWithEsbuild(project, 'esm')],
  ['esbuild, as cjs,', (project: TemporaryFolder) => bundleWithEsbuild(project, 'cjs')],
  ['webpack', bundleWithWebpack],
])('after %s on one machine it runs on another that has nothing but the CLI', async (_name, bundle) => {
  verifies('FB21');
  await using other = await temporaryFolder();
  await install('cli', other.path);
  const file = await bundleElsewhere(other, bundle);
  expect(await runApp(file, other.path)).toBe(SAID);
});

/** Bundles on a machine that is gone afterwards, and brings what came out of it. */
async function bundleElsewhere(
  here: TemporaryFolder,
  bundle: (project: TemporaryFolder) => Promise<string>,
): Promise<string> {
  await using elsewhere = await temporaryFolder();
  await elsewhere.write('package.json', '{ "type": "module" }');
  await elsewhere.write('app.js', APP);
  await install('sdk', elsewhere.path);
  const file = await bundle(elsewhere);
  await cp(elsewhere.resolve('out'), here.resolve('out'), { recursive: true });
  return here.resolve('out', basename(file));
}
