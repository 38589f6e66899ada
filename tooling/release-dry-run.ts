// `pnpm release:dry-run`: everything up to `npm publish`, as a user would get it. Packs the published packages, checks
// the tarballs, installs them with npm in an empty folder, and runs the quick starts there. With --no-install it stops
// after the tarballs, which needs no network.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { calls, says, startScriptedModel, temporaryFolder } from '@qwen/testkit';
import { checkContents, lintTarball, unpackedSize } from './release/check-tarball.ts';
import { type PublishedPackage, publishedPackages } from './release/packages.ts';
import { Checklist, cleanEnvironment, INSTALL, run } from './release/run.ts';

const MAX_UNPACKED_BYTES = 15_000_000;
const root = process.cwd();
const packages = publishedPackages();
const tarballs = new Map<string, string>();
await using work = await temporaryFolder();
const home = work.resolve('home');
const checks = new Checklist();

await checks.step('pack', async () => {
  for (const { folder, name } of packages) {
    const tarball = work.resolve(`${name.replace('@qwen/', '')}.tgz`);
    await run('pnpm', ['--dir', folder, 'pack', '--out', tarball]);
    tarballs.set(name, tarball);
  }
});
for (const item of packages) await checks.step(`tarball of ${item.name}`, () => checkTarball(item));
await checks.step('size of SDK and CLI', checkSize);
if (!process.argv.includes('--no-install')) {
  await checks.step('install with npm, scripts on', () => install('scripts-on'));
  await checks.step('install with npm, scripts off', () => install('scripts-off', '--ignore-scripts'));
  await checks.step('qwen --version', checkVersion);
  await checks.step('quick start of @qwen/sdk', runSdkQuickStart);
  await checks.step('quick start of @qwen/server', runServerQuickStart);
}

checks.finish('ready to publish');

async function checkTarball(item: PublishedPackage): Promise<void> {
  const tarball = tarballOf(item.name);
  await Promise.all([checkContents(item, tarball), lintTarball(item, tarball)]);
}

async function checkSize(): Promise<void> {
  const sizes = await Promise.all(['@qwen/sdk', '@qwen/cli'].map((name) => unpackedSize(tarballOf(name))));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`     ${sizes.map(inMegabytes).join(' + ')} = ${inMegabytes(total)}`);
  if (total > MAX_UNPACKED_BYTES)
    throw new Error(`${inMegabytes(total)} is more than ${inMegabytes(MAX_UNPACKED_BYTES)}.`);
}

async function install(folder: string, ...flags: readonly string[]): Promise<void> {
  const cwd = work.resolve(folder);
  await mkdir(cwd);
  await writeFile(join(cwd, 'package.json'), '{ "private": true, "type": "module" }\n');
  await run('npm', [...INSTALL, ...flags, ...tarballs.values()], { cwd });
}

async function checkVersion(): Promise<void> {
  const versions = new Set(packages.map(({ version }) => version));
  for (const folder of ['scripts-on', 'scripts-off']) {
    const cwd = work.resolve(folder);
    const printed = (
      await run('npm', ['exec', '--offline', '--', 'qwen', '--version'], { cwd, env: cleanEnvironment(home) })
    ).trim();
    if (versions.size !== 1 || !versions.has(printed)) {
      throw new Error(`qwen prints ${printed}; the packages are ${[...versions].join(', ')}.`);
    }
  }
}

async function runSdkQuickStart(): Promise<void> {
  const cwd = work.resolve('scripts-off');
  await using model = await startScriptedModel([
    calls({ name: 'write_file', input: { file_path: join(cwd, 'haiku.txt'), content: 'drops become a stream\n' } }),
    says('The haiku is in haiku.txt.'),
  ]);
  await writeFile(join(cwd, 'sdk.js'), await quickStartOf('sdk'));
  const printed = await run(process.execPath, ['sdk.js'], { cwd, env: cleanEnvironment(home, model.env) });
  if (printed !== 'The haiku is in haiku.txt.\n') throw new Error(`It prints ${JSON.stringify(printed)}.`);
  await readFile(join(cwd, 'haiku.txt'));
}

async function runServerQuickStart(): Promise<void> {
  const cwd = work.resolve('scripts-off');
  const ends = `console.log((await fetch(url + '/health')).status); await server.close();`;
  const source = (await quickStartOf('server')).replace('port: 3000', 'port: 0');
  await writeFile(join(cwd, 'server.js'), `${source}\n${ends}\n`);
  const printed = await run(process.execPath, ['server.js'], { cwd, env: cleanEnvironment(home) });
  if (!/^Listening on http:.*\n200\n$/.test(printed)) throw new Error(`It prints ${JSON.stringify(printed)}.`);
}

/** The first TypeScript block of a package's README; it contains no types, so that it runs as it is. */
async function quickStartOf(name: string): Promise<string> {
  const readme = await readFile(join(root, 'packages', name, 'README.md'), 'utf8');
  const [, code] = /^```ts\n([^]*?)^```$/m.exec(readme) ?? [];
  if (code === undefined) throw new Error(`packages/${name}/README.md has no TypeScript block.`);
  return code;
}

function tarballOf(name: string): string {
  const tarball = tarballs.get(name);
  if (tarball === undefined) throw new Error(`${name} was not packed.`);
  return tarball;
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
