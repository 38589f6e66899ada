import { readFileSync } from 'node:fs';

const manifest: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../../packages/protocol/package.json', import.meta.url), 'utf8'),
);

/** For the option `define` of a bundler: what `QWEN_VERSION` of @qwen/protocol is. */
export const versionDefine = { __QWEN_VERSION__: JSON.stringify(manifest.version) };
