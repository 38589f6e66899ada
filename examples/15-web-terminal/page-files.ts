import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

export interface PageFile {
  readonly type: string;
  readonly content: Uint8Array;
}

const PAGE = join(import.meta.dirname, 'page');
const BUILT: readonly (readonly [name: string, type: string])[] = [
  ['app.js', 'text/javascript; charset=utf-8'],
  ['style.css', 'text/css; charset=utf-8'],
];

/** The files that a page may load, by name. Nothing else is served. */
export async function buildPage(): Promise<ReadonlyMap<string, PageFile>> {
  const { outputFiles } = await build({
    entryPoints: [join(PAGE, 'app.ts'), join(PAGE, 'style.css')],
    outdir: PAGE,
    bundle: true,
    format: 'esm',
    target: 'es2023',
    write: false,
    logLevel: 'error',
  });
  const html = await readFile(join(PAGE, 'index.html'));
  return new Map([
    ['', { type: 'text/html; charset=utf-8', content: html }],
    ...BUILT.map(([name, type]) => {
      const built = outputFiles.find(({ path }) => path.endsWith(name));
      if (built === undefined) throw new Error(`the page has no ${name}`);
      return [name, { type, content: built.contents }] as const;
    }),
  ]);
}
