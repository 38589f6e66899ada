import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { dynamicNodeModules } from './dynamic-node-modules.ts';

/**
 * Chunks that load together go into one file: each group contains these modules and their static imports, except those
 * of an earlier group. Chunks without a group stay separate files.
 */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  start: ['src/main.ts', 'src/modes/stream-json.ts'],
  turn: ['../host/src/compose.ts'],
  calls: ['../agent/src/loop/run-tools.ts'],
  client: ['../models/src/openai-compatible/index.ts'],
  terminal: ['../terminal/src/run-terminal.tsx'],
};
/** Groups without chunks that others import: importing one would load the whole group. */
const APART: ReadonlySet<string> = new Set(['terminal']);

type Places = ReadonlyMap<string, string>;

/**
 * Packs the chunks of a bundle into few CommonJS files, which load faster than ES modules (docs/decisions/0006). Reads
 * the bundler's metafile in `folder` and replaces the chunks there.
 */
export async function packChunks(folder: string): Promise<void> {
  const metafile: Metafile = JSON.parse(await readFile(join(folder, 'metafile-esm.json'), 'utf8'));
  const outputs = Object.fromEntries(Object.entries(metafile.outputs).filter(([path]) => path.endsWith('.js')));
  const places = placeChunks(outputs);
  const chunksOf = (file: string) => [...places].filter(([, place]) => place === file).map(([chunk]) => chunk);
  const files = [...new Set(places.values())];
  const foreign = new Set(
    Object.keys(outputs)
      .filter((path) => isForeign(outputs[path]))
      .map(toName),
  );
  const withDefault = new Set(
    Object.keys(outputs)
      .filter((path) => outputs[path]?.exports.includes('default'))
      .map(toName),
  );
  await Promise.all(files.map((file) => pack({ folder, file, chunks: chunksOf(file), places, foreign, withDefault })));
  await Promise.all(
    [...places.keys()].flatMap((chunk) =>
      ['.js', '.js.map'].map((end) => rm(join(folder, chunk + end), { force: true })),
    ),
  );
}

function isForeign(output: Metafile['outputs'][string] | undefined): boolean {
  const inputs = Object.entries(output?.inputs ?? {});
  const bytesOf = (some: typeof inputs) => some.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
  const ofOthers = inputs.filter(([path]) => path.includes('node_modules/'));
  return bytesOf(ofOthers) > 0.9 * bytesOf(inputs);
}

function placeChunks(outputs: Metafile['outputs']): Places {
  const places = new Map<string, string>();
  for (const [group, entries] of Object.entries(GROUPS)) {
    const members = new Set<string>();
    for (const entry of entries) addWithImports(members, findEntry(outputs, entry), outputs);
    if (APART.has(group)) removeShared(members, entries, outputs);
    for (const path of members) if (!places.has(toName(path))) places.set(toName(path), group);
  }
  for (const path of Object.keys(outputs)) if (!places.has(toName(path))) places.set(toName(path), toName(path));
  return places;
}

function findEntry(outputs: Metafile['outputs'], entry: string): string {
  const path = Object.keys(outputs).find((candidate) => outputs[candidate]?.entryPoint === entry);
  if (path === undefined) throw new Error(`The bundle has no chunk of its own for ${entry}.`);
  return path;
}

function addWithImports(members: Set<string>, path: string, outputs: Metafile['outputs']): void {
  if (members.has(path)) return;
  members.add(path);
  for (const { kind, path: imported, external } of outputs[path]?.imports ?? []) {
    if (kind === 'import-statement' && external !== true) addWithImports(members, imported, outputs);
  }
}

/** Removing a chunk also removes its imports. */
function removeShared(members: Set<string>, entries: readonly string[], outputs: Metafile['outputs']): void {
  const outside = Object.keys(outputs).filter((path) => !members.has(path));
  for (const path of outside) {
    for (const { path: imported } of outputs[path]?.imports ?? []) {
      const isEntry = entries.includes(outputs[imported]?.entryPoint ?? '');
      if (!isEntry && members.delete(imported)) outside.push(imported);
    }
  }
}

