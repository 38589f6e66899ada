import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Options } from 'tsup';
import { shortenNames } from './short-names.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const LAYOUT_ENGINE = fileURLToPath(new URL('../../packages/terminal/src/layout-engine.ts', import.meta.url));
const SEGMENTER = 'const segmenter = new Intl.Segmenter();';
const LATE_SEGMENTER = `let made;
const segmenter = { segment: (text) => (made ??= new Intl.Segmenter()).segment(text) };`;
/** For who works on Ink itself. What it asks for is waited for. */
const DEVELOPER_MODE = "process.env['DEV'] === 'true'";

/**
 * Lets Ink be packed as CommonJS, which cannot wait at the top of a file: the layout engine, a WebAssembly module, is
 * started by whoever renders, and what Ink does for its own developers is left out.
 */
export const lightInk: Plugin = {
  name: 'light-ink',
  setup(build) {
    build.onResolve({ filter: /^yoga-layout$/ }, ({ importer }) =>
      importer.includes('node_modules') ? { path: 'yoga-layout', namespace: 'layout-engine' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'layout-engine' }, () => ({
      contents: `export { layoutEngine as default } from ${JSON.stringify(LAYOUT_ENGINE)};`,
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    }));
    // It would ask the network stack to read the engine, which stands in the file itself.
    build.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, async ({ path }) => ({
      contents: await shortenNames(`const fetch = undefined;\n${await readFile(path, 'utf8')}`),
    }));
    // The data of the language are read with the first text that needs them.
    build.onLoad({ filter: /string-width@8[^]*[\\/]index\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes(SEGMENTER)) throw new Error(`${path} parts texts in another way now.`);
      return { contents: await shortenNames(source.replace(SEGMENTER, LATE_SEGMENTER)) };
    });
    build.onLoad({ filter: /ink[\\/]build[\\/]reconciler\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes(DEVELOPER_MODE)) throw new Error(`${path} asks for its developers in another way now.`);
      return { contents: await shortenNames(source.replaceAll(DEVELOPER_MODE, 'false')) };
    });
  },
};
