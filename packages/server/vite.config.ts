import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

// The web page: from `web/` into `dist/web`, which `tsup` has emptied before.
export default defineConfig({
  root: fileURLToPath(new URL('./web/', import.meta.url)),
  // The server may be mounted below a path of somebody's own app.
  base: './',
  // The page is built before or beside the packages that it uses.
  resolve: { conditions: ['@qwen/source', 'module', 'browser', 'production'] },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the page forbids scripts in it.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // What is bundled wants its licences to come along.
    license: { fileName: 'THIRD_PARTY_LICENSES.md' },
  },
  logLevel: 'warn',
});
