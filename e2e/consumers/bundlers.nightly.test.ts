import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type TemporaryFolder, temporaryFolder, verifies } from '@qwen/testkit';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { build as buildWithVite } from 'vite';
import { expect, test } from 'vitest';
import webpack from 'webpack';
import { copyCliIn, GREETING_APP, install, runApp } from './project.ts';

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
  ['esbuild, as cjs,', (project: TemporaryFolder) => bundleWithEsbuild(project, 'cjs')],
  ['rollup', bundleWithRollup],
  ['vite', bundleWithVite],
  ['webpack', bundleWithWebpack],
])(
  'after %s the app runs here, where only the CLI is installed, and with copyCli() anywhere',
  async (_name, bundle) => {
    verifies('FB21');
    await using installed = await temporaryFolder();
    await using bare = await temporaryFolder();
    let file: string;
    {
      await using project = await createInstalledProject();
      await install('cli', project.path);
      const bundled = await bundle(project);
      expect(await runApp(bundled, project.path)).toBe(SAID);
      file = join('out', basename(bundled));
      await install('cli', installed.path);
      await cp(project.resolve('out'), installed.resolve('out'), { recursive: true });
      await copyCliIn(project, 'out');
      await cp(project.resolve('out'), bare.resolve('out'), { recursive: true });
    }
    // The machine of the build is gone.
    expect(await runApp(installed.resolve(file), installed.path)).toBe(SAID);
    expect(await runApp(bare.resolve(file), bare.path)).toBe(SAID);
  },
);

test('a bundle without the CLI reports how to add it', async () => {
  verifies('F44');
  await using project = await createInstalledProject();
  const file = await bundleWithEsbuild(project, 'esm');
  const failure: unknown = await runApp(file, project.path).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    stderr: expect.stringMatching(/copyCli\(\) of @qwen\/sdk\/bundle.*deploying-apps\.md/),
  });
});

/** An app with a copy of the SDK, and without the CLI. */
async function createInstalledProject(): Promise<TemporaryFolder> {
  const project = await temporaryFolder();
  await project.write('package.json', '{ "type": "module" }');
  await project.write('app.js', GREETING_APP);
  await install('sdk', project.path);
  return project;
}
