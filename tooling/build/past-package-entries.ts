import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** Files of our packages; paths of Windows have backslashes. */
export const OUR_SOURCE = /[\\/]packages[\\/][\w-]+[\\/]src[\\/].*\.tsx?$/;
const SOURCE_CONDITION = '@qwen/source';
const OUR_IMPORT = /^import \{([^}]*)\} from '(@qwen\/[\w/-]+)';/gm;
const REEXPORT = /^export \{([^}]*)\} from '\.\/([^']+)\.js';/gm;

type Origins = ReadonlyMap<string, string>;

/**
 * Rewrites imports from our packages to the files that define the names. The bundler splits by file: importing one name
 * from a package entry would load everything that anything imports from it. Imports of a package's published
 * dependencies stay.
 */
export const pastPackageEntries: Plugin = {
  name: 'past-package-entries',
  setup(build) {
    const known = new Map<string, Origins>();
    const installed = dependenciesOf(build.initialOptions.absWorkingDir ?? process.cwd());
    const originsOf = (specifier: string, importer: string): Origins => {
      const origins = known.get(specifier) ?? readOrigins(specifier, importer);
      known.set(specifier, origins);
      return origins;
    };
    build.onLoad({ filter: OUR_SOURCE }, async ({ path }) => ({
      loader: path.endsWith('x') ? 'tsx' : 'ts',
      contents: (await readFile(path, 'utf8')).replaceAll(OUR_IMPORT, (statement, names: string, specifier: string) =>
        installed.has(packageOf(specifier))
          ? statement
          : (directImports(listNames(names), originsOf(specifier, path)) ?? statement),
      ),
    }));
  },
};

function directImports(names: readonly string[], origins: Origins): string | undefined {
  const lines: string[] = [];
  for (const name of names) {
    if (name.startsWith('type ')) continue;
    const file = origins.get(name.split(' as ')[0] ?? name);
    if (file === undefined) return undefined;
    lines.push(`import { ${name} } from ${JSON.stringify(file)};`);
  }
  return lines.join(' ');
}

/** `specifier` is one of our packages or a subpath such as `@qwen/agent/node`. */
function readOrigins(specifier: string, importer: string): Origins {
  const packageName = packageOf(specifier);
  const entry = specifier.split('/').slice(2);
  // A package resolves only its own dependencies.
  const manifestFile = createRequire(importer).resolve(`${packageName}/package.json`);
  const manifest: { exports: Readonly<Record<string, Readonly<Record<string, string>>>> } = JSON.parse(
    readFileSync(manifestFile, 'utf8'),
  );
  const source = manifest.exports[['.', ...entry].join('/')]?.[SOURCE_CONDITION];
  if (source === undefined) throw new Error(`${specifier} names no source in its package.json.`);
  const entryFile = join(dirname(manifestFile), source);
  const origins = new Map<string, string>();
  for (const [, names = '', file = ''] of readFileSync(entryFile, 'utf8').matchAll(REEXPORT)) {
    for (const name of listNames(names)) origins.set(name, join(dirname(entryFile), `${file}.ts`));
  }
  return origins;
}

/** `@qwen/agent` for `@qwen/agent/node`. */
function packageOf(specifier: string): string {
  return specifier.split('/', 2).join('/');
}

function dependenciesOf(folder: string): ReadonlySet<string> {
  const { dependencies = {} }: { dependencies?: object } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  return new Set(Object.keys(dependencies));
}

function listNames(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
