// `pnpm deploy:check`: builds small apps with the real tools of docs/deploying-apps.md, moves what they produce to
// another folder, and runs a query there. Needs the npm registry, which is why it runs at night. An argument selects
// steps by name.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { says, startScriptedModel, temporaryFolder } from '@qwen/testkit';
import { Checklist, cleanEnvironment, INSTALL, PROGRAMS, run } from './release/run.ts';

const ANSWER = 'The deployed app answers.';
const QUERY = `for await (const message of query({ prompt: 'hi' })) if (message.type === 'result') console.log(message.result);`;
const MODULE = `import { query } from '@qwen/sdk';\n${QUERY}\n`;
const COMMON = `const { query } = require('@qwen/sdk');\n(async () => { ${QUERY} })();\n`;
const COPY = `import('@qwen/sdk/bundle').then(({ copyCli }) => copyCli('out'))`;
const ROUTE = `import { query } from '@qwen/sdk';
export const dynamic = 'force-dynamic';
export async function GET() {
  for await (const message of query({ prompt: 'hi' })) if (message.type === 'result') return new Response(message.result);
}
`;
const LAYOUT = `export default ({ children }) => <html><body>{children}</body></html>;\n`;
const SEA_FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

await using work = await temporaryFolder();
const home = work.resolve('home');
const packed = ['protocol', 'cli', 'sdk'];
const checks = new Checklist(process.argv[2]);

for (const name of packed) await run('pnpm', ['--dir', `packages/${name}`, 'pack', '--out', tarball(name)]);
await checks.step('Next.js, Turbopack', () => checkNext('turbopack', { output: 'standalone' }));
await checks.step('Next.js, webpack', () =>
  checkNext('webpack', { output: 'standalone', serverExternalPackages: ['@qwen/sdk'] }),
);
await checks.step('Next.js, Turbopack, from pnpm', async () => {
  const app = await createPnpmApp('next-pnpm', { next: '16', react: '19', 'react-dom': '19' });
  await checkNextApp(app, 'turbopack', { output: 'standalone', turbopack: { root: app } });
});
await checks.step('pnpm', checkPnpm);
await checks.step('Yarn PnP', () => checkYarn('yarn', {}));
await checks.step('Yarn PnP, from the archive', () =>
  checkYarn('yarn-archive', { dependenciesMeta: { '@qwen/cli': { unplugged: false } } }),
);
await checks.step('Bun and Deno', checkOtherRuntimes);
await checks.step('bun build --compile', checkBunExecutable);
await checks.step('single executable application', checkNodeExecutable);

checks.finish('every app runs');

async function checkNext(bundler: string, config: object): Promise<void> {
  const app = await createApp(`next-${bundler}`, {});
  await install(app, 'next@16', 'react@19', 'react-dom@19');
  await checkNextApp(app, bundler, config);
}

async function checkNextApp(app: string, bundler: string, config: object): Promise<void> {
  await mkdir(join(app, 'app/api/ask'), { recursive: true });
  await writeFile(join(app, 'app/api/ask/route.js'), ROUTE);
  await writeFile(join(app, 'app/layout.jsx'), LAYOUT);
  await writeFile(join(app, 'next.config.mjs'), `export default ${JSON.stringify(config)};\n`);
  await runIn(app, 'npx', ['next', 'build', `--${bundler}`]);
  const moved = await moveAway(app, '.next/standalone');
  await using model = await startScriptedModel([says(ANSWER)]);
  const port = await freePort();
  const address = { PORT: String(port), HOSTNAME: '127.0.0.1' };
  const server = spawn(process.execPath, ['server.js'], {
    cwd: moved,
    env: cleanEnvironment(home, { ...model.env, ...address }),
  });
  try {
    for await (const chunk of server.stdout) if (String(chunk).includes('Ready')) break;
    const response = await fetch(`http://127.0.0.1:${port}/api/ask`);
    expectAnswer(await response.text());
  } finally {
    server.kill('SIGKILL');
    await once(server, 'close');
  }
}

async function checkPnpm(): Promise<void> {
  const app = await createPnpmApp('pnpm', {});
  for (const file of ['app.mjs', 'app.cjs']) await expectOutput(app, [process.execPath, file]);
}

async function createPnpmApp(name: string, more: Readonly<Record<string, string>>): Promise<string> {
  const app = await createApp(name, { dependencies: { '@qwen/sdk': `file:${tarball('sdk')}`, ...more } });
  const overrides = packed.map((one) => `  "@qwen/${one}": "file:${tarball(one)}"\n`).join('');
  await writeFile(join(app, 'pnpm-workspace.yaml'), `overrides:\n${overrides}`);
  await runIn(app, 'pnpm', ['install']);
  return app;
}

