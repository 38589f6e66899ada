import { globSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly folder: string;
}

function readManifest(folder: string): Manifest {
  return { ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), folder };
}

const workspace = globSync('packages/*', { cwd: ROOT }).map((folder) => readManifest(join(ROOT, folder)));
const published = workspace.filter((manifest) => manifest.private !== true);

/** All that an install of the package brings with it, itself first; what is optional and not there is left out. */
function closure(manifest: Manifest, seen = new Map<string, Manifest>()): Manifest[] {
  seen.set(manifest.name, manifest);
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const folder = installedFolder(name, manifest.folder);
    if (folder !== undefined && !seen.has(name)) closure(readManifest(folder), seen);
  }
  return [...seen.values()];
}

function installedFolder(name: string, from: string): string | undefined {
  const searched = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
  const [found] = searched.flatMap((folder) => globSync(join(folder, name, 'package.json')));
  // The real folder: what a package depends on lies beside it, not beside the link to it.
  return found === undefined ? undefined : realpathSync(dirname(found));
}

/** What people install: the rest only comes along with these. */
const entrances = published.filter(({ name }) =>
  ['@qwen/sdk', '@qwen/cli', '@qwen/protocol', '@qwen/server'].includes(name),
);
const installed = entrances.flatMap((manifest) => closure(manifest));

test('no published package runs a script when it is installed', () => {
  verifies('S120');
  const names = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'];
  const own = published.filter(({ scripts }) => names.some((name) => scripts?.[name] !== undefined));
  // npm runs `prepare` of a dependency only when it comes from git; S121 excludes that.
  const withInstallScript = installed.filter(({ scripts }) =>
    names.slice(0, 3).some((name) => scripts?.[name] !== undefined),
  );
  // Optional: BullMQ, which only stores in Redis need, works without it.
  const scripted = new Set([...own, ...withInstallScript].map(({ name }) => name));
  scripted.delete('msgpackr-extract');
  expect([...scripted]).toEqual([]);
});

test('dependencies come from the registry, at versions in the lockfile', () => {
  verifies('S121');
  const lockfile = readFileSync(join(ROOT, 'pnpm-lock.yaml'), 'utf8');
  expect([...lockfile.matchAll(/^\s+(?:tarball|repo|directory): .*$/gm)].map(([line]) => line)).toEqual([]);
  const odd = workspace.flatMap((manifest) =>
    Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies })
      .filter(([, range]) => !/^(workspace:\*|npm:[^:]+@[\^~]?\d[\d.]*|[\^~]?\d[\d.]*)$/.test(range))
      .map(([name, range]) => `${manifest.name}: ${name} ${range}`),
  );
  expect(odd).toEqual([]);
});

test('the SDK installs few packages of others', () => {
  verifies('S122');
  const sdk = published.find(({ name }) => name === '@qwen/sdk');
  const foreign = sdk === undefined ? [] : closure(sdk).filter(({ name }) => !name.startsWith('@qwen/'));
  const names = foreign.map(({ name }) => name.replace(/^(@vscode\/ripgrep)-.*/, '$1-PLATFORM'));
  // ripgrep is optional: without it the search tool walks by itself.
  expect(names.toSorted()).toEqual(['@vscode/ripgrep', '@vscode/ripgrep-PLATFORM', 'zod']);
});

test('every published package has a permissive license', () => {
  const free = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0', 'Unlicense'];
  const others = installed.filter(({ license = '' }) => !free.includes(license));
  expect(others.map(({ name, license }) => `${name}: ${license}`)).toEqual([]);
});

test('dependencies of a package are imported by its code, not copied into it', () => {
  for (const { name, folder, dependencies = {} } of published) {
    const code = globSync('dist/**/*.{js,d.ts}', { cwd: folder }).map((file) =>
      readFileSync(join(folder, file), 'utf8'),
    );
    const unused = Object.keys(dependencies).filter(
      (dependency) => !code.some((text) => new RegExp(`["']${dependency}(?:/[^"']*)?["']`).test(text)),
    );
    expect([name, unused]).toEqual([name, []]);
  }
  const server = published.find(({ name }) => name === '@qwen/server');
  const bundles = globSync('dist/*.js', { cwd: server?.folder }).map((file) =>
    readFileSync(join(String(server?.folder), file), 'utf8'),
  );
  expect(bundles.join('')).toMatch(/from ?"@qwen\/sdk"/);
});

test('tests are not published, and only what `files` lists is', () => {
  verifies('S123');
  for (const { folder } of published) {
    const { files }: { readonly files: readonly string[] } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    const shipped = globSync(
      files.map((entry) => (/[*.]/.test(entry) ? entry : `${entry}/**/*.*`)),
      { cwd: folder },
    );
    expect(shipped.filter((path) => !/^(dist|bin|schema)\b/.test(path))).toEqual([]);
    expect(shipped.filter((path) => /\.(test|contract)\.|\.env|\.ts$(?<!\.d\.ts)/.test(path))).toEqual([]);
  }
});

test('no source file contains hidden characters', () => {
  verifies('S126');
  // A joiner between two pictures makes one picture of them and is seen; anywhere else it is hidden.
  const hidden =
    /[\u00AD\u180E\u200B\u200C\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]|(?<!\p{Extended_Pictographic}\uFE0F?)\u200D/u;
  const paths = globSync('{*,.*,{.ci,.github,.changeset,docs,e2e,examples,bench,tooling,packages}/**/*}', {
    cwd: ROOT,
    // A golden file holds what a person said, as it was written then.
    exclude: (name) => ['node_modules', 'dist', '.git', '.turbo', 'golden'].includes(name.split('/').at(-1) ?? name),
  }).filter((path) => /\.(ts|tsx|js|mjs|cjs|json|jsonl|md|yaml|yml|sh|py|txt|env)$|\/run$/.test(path));
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter((path) => hidden.test(readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
});
