import { fileURLToPath } from 'node:url';
import { inkInCommonJs } from '@qwen/build/ink-in-common-js.js';
import { ownUuids } from '@qwen/build/own-uuids.js';
import { packChunks } from '@qwen/build/pack-chunks.js';
import { pastPackageEntries } from '@qwen/build/past-package-entries.js';
import { providerClients } from '@qwen/build/provider-clients.js';
import { writeThirdPartyLicenses } from '@qwen/build/third-party-licenses.js';
import { versionDefine } from '@qwen/build/version.js';
import { withoutMeanings } from '@qwen/build/without-meanings.js';
import { defineConfig } from 'tsup';

const MCP_SHIMS = fileURLToPath(import.meta.resolve('@qwen/build/mcp-shims.js'));

// Everything is bundled and what loads later stays a chunk (docs/decisions/0003), packed into few CommonJS files
// (0006). Our names are kept: stack traces stay readable.
export default defineConfig({
  entry: ['src/main.ts'],
  format: 'esm',
  target: 'node22',
  clean: true,
  splitting: true,
  metafile: true,
  sourcemap: true,
  // Users of `qwen serve` install the server separately.
  noExternal: [/^(?!@qwen\/server$)/],
  external: ['@vscode/ripgrep', '@qwen/server'],
  esbuildPlugins: [withoutMeanings, inkInCommonJs, ownUuids, providerClients, pastPackageEntries],
  define: {
    ...versionDefine,
    // zod writes and compiles a function for each schema that it uses, which one turn does not pay back.
    'globalThis.__zod_globalConfig': '{ "jitless": true }',
    // React's production build.
    'process.env.NODE_ENV': '"production"',
  },
  esbuildOptions(options) {
    // Our other packages as they are written, not as they were built: one bundler splits them all.
    options.conditions = ['@qwen/source'];
    // Its other build asks for its parts with a `require` that no bundler sees.
    options.alias = {
      ...options.alias,
      'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
      '@modelcontextprotocol/client/_shims': MCP_SHIMS,
      '@modelcontextprotocol/server/_shims': MCP_SHIMS,
    };
    // A name that a lighter module left out must not be missed at run time only.
    options.logOverride = { 'import-is-undefined': 'error' };
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
  onSuccess: async () => {
    await packChunks('dist');
    await writeThirdPartyLicenses('dist');
  },
});
