import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const DEVELOPER_MODE = "process.env['DEV'] === 'true'";
const LAYOUT_ENGINE = fileURLToPath(new URL('../../packages/terminal/src/layout-engine.ts', import.meta.url));

/**
 * Bundles Ink as CommonJS, which has no top-level `await`. `yoga-layout` uses one to start its WebAssembly layout engine;
 * here, `startLayoutEngine()` starts it before the first render. Removes Ink's developer tools. Throws if an upgrade of
 * Ink breaks the patch.
 */
export const inkInCommonJs: Plugin = {
  name: 'ink-in-common-js',
  setup(build) {
    build.onResolve({ filter: /^yoga-layout$/ }, ({ importer }) =>
      importer.includes('node_modules') ? { path: 'yoga-layout', namespace: 'layout-engine' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'layout-engine' }, () => ({
      contents: `export { layoutEngine as default } from ${JSON.stringify(LAYOUT_ENGINE)};`,
      resolveDir: fileURLToPath(new URL('../../packages/terminal', import.meta.url)),
    }));
    build.onLoad({ filter: /[\\/]ink[\\/]build[\\/]reconciler\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes(DEVELOPER_MODE)) {
        throw new Error('This version of ink starts its developer tools differently: adapt ink-in-common-js.ts to it.');
      }
      return { contents: source.replaceAll(DEVELOPER_MODE, 'false') };
    });
  },
};