interface PackedFile {
  readonly folder: string;
  readonly file: string;
  readonly chunks: readonly string[];
  readonly places: Places;
  /**
   * Chunks of dependencies. Their names are minified and they get no source map: stack traces rarely show them, and they
   * are a third of the size.
   */
  readonly foreign: ReadonlySet<string>;
  /** Chunks with a default export, such as a CommonJS package. */
  readonly withDefault: ReadonlySet<string>;
}

async function pack({ folder, file, chunks, places, foreign, withDefault }: PackedFile): Promise<void> {
  const isGroup = Object.hasOwn(GROUPS, file);
  const isLibrary = chunks.every((chunk) => foreign.has(chunk));
  const contents = chunks
    .map((chunk) => {
      if (isGroup) return `export * as "${chunk}" from "./${chunk}.js";`;
      // `export *` omits the default export.
      return `export * from "./${chunk}.js";${withDefault.has(chunk) ? `export { default } from "./${chunk}.js";` : ''}`;
    })
    .join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder, sourcefile: file },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    packages: 'external',
    outfile: join(folder, `${file}.cjs`),
    sourcemap: isLibrary ? false : 'external',
    sourcesContent: false,
    // Node.js prints the whole source line of an uncaught error.
    lineLimit: 160,
    minifyWhitespace: true,
    minifySyntax: true,
    minifyIdentifiers: isLibrary,
    define: { 'import.meta.url': 'fileUrl' },
    plugins: [acrossFiles({ folder, file, places }), dynamicNodeModules],
  });
  const [packed = '', map = ''] = ['.cjs', '.cjs.map'].map(
    (ending) => outputFiles.find(({ path }) => path.endsWith(ending))?.text,
  );
  const text = inAscii(packed.replaceAll(MEMBER_OF_GROUP, 'require("$1")["$2"]'));
  const mapped = isLibrary ? '' : `//# sourceMappingURL=${file}.cjs.map\n`;
  const program = `"use strict";${text.includes('fileUrl') ? FILE_URL : ''}\n${text}${mapped}`;
  // `bin/load-program.js` checks with it that a cache entry belongs to this file.
  const digest = createHash('sha256').update(program).digest('hex').slice(0, 16);
  await writeFile(join(folder, `${file}.cjs`), `${program}//${digest}\n`);
  if (!isLibrary) await writeFile(join(folder, `${file}.cjs.map`), startAtLineTwo(map));
}

/**
 * esbuild leaves regular expressions as they are. One character beyond Latin-1 doubles the memory of the source and
 * takes 1 ms of each start.
 */
function inAscii(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function startAtLineTwo(map: string): string {
  const { mappings, ...others } = JSON.parse(map);
  return JSON.stringify({ ...others, mappings: `;${mappings}` });
}

const FILE_URL = 'const fileUrl = require("node:url").pathToFileURL(__filename).href;';

/** Imports chunks of other files at run time. Chunks of this file are inlined, side effects included. */
function acrossFiles({ folder, file, places }: Pick<PackedFile, 'folder' | 'file' | 'places'>): Plugin {
  return {
    name: 'across-files',
    setup(packing) {
      packing.onResolve({ filter: /^\.\/.*\.js$/ }, ({ path, kind }) => {
        const chunk = toName(path);
        if (places.get(chunk) === file) return { path: resolve(folder, path), sideEffects: true };
        // `require()` instead of a dynamic import.
        if (kind === 'dynamic-import') return { path: chunk, namespace: 'other-file' };
        return { path: addressOf(chunk, places), external: true };
      });
      packing.onResolve({ filter: /^\.\/.*\.cjs(?:#.*)?$/ }, ({ path }) => ({ path, external: true }));
      packing.onLoad({ filter: /.*/, namespace: 'other-file' }, ({ path: chunk }) => ({
        contents: `module.exports = require(${JSON.stringify(addressOf(chunk, places))});`,
      }));
    },
  };
}

/** The file of a chunk, followed by `#` and the export's name if it is a group. */
function addressOf(chunk: string, places: Places): string {
  const place = places.get(chunk) ?? chunk;
  return place === chunk ? `./${place}.cjs` : `./${place}.cjs#${chunk}`;
}

const MEMBER_OF_GROUP = /require\("(\.\/[\w-]+\.cjs)#([\w-]+)"\)/g;

function toName(path: string): string {
  return basename(path, '.js');
}
