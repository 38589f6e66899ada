import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

interface Patch {
  readonly library: string;
  readonly changes: readonly (readonly [text: string, replacement: string])[];
}

const PATCHES: readonly (readonly [file: RegExp, patch: Patch])[] = [
  [/[\\/]ink[\\/]build[\\/]reconciler\.js$/, { library: 'ink', changes: [["process.env['DEV'] === 'true'", 'false']] }],
  [
    // It would read its own text through `fetch`, which loads a network stack.
    /[\\/]yoga-layout[\\/]dist[\\/]binaries[\\/]yoga-wasm-base64-esm\.js$/,
    { library: 'yoga-layout', changes: [['typeof fetch', '"undefined"']] },
  ],
  [
    // The pattern of all emoji takes longer to compile than the first screen. Every emoji contains one of the others.
    /[\\/]string-width[\\/]index\.js$/,
    {
      library: 'string-width',
      changes: [
        [
          'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
          'let allEmoji; const someEmoji = /\\uFE0F|\\p{Emoji_Presentation}/u; const rgiEmojiRegex = ' +
            '{ test: (text) => someEmoji.test(text) && (allEmoji ??= /^\\p{RGI_Emoji}$/v).test(text) };',
        ],
      ],
    },
  ],
];
const LAYOUT_ENGINE = fileURLToPath(new URL('../../packages/terminal/src/layout-engine.ts', import.meta.url));

/**
 * Bundles Ink as CommonJS, which has no top-level `await`. `yoga-layout` uses one to start its WebAssembly layout engine;
 * here, `startLayoutEngine()` starts it before the first render. Removes Ink's developer tools and what makes its start
 * slow. Throws if an upgrade of a library breaks a patch.
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
    for (const [file, { library, changes }] of PATCHES) {
      build.onLoad({ filter: file }, async ({ path }) => {
        let source = await readFile(path, 'utf8');
        for (const [text, replacement] of changes) {
          if (!source.includes(text)) {
            throw new Error(`This version of ${library} no longer fits: adapt ink-in-common-js.ts to it.`);
          }
          source = source.replaceAll(text, replacement);
        }
        return { contents: source };
      });
    }
  },
};
