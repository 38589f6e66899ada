import { glob, readFile, rm, writeFile } from 'node:fs/promises';
import { ownUuids } from '@qwen/build/own-uuids.js';
import { defineConfig, type Options } from 'tsup';

const resolveSources: NonNullable<Options['esbuildOptions']> = (options) => {
  options.conditions = ['@qwen/source', 'node'];
  options.chunkNames = '[name]-[hash]';
};

// ES modules go to dist, CommonJS to dist/cjs. Nothing is minified: stack traces must be readable.
const settings = (format: 'esm' | 'cjs'): Options => ({
  outDir: format === 'esm' ? 'dist' : 'dist/cjs',
  format,
  target: 'node22',
  splitting: false,
  sourcemap: true,
  removeNodeProtocol: false,
  // CommonJS has no `import.meta.url`, from which the SDK finds the CLI.
  shims: format === 'cjs',
  noExternal: [/^@qwen\/protocol/, /^zod/, /^@modelcontextprotocol\/sdk/, /^ajv/, /^eventsource-parser/],
  outExtension: () => ({ js: '.js' }),
  esbuildPlugins: [serveToolsOnDemand(format === 'esm' ? './' : '../'), mainEntryOnce(), ownUuids],
  esbuildOptions(options, context) {
    resolveSources(options, context);
    // The maps of the ES modules contain the same sources.
    options.sourcesContent = format === 'esm';
  },
});

const entries = {
  'ai/index': 'src/ai/index.ts',
  'bundle/index': 'src/bundle/index.ts',
  'claude/index': 'src/claude/index.ts',
  'claude/sdk-tools/index': 'src/claude/sdk-tools/index.ts',
  'stores/index': 'src/stores/index.ts',
  'terminal/index': 'src/terminal/index.ts',
  'testing/index': 'src/testing/index.ts',
};

// Not with the option `clean`: the builds run in parallel, in one folder.
await rm('dist', { recursive: true, force: true });

export default defineConfig([
  // Splitting keeps what `query()` does not need in files that load on demand.
  { ...settings('esm'), entry: { index: 'src/index.ts' }, splitting: true, onSuccess: keepOwnSources },
  // Not in the first build: sharing zod with them would double what the main entry loads.
  {
    ...settings('esm'),
    metafile: true,
    entry: { ...entries, 'serve-tools': 'src/mcp/serve-tools.ts' },
    esbuildOptions(options, context) {
      resolveSources(options, context);
      // Mostly the MCP library.
      options.sourcesContent = false;
    },
  },
  { ...settings('cjs'), metafile: true, entry: { index: 'src/index.ts', ...entries } },
]);

/** `./ai` and `./claude` use the main entry, whose classes must exist once; its path is the same in both formats. */
function mainEntryOnce(): NonNullable<Options['esbuildPlugins']>[number] {
  return {
    name: 'main-entry-once',
    setup: (build) => {
      build.onResolve({ filter: /^\.\.\/index\.js$/ }, ({ path, importer }) =>
        /[\\/]src[\\/](ai|claude)[\\/]/.test(importer) ? { path, external: true } : undefined,
      );
    },
  };
}

/** The maps contain our sources, for debuggers, but not those of libraries: zod alone is 260 kB. */
async function keepOwnSources(): Promise<void> {
  for await (const file of glob('dist/*.js.map')) {
    const map: { sources: string[]; sourcesContent?: (string | null)[] } = JSON.parse(await readFile(file, 'utf8'));
    if (map.sourcesContent === undefined) continue;
    map.sourcesContent = map.sourcesContent.map((text, i) => (map.sources[i]?.includes('node_modules') ? null : text));
    await writeFile(file, JSON.stringify(map));
  }
}

/** The MCP library is bundled once, as an ES module; `folder` is where both formats find it. */
function serveToolsOnDemand(folder: string): NonNullable<Options['esbuildPlugins']>[number] {
  return {
    name: 'serve-tools-on-demand',
    setup: (build) => {
      build.onResolve({ filter: /\/serve-tools\.js$/ }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: `${folder}serve-tools.js`, external: true } : undefined,
      );
    },
  };
}
