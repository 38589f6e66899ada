import { transform } from 'esbuild';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['plugins']>[number];

/** A dynamic import of one of our own chunks. */
const OF_A_CHUNK = /\bimport\(("\.\/[\w-]+\.cjs")\)/g;

/**
 * Writes each chunk as CommonJS, which a process loads with less work than as a module (docs/decisions/0005). The
 * bundler splits modules only, so the chunks are made as such and translated one by one. What is not ours stays a
 * dynamic import: it may be a module.
 */
export const commonJsChunks: Plugin = {
  name: 'common-js-chunks',
  async renderChunk(source) {
    const required = source.replaceAll(OF_A_CHUNK, 'Promise.resolve().then(() => require($1))');
    const { code } = await transform(required, {
      format: 'cjs',
      platform: 'node',
      target: 'node22',
      minifyWhitespace: true,
      minifySyntax: true,
      define: { 'import.meta.url': 'chunkUrl' },
      banner: `"use strict";${required.includes('import.meta.url') ? CHUNK_URL : ''}`,
    });
    return { code };
  },
};

const CHUNK_URL = 'const chunkUrl = require("node:url").pathToFileURL(__filename).href;';
