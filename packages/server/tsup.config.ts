import { pastPackageEntries } from '@qwen/build/past-package-entries.js';
import { writeThirdPartyLicenses } from '@qwen/build/third-party-licenses.js';
import { versionDefine } from '@qwen/build/version.js';
import { defineConfig } from 'tsup';

// What it uses of our tools and commands is bundled: installed as packages they would bring all that they can do along.
export default defineConfig({
  // The thread of the SQLite store is started by its file, which therefore lies beside the rest.
  entry: { index: 'src/index.ts', 'database-thread': 'src/log/sqlite/database-thread.ts' },
  format: 'esm',
  target: 'node22',
  clean: true,
  splitting: true,
  metafile: true,
  sourcemap: true,
  define: versionDefine,
  // `node:sqlite` has no other name.
  removeNodeProtocol: false,
  esbuildPlugins: [pastPackageEntries],
  esbuildOptions(options) {
    options.conditions = ['@qwen/source'];
    options.minifyWhitespace = true;
  },
  onSuccess: () => writeThirdPartyLicenses('dist'),
});
