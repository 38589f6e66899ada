import { temporaryFolder } from '@qwen/testkit';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { inkInCommonJs } from './ink-in-common-js.ts';

test('an upgrade of ink that no longer fits stops the build', async () => {
  await using folder = await temporaryFolder();
  const entry = await folder.write('node_modules/ink/build/reconciler.js', 'export const mode = 1;');
  const bundling = build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    logLevel: 'silent',
    plugins: [inkInCommonJs],
  });
  await expect(bundling).rejects.toThrow('This version of ink');
});