async function checkYarn(name: string, members: object): Promise<void> {
  const resolutions = Object.fromEntries(packed.map((one) => [`@qwen/${one}`, `file:${tarball(one)}`]));
  const dependencies = { '@qwen/sdk': `file:${tarball('sdk')}`, '@qwen/cli': `file:${tarball('cli')}` };
  const app = await createApp(name, { dependencies, resolutions, ...members });
  await writeFile(join(app, 'yarn.lock'), '');
  await writeFile(join(app, '.yarnrc.yml'), 'nodeLinker: pnp\nenableTelemetry: false\nenableGlobalCache: false\n');
  const yarn = join(work.resolve('tools'), 'node_modules/@yarnpkg/cli-dist/bin/yarn.js');
  await runIn(work.path, 'npm', ['install', '--prefix', work.resolve('tools'), '@yarnpkg/cli-dist@4']);
  await runIn(app, process.execPath, [yarn, 'install']);
  for (const file of ['app.mjs', 'app.cjs']) await expectOutput(app, [process.execPath, yarn, 'node', file]);
}

async function checkOtherRuntimes(): Promise<void> {
  const app = await createApp('runtimes', {});
  await install(app, 'bun@1', 'deno@2');
  await expectOutput(app, [join(app, 'node_modules/.bin/bun'), 'app.mjs']);
  await expectOutput(app, [join(app, 'node_modules/.bin/deno'), 'run', '--allow-all', 'app.mjs']);
}

async function checkBunExecutable(): Promise<void> {
  const app = await createApp('bun-executable', {});
  await install(app, 'bun@1');
  await runIn(app, 'npx', ['bun', 'build', '--compile', 'app.mjs', '--outfile', 'out/app']);
  await runIn(app, process.execPath, ['--eval', COPY]);
  const moved = await moveAway(app, 'out');
  await expectOutput(moved, [join(moved, 'app')], { PATH: '/usr/bin:/bin' });
}

async function checkNodeExecutable(): Promise<void> {
  const app = await createApp('node-executable', {});
  await install(app, 'esbuild', 'postject');
  await mkdir(join(app, 'out'));
  await runIn(app, 'npx', ['esbuild', 'app.cjs', '--bundle', '--platform=node', '--outfile=bundle.cjs']);
  await writeFile(join(app, 'sea.json'), '{ "main": "bundle.cjs", "output": "sea.blob" }');
  await runIn(app, process.execPath, ['--experimental-sea-config', 'sea.json']);
  await copyFile(process.execPath, join(app, 'out/app'));
  await runIn(app, 'npx', ['postject', 'out/app', 'NODE_SEA_BLOB', 'sea.blob', '--sentinel-fuse', SEA_FUSE]);
  await runIn(app, process.execPath, ['--eval', COPY]);
  const moved = await moveAway(app, 'out');
  await expectOutput(moved, [join(moved, 'app')]);
}

async function createApp(name: string, manifest: object): Promise<string> {
  await work.write(`${name}/package.json`, JSON.stringify({ private: true, ...manifest }));
  await work.write(`${name}/app.mjs`, MODULE);
  await work.write(`${name}/app.cjs`, COMMON);
  return work.resolve(name);
}

async function install(app: string, ...packages: readonly string[]): Promise<void> {
  await runIn(app, 'npm', [...INSTALL, ...packed.map(tarball), ...packages]);
}

/** Moves a folder, and deletes the app that it came from. */
async function moveAway(app: string, folder: string): Promise<string> {
  const moved = `${app}-moved`;
  await rename(join(app, folder), moved);
  await rm(app, { recursive: true });
  return moved;
}

async function expectOutput(
  cwd: string,
  [program = '', ...args]: readonly string[],
  extra: Readonly<Record<string, string>> = {},
): Promise<void> {
  await using model = await startScriptedModel([says(ANSWER)]);
  expectAnswer(await run(program, args, { cwd, env: cleanEnvironment(home, { ...model.env, ...extra }) }));
}

function expectAnswer(text: string): void {
  if (text.trim() !== ANSWER) throw new Error(`It answers ${JSON.stringify(text)}.`);
}

/** With the settings of the user: package managers need their registry. */
async function runIn(cwd: string, program: string, args: readonly string[]): Promise<void> {
  const variables = { ...process.env, PATH: PROGRAMS, NEXT_TELEMETRY_DISABLED: '1' };
  await run(program, args, { cwd, env: variables });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}

function tarball(name: string): string {
  return work.resolve(`${name}.tgz`);
}
