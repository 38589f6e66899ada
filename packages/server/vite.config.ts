import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

// Builds the web page into `dist/web`, after `tsup` has emptied `dist`.
export default defineConfig({
  root: fileURLToPath(new URL('./web/', import.meta.url)),
  // The server may be mounted below a path of another app.
  base: './',
  // From source, because the packages may not be built yet.
  resolve: { conditions: ['@qwen/source', 'module', 'browser', 'production'] },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy forbids inline scripts.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Licenses of the bundled packages.
    license: { fileName: 'THIRD_PARTY_LICENSES.md' },
  },
  logLevel: 'warn',
});
