import { defineConfig } from 'tsup';
import { lightProviderClients } from './scripts/light-provider-clients.js';
import { writeThirdPartyLicenses } from './scripts/third-party-licenses.js';

// Everything is bundled and what loads later stays a chunk (docs/decisions/0003). Names are kept: stack traces stay readable.
export default defineConfig({
  entry: ['src/main.ts', 'src/headless.ts'],
  format: 'esm',
  target: 'node22',
  clean: true,
  splitting: true,
  metafile: true,
  noExternal: [/.*/],
  external: ['@vscode/ripgrep'],
  // For the CommonJS inside of the bundle. In every chunk, so it does nothing before it is called.
  banner: {
    js: "const require = (name) => process.getBuiltinModule('node:module').createRequire(import.meta.url)(name);",
  },
  esbuildPlugins: [lightProviderClients],
  esbuildOptions(options) {
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
  onSuccess: () => writeThirdPartyLicenses('dist'),
});
