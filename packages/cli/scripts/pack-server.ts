import { existsSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const { resolve } = createRequire(import.meta.url);
/** What the program takes from the server. */
const USED = ['createServer', 'readOrMintToken'];
const NAMESPACE = 'server-apart';
const SERVER = dirname(resolve('@qwen/server/package.json'));

/**
 * Leaves the server out of the program and names the file that {@link packServer} makes of it. Bundled together they would
 * share what both use of a library, and each thing that only the server uses would load with the first line of every run.
 */
export const serverApart: Plugin = {
  name: 'server-apart',
  setup(bundling) {
    bundling.onResolve({ filter: /^@qwen\/server$/ }, ({ path }) => ({ path, namespace: NAMESPACE }));
    bundling.onResolve({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({ path, external: true }));
    // Required and not imported: the program's own loader keeps what V8 compiled of it.
    bundling.onLoad({ filter: /.*/, namespace: NAMESPACE }, () => ({
      contents: `export const { ${USED.join(', ')} } = require("./server.cjs");`,
    }));
  },
};

/** Puts `server.cjs`, the thread that it starts and its web page into the folder of a build. */
export async function packServer(folder: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: {
      server: join(SERVER, 'src/index.ts'),
      'database-thread': join(SERVER, 'src/log/sqlite/database-thread.ts'),
    },
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    conditions: ['@qwen/source'],
    external: ['@vscode/ripgrep'],
    minifyWhitespace: true,
    minifySyntax: true,
    metafile: true,
    define: { 'import.meta.url': 'fileUrl' },
    banner: { js: 'const fileUrl = require("node:url").pathToFileURL(__filename).href;' },
  });
  // The licences of what is in it are told with those of the rest.
  await writeFile(join(folder, 'metafile-server.json'), JSON.stringify(metafile));
  const page = join(SERVER, 'dist/web');
  // Built on its own the program has no page; `pnpm build` builds the server first.
  if (existsSync(page)) await cp(page, join(folder, 'web'), { recursive: true });
}
