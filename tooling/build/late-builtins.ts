import { isBuiltin } from 'node:module';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const NAMESPACE = 'late-builtin';
/** Parts of Node that load when the first of their functions is called. */
const LATE = new Set(['child_process', 'fs/promises', 'timers/promises']);
const IDENTIFIER = /^[A-Za-z]\w*$/;

/**
 * Takes the parts of Node past the modules that Node makes of them: to name what such a module exports, Node reads every
 * member, and with `fs` and `util` alone that loads readline, streams of files and worker threads, a tenth of what the
 * SDK takes to load. For ES modules; `require()` has no such names to make.
 */
export const lateBuiltins: Plugin = {
  name: 'late-builtins',
  setup(build) {
    build.onResolve({ filter: /^(?:node:)?[\w/]+$/ }, ({ path, kind }) =>
      kind === 'import-statement' && isBuiltin(path)
        ? { path: path.replace('node:', ''), namespace: NAMESPACE, sideEffects: false }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, async ({ path }) => ({
      contents: listMembers(path, await import(`node:${path}`)).join('\n'),
    }));
  },
};

function listMembers(path: string, builtin: object): string[] {
  const load = `process.getBuiltinModule('node:${path}')`;
  return Object.entries(builtin)
    .filter(([name]) => name !== 'default' && IDENTIFIER.test(name))
    .map(([name, value]) => {
      // A class cannot be made late: it may be asked for with `new`.
      const isLate = LATE.has(path) && typeof value === 'function' && !/^[A-Z]/.test(name);
      const member = isLate ? `(...given) => ${load}.${name}(...given)` : `/* @__PURE__ */ (() => ${load}.${name})()`;
      return `export const ${name} = ${member};`;
    });
}
