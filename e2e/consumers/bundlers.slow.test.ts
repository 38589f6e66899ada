import { cp } from 'node:fs/promises';
import { basename } from 'node:path';
import { type TemporaryFolder, temporaryFolder, verifies } from '@qwen/testkit';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { build as buildWithVite } from 'vite';
import { expect, test } from 'vitest';
import webpack from 'webpack';
import { copyCliIn, createProject, GREETING_APP, install, runApp } from './project.ts';

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

async function bundleWithRollup(project: TemporaryFolder): Promise<string> {
  await using bundle = await rollup({
    input: project.resolve('app.js'),
    plugins: [nodeResolve({ exportConditions: ['node'] })],
    onLog: () => undefined,
  });
  await bundle.write({ dir: project.resolve('out'), entryFileNames: 'app.mjs' });
  return project.resolve('out', 'app.mjs');
}

async function bundleWithVite(project: TemporaryFolder): Promise<string> {
  await buildWithVite({
    root: project.path,
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: { ssr: 'app.js', outDir: 'out', minify: false, rolldownOptions: { output: { entryFileNames: 'app.mjs' } } },
  });
  return project.resolve('out', 'app.mjs');
}

const SAID = 'The tool said: from the bundled app\n';

test.each([
  ['esbuild, as esm,', (project: TemporaryFolder) => bundleWithEsbuild(project, 'esm')],
  ['webpack', bundleWithWebpack],
])('after %s the app runs a query and finds the CLI of the SDK', async (_name, bundle) => {
  verifies('FB21');
  await using project = await createProject({ 'app.js': GREETING_APP });
  expect(await runApp(await bundle(project), project.path)).toBe(SAID);
});

test.each([
  ['esbuild, as esm,', (project: TemporaryFolder) => bundleWithEsbuild(project, 'esm')],
  ['esbuild, as cjs,', (project: TemporaryFolder) => bundleWithEsbuild(project, 'cjs')],
  ['webpack', bundleWithWebpack],
])('after %s on one machine it runs on another that has only the CLI', async (_name, bundle) => {
  verifies('FB21');
  await using other = await temporaryFolder();
  await install('cli', other.path);
  const file = await bundleElsewhere(other, bundle);
  expect(await runApp(file, other.path)).toBe(SAID);
});

test.each([
  ['esbuild, as esm,', (project: TemporaryFolder) => bundleWithEsbuild(project, 'esm')],
  ['esbuild, as cjs,', (project: TemporaryFolder) => bundleWithEsbuild(project, 'cjs')],
  ['rollup', bundleWithRollup],
  ['vite', bundleWithVite],
  ['webpack', bundleWithWebpack],
])('after %s and copyCli() the output runs on a machine that has only Node.js', async (_name, bundle) => {
  verifies('FB21');
  await using other = await temporaryFolder();
  const file = await bundleElsewhere(other, async (project) => {
    await install('cli', project.path);
    const bundled = await bundle(project);
    await copyCliIn(project, 'out');
    return bundled;
  });
  expect(await runApp(file, other.path)).toBe(SAID);
});

test('a bundle without the CLI reports how to add it', async () => {
  verifies('F44');
  await using other = await temporaryFolder();
  const file = await bundleElsewhere(other, (project) => bundleWithEsbuild(project, 'esm'));
  const failure: unknown = await runApp(file, other.path).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    stderr: expect.stringMatching(/copyCli\(\) of @qwen\/sdk\/bundle.*deploying-apps\.md/),
  });
});

/** Bundles on a machine that is gone afterwards, and brings what came out of it. */
async function bundleElsewhere(
  here: TemporaryFolder,
  bundle: (project: TemporaryFolder) => Promise<string>,
): Promise<string> {
  await using elsewhere = await temporaryFolder();
  await elsewhere.write('package.json', '{ "type": "module" }');
  await elsewhere.write('app.js', GREETING_APP);
  await install('sdk', elsewhere.path);
  const file = await bundle(elsewhere);
  await cp(elsewhere.resolve('out'), here.resolve('out'), { recursive: true });
  return here.resolve('out', basename(file));
}
