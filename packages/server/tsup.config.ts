import { defineConfig } from 'tsup';

export default defineConfig({
  // The thread of the SQLite store is started by its file, which therefore lies beside the rest.
  entry: { index: 'src/index.ts', 'database-thread': 'src/log/sqlite/database-thread.ts' },
  format: 'esm',
  target: 'node22',
  // `node:sqlite` has no other name.
  removeNodeProtocol: false,
  clean: true,
});
