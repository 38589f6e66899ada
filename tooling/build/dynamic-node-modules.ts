import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

const NAMESPACE = 'dynamic-node-module';

/**
 * Replaces `import()` of Node.js modules in libraries by `require`: in cached code (docs/decisions/0006), the first
 * `import()` prints a warning on stderr.
 */
export const dynamicNodeModules: Plugin = {
  name: 'dynamic-node-modules',
  setup(packing) {
    packing.onResolve({ filter: /^[\w:/]+$/ }, ({ path, kind, namespace }) => {
      const isPartOfNode = builtinModules.includes(path.replace(/^node:/, ''));
      return isPartOfNode && kind === 'dynamic-import' && namespace !== NAMESPACE
        ? { path, namespace: NAMESPACE }
        : undefined;
    });
    packing.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};
