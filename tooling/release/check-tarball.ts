import type { PublishedPackage } from './packages.ts';
import { run } from './run.ts';

/** npm needs these for provenance, and its page shows them. */
const METADATA = ['description', 'keywords', 'homepage', 'bugs', 'repository', 'license', 'engines'];

/** Two linters look at what a user would import. */
export async function lintTarball({ hasCommonJs }: PublishedPackage, tarball: string): Promise<void> {
  await run('publint', ['run', '--strict', tarball]);
  await run('attw', ['--no-emoji', '--profile', hasCommonJs ? 'strict' : 'esm-only', tarball]);
}

/** Throws if the tarball lacks what npm shows, or contains what users must not get. */
export async function checkContents({ name, version }: PublishedPackage, tarball: string): Promise<void> {
  const files = (await run('tar', ['-tzf', tarball])).trim().split('\n');
  const missing = ['LICENSE', 'README.md', 'package.json'].filter((file) => !files.includes(`package/${file}`));
  if (missing.length > 0) throw new Error(`${name}: the tarball has no ${missing.join(', ')}.`);
  const sources = files.filter((file) => /\.(test|contract)\.|\.env$|(?<!\.d)\.[cm]?tsx?$/.test(file));
  if (sources.length > 0) throw new Error(`${name}: the tarball contains ${sources.join(', ')}.`);

  const manifest = JSON.parse(await run('tar', ['-xzOf', tarball, 'package/package.json']));
  const empty = METADATA.filter((member) => manifest[member] === undefined);
  if (empty.length > 0) throw new Error(`${name}: package.json has no ${empty.join(', ')}.`);
  const ranges = Object.entries<string>({ ...manifest.dependencies, ...manifest.peerDependencies });
  const odd = ranges.filter(([other, range]) => (other.startsWith('@qwen/') ? range !== version : /:/.test(range)));
  if (odd.length > 0) throw new Error(`${name}: npm cannot install ${odd.map((pair) => pair.join('@')).join(', ')}.`);
}

/** The sum of the sizes of all files, in bytes. */
export async function unpackedSize(tarball: string): Promise<number> {
  const list = (await run('tar', ['-tvzf', tarball])).trim().split('\n');
  return list.reduce((sum, line) => sum + Number(/^\S+\s+\S+\s+(\d+)/.exec(line)?.[1] ?? 0), 0);
}
