import { pastPackageEntries } from '@qwen/build/past-package-entries.js';
import { writeThirdPartyLicenses } from '@qwen/build/third-party-licenses.js';
import { versionDefine } from '@qwen/build/version.js';
import { defineConfig } from 'tsup';

// Bundles tools and commands, whose packages would install many unused dependencies.
export default defineConfig({
  // The thread of the SQLite store needs its own file.
  entry: { index: 'src/index.ts', 'database-thread': 'src/log/sqlite/database-thread.ts' },
  // Optional, so not bundled.
  external: ['bullmq', 'ioredis'],
  format: 'esm',
  target: 'node22',
  clean: true,
  splitting: true,
  metafile: true,
  sourcemap: true,
  define: versionDefine,
  // `node:sqlite` exists only with the prefix.
  removeNodeProtocol: false,
  esbuildPlugins: [pastPackageEntries],
  esbuildOptions(options) {
    options.conditions = ['@qwen/source'];
    options.minifyWhitespace = true;
  },
  onSuccess: () => writeThirdPartyLicenses('dist'),
});
