import { createRequire } from 'node:module';
import { temporaryFolder } from '@qwen/testkit';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { inkInCommonJs } from './ink-in-common-js.ts';

const TERMINAL = new URL('../../packages/terminal/package.json', import.meta.url);

test.each([
  ['ink', 'ink/build/reconciler.js'],
  ['yoga-layout', 'yoga-layout/dist/binaries/yoga-wasm-base64-esm.js'],
  ['string-width', 'string-width/index.js'],
])('an upgrade of %s that no longer fits stops the build', async (library, file) => {
  await using folder = await temporaryFolder();
  const entry = await folder.write(`node_modules/${file}`, 'export const mode = 1;');
  const bundling = build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    logLevel: 'silent',
    plugins: [inkInCommonJs],
  });
  await expect(bundling).rejects.toThrow(`This version of ${library} no longer fits`);
});

test('patched, string-width returns the same widths for every code point and emoji', async () => {
  await using folder = await temporaryFolder();
  const outfile = folder.resolve('patched.mjs');
  const entry = createRequire(createRequire(TERMINAL).resolve('ink')).resolve('string-width');
  await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', plugins: [inkInCommonJs] });
  const [{ default: patched }, { default: original }] = await Promise.all([import(outfile), import(entry)]);
  const points = Array.from({ length: 0x3_0000 }, (_, point) => String.fromCodePoint(point));
  const sequences = [...points.slice(0x20, 0x33_00), ...points.slice(0x1_f0_00, 0x1_fb_00)].flatMap((text) => [
    `${text}\uFE0F`,
    `${text}\u{1F3FB}`,
  ]);
  const known = [
    '\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}',
    '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
    '\u{1F1E9}\u{1F1EA}',
    '1\u{FE0F}\u{20E3}',
    '#\u{20E3}',
    '\u{2764}\u{FE0F}\u{200D}\u{1F525}',
    '\u{261D}\u{1F3FD}',
    '\u{2695}',
    '\u{1F9D1}\u{1F3FE}\u{200D}\u{1F680}',
    '\u{304B}\u{309A}',
    '\u{FF76}\u{FF9E}',
    '\u{AC01}',
  ];
  const differing = [...points, ...sequences, ...known].filter((text) => patched(text) !== original(text));
  expect(differing).toEqual([]);
});
