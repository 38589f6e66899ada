// Prints which packages are loaded by importing our package and making the tools, as a CLI does at its start.
import { registerHooks } from 'node:module';

const packages = new Set<string>();
registerHooks({
  resolve(specifier, context, next) {
    const name = /^(?:@[^/]+\/)?[^./][^/]*/.exec(specifier)?.[0];
    if (name !== undefined && !name.includes(':')) packages.add(name);
    return next(specifier, context);
  },
});
const { builtinTools } = await import('@qwen/tools');
const declared = builtinTools().map(({ inputSchema }) => inputSchema);
process.stdout.write(`${JSON.stringify({ declared: declared.length, packages: [...packages].toSorted() })}\n`);
