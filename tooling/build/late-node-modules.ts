import type { Plugin } from 'esbuild';

const NAMESPACE = 'late-node-module';
/** Parts of Node that tools and stored sessions need and a new session without tool calls does not. */
const LATE = /^(?:node:)?(?:fs|timers)\/promises$/;

/**
 * Loads some parts of Node when the first of their members is used. The sources import them at the top of their files,
 * as files of Node's own are imported; they cost a turn more than all the files that it reads and writes.
 */
export const lateNodeModules: Plugin = {
  name: 'late-node-modules',
  setup(packing) {
    packing.onResolve({ filter: LATE }, ({ path, namespace }) =>
      namespace === NAMESPACE ? { path, external: true } : { path, namespace: NAMESPACE },
    );
    packing.onLoad({ filter: LATE, namespace: NAMESPACE }, async ({ path }) => {
      const members: object = await import(path);
      const names = Object.keys(members).filter((name) => name !== 'default');
      const getters = names.map((name) => `get ${name}() { return require(${JSON.stringify(path)}).${name}; }`);
      return { contents: `module.exports = { ${getters.join(', ')} };` };
    });
  },
};
