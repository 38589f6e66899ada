import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    files: 'src/files/write-file-atomic.ts',
    roots: 'src/paths/workspace-roots.ts',
    sandbox: 'src/sandbox/attached.ts',
  },
  format: 'esm',
  target: 'node22',
  clean: true,
});
