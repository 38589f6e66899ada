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
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
  },
  esbuildPlugins: [lightProviderClients],
  esbuildOptions(options) {
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
  onSuccess: () => writeThirdPartyLicenses('dist'),
});
