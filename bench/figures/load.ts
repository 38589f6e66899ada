import { join } from 'node:path';
import { build } from 'esbuild';
import { BARE_NODE, wholeProcess } from '../harness/child.ts';
import type { Bench, Figure } from '../harness/figure.ts';
import { interleave, type Sampler } from '../harness/interleave.ts';
import { median } from '../harness/statistics.ts';
import { createWorkspace } from '../harness/workspace.ts';

/** A program with one import, and the workspace package that depends on it. */
interface Subject {
  readonly source: string;
  readonly from: string;
}

const SUBJECTS: Readonly<Record<string, Subject>> = {
  'an empty module': { from: 'protocol', source: 'export {};' },
  'node:child_process': { from: 'sdk', source: "import { spawn } from 'node:child_process'; export { spawn };" },
  execa: { from: 'tools', source: "import { execa } from 'execa'; export { execa };" },
  'zod/mini': {
    from: 'protocol',
    source: "import * as z from 'zod/mini'; export const schema = z.object({ a: z.string() });",
  },
  zod: { from: 'protocol', source: "import * as z from 'zod'; export const schema = z.object({ a: z.string() });" },
  openai: { from: 'models', source: "import OpenAI from 'openai'; export { OpenAI };" },
  '@google/genai': { from: 'models', source: "import { GoogleGenAI } from '@google/genai'; export { GoogleGenAI };" },
  'MCP client': {
    from: 'tools',
    source: "import { Client } from '@modelcontextprotocol/client'; export { Client };",
  },
  'MCP server': {
    from: 'sdk',
    source: "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'; export { McpServer };",
  },
};

/** CommonJS packages need `require`, which modules do not have. */
const BANNER = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/**
 * Time that one import adds to a process, bundled and run to the end, minus a bare node. Also with a warm compile
 * cache, which the CLI has and an app may not.
 */
export const load: Bench = async ({ quick }) => {
  await using workspace = await createWorkspace();
  const samplers: Record<string, Sampler<number>> = { bare: () => wholeProcess(BARE_NODE) };
  const env = workspace.env('');
  const cachedEnv = { ...env, NODE_COMPILE_CACHE: join(workspace.root, 'compile-cache') };
  for (const [index, [name, subject]] of Object.entries(SUBJECTS).entries()) {
    const bundle = await bundled(subject, join(workspace.root, `${index}.mjs`));
    samplers[name] = () => wholeProcess({ args: [bundle], env });
    samplers[`${name}, cached`] = () => wholeProcess({ args: [bundle], env: cachedEnv });
  }
  const samples = await interleave(quick ? 1 : 21, samplers);
  const bare = median(samples['bare'] ?? []);
  return Object.keys(samples)
    .filter((name) => name !== 'bare')
    .map(
      (name): Figure => ({
        name: `load ${name}`,
        value: median(samples[name] ?? []) - bare,
        unit: 'ms',
        baseline: { name: 'node -e 0', value: bare },
      }),
    );
};

async function bundled({ from, source }: Subject, outfile: string): Promise<string> {
  const resolveDir = join(import.meta.dirname, '..', '..', 'packages', from);
  await build({
    stdin: { contents: source, resolveDir },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    minifySyntax: true,
    minifyWhitespace: true,
    banner: { js: BANNER },
    logLevel: 'error',
  });
  return outfile;
}
