import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const NAMESPACE = 'used-members';
/** Loaded by `const name = await import('name')`, of which the loading file uses `name.member`. */
const LIBRARIES = /^jose$/;

/**
 * What a file of others loads on demand comes whole, as the bundler cannot tell what is asked of it. Of these libraries
 * only those members are bundled that the text of the loading file names: a quarter of `jose`.
 */
export const usedMembers: Plugin = {
  name: 'used-members',
  setup(build) {
    build.onResolve({ filter: LIBRARIES }, ({ path, kind, importer }) =>
      kind === 'dynamic-import' ? { path, namespace: NAMESPACE, pluginData: importer } : undefined,
    );
    build.onLoad({ filter: LIBRARIES, namespace: NAMESPACE }, ({ path, pluginData: importer }) => {
      const uses = readFileSync(importer, 'utf8').matchAll(new RegExp(`\\b${path}\\.(\\w+)`, 'g'));
      const members = new Set([...uses].map(([, member]) => member));
      return { contents: `export { ${[...members].join(', ')} } from '${path}';`, resolveDir: dirname(importer) };
    });
  },
};
