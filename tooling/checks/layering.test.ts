import { fileURLToPath } from 'node:url';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { findBreaches } from './layering/find-breaches.js';
import { readSource } from './layering/read-source.js';
import { parse } from './layering/syntax.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('every import between packages follows the layering rules', () => {
  verifies('T1', 'T24', 'T25', 'T35', 'T37', 'CF-54');
  expect(findBreaches(ROOT)).toEqual([]);
});

/** A file that breaks one rule, and what must be said of it. */
const PLANTED = [
  ['packages/protocol/src/a.ts', "import { z } from 'valibot';", 'imports valibot'],
  ['packages/protocol/src/a.ts', "import 'node:fs';", 'protocol runs on any JavaScript engine: node:fs'],
  ['packages/protocol/src/a.ts', "import type { M } from '@qwen/models';", 'imports @qwen/models (types)'],
  ['packages/sdk/src/a.ts', "const cli = import('@qwen/cli');", 'imports @qwen/cli'],
  ['packages/sdk/src/a.ts', "type A = import('@qwen/agent').A;", 'imports @qwen/agent (types)'],
  ['packages/server/src/a.ts', "export { a } from '@qwen/agent';", 'imports @qwen/agent'],
  ['packages/agent/src/a.ts', "import { type Model } from '@qwen/models';", 'imports @qwen/models'],
  ['packages/agent/src/a.ts', "import OpenAI from 'openai';", 'imports openai'],
  ['packages/agent/src/index.ts', 'const home = globalThis.process.env;', 'index.ts and uses process'],
  ['packages/agent/src/index.ts', "import { stat } from 'node:fs/promises';", 'index.ts and uses node:fs/promises'],
  ['packages/cli/src/a.ts', "import { serve } from '@qwen/server';", 'imports @qwen/server'],
  ['packages/cli/src/a.ts', "import { x } from '@qwen/agent/src/x.js';", 'reaches into @qwen/agent/src/x.js'],
  [
    'packages/cli/src/a.ts',
    "import { x } from '../../agent/src/x.js';",
    'leaves packages/cli/src/ by ../../agent/src/x.js',
  ],
  ['packages/cli/src/a.ts', "import { x } from '../test/x.js';", 'leaves packages/cli/src/ by ../test/x.js'],
  ['packages/cli/src/a.test.ts', "import { x } from '../../agent/x.js';", 'leaves packages/cli/ by ../../agent/x.js'],
  [
    'packages/tools/test/a.ts',
    "import { x } from '../../agent/src/x.js';",
    'leaves packages/tools/ by ../../agent/src/x.js',
  ],
  ['e2e/a/a.test.ts', "import { x } from '../../packages/sdk/src/x.ts';", 'leaves e2e/ by ../../packages/sdk/src/x.ts'],
  ['bench/a.ts', "import { x } from '@qwen/agent/src/x.js';", 'reaches into @qwen/agent/src/x.js'],
  ['packages/cli/src/a.ts', "import { verifies } from '@qwen/testkit';", 'imports @qwen/testkit'],
  ['packages/cli/src/a.ts', "console.log('x');", 'writes to stdout'],
  ['packages/cli/src/a.ts', 'const out = process.stdout;', 'writes to stdout'],
  ['packages/cli/src/a.ts', "fs.writeSync(1, 'x');", 'writes to stdout'],
  ['packages/cli/src/a.ts', "import { createInterface } from 'node:readline';", 'imports node:readline'],
  ['packages/cli/src/a.ts', "export * from './b.js';", 'export *'],
  ['packages/cli/src/helpers/a.ts', '', 'folder called helpers'],
  ['packages/cli/src/ControlPeer.ts', '', 'a name that is not kebab-case'],
  ['packages/cli/src/dialects/a.ts', 'process.exitCode = 1;', 'a dialect does no input or output: process'],
  ['packages/cli/src/main.ts', "import OpenAI from 'execa';", 'loads execa when packages/cli/src/main.ts starts'],
  ['packages/cli/src/a.ts', 'const a = JSON.parse(text) as Config;', 'a cast where data should be parsed'],
  ['packages/cli/src/a.ts', 'const a = b as unknown as Config;', 'a cast where data should be parsed'],
  ['packages/cli/src/a.ts', 'class Log { static level = 1; }', 'static state that changes'],
  [
    'packages/cli/src/a.ts',
    'const SIZES: Readonly<Record<string, number>> = { a: 1 }; export const f = (a: string) => SIZES[a];',
    'a lookup that also finds "constructor"',
  ],
  ['packages/cli/src/a.ts', 'f();\n'.repeat(351), '351 lines, more than 350'],
  ['packages/cli/src/a.test.ts', "vi.mock('node:fs');", 'a module mock'],
  ['packages/cli/src/a.test.ts', "test.skip('x', () => {});", 'a test that is skipped or runs alone'],
  ['packages/unheard-of/src/a.ts', "import 'x';", 'has no place in the layering'],
] as const;

test.each(PLANTED)('a planted breach is found: %s with %.60s', async (path, text, complaint) => {
  await using tree = await temporaryFolder();
  await tree.write(path, text);
  expect(findBreaches(tree.path).join('\n')).toContain(complaint);
});

test('breaches that need two files are found', async () => {
  await using tree = await temporaryFolder();
  await tree.write('packages/cli/src/a.ts', "import type { B } from './b.js';");
  await tree.write('packages/cli/src/b.ts', "import type { A } from './a.js';");
  await tree.write('packages/cli/src/modes/print.ts', '');
  await tree.write('packages/cli/src/control/controllers/hook-controller.ts', '');
  await tree.write(
    'packages/cli/src/control/controllers/system-controller.ts',
    "import '../../modes/print.js'; import './hook-controller.js'; import './controller.js';",
  );
  const found = findBreaches(tree.path);
  expect(found).toHaveLength(3);
  expect(found[0]).toContain('imports itself by way of packages/cli/src/a.ts → packages/cli/src/b.ts');
  expect(found[1]).toContain('neither a mode nor another controller: packages/cli/src/control/controllers/hook-c');
  expect(found[2]).toContain('neither a mode nor another controller: packages/cli/src/modes/print.ts');
});

test('imports that only resemble a breach pass', () => {
  const facts = readSource(
    parse(
      `
    // process.stdout.write, import 'node:fs'
    const text = "console.log(1); export * from 'x'";
    const { process: renamed } = child;
    child.process.kill(); const shape = { console: 1 };
  `,
      'ts',
    ),
  );
  expect(facts).toEqual({ imports: [], hasExportAll: false, globals: new Set(), writesStdout: false });
  expect(readSource(parse('if (process.stdout.isTTY) {}', 'ts')).writesStdout).toBe(false);
});
