import { readFileSync } from 'node:fs';

const manifest: { readonly version: string; readonly homepage: string; readonly bugs: string } = JSON.parse(
  readFileSync(new URL('../../packages/protocol/package.json', import.meta.url), 'utf8'),
);

/** For the option `define` of a bundler: the version and URLs of package.json. */
export const versionDefine = {
  __QWEN_VERSION__: JSON.stringify(manifest.version),
  __QWEN_HOMEPAGE__: JSON.stringify(manifest.homepage),
  __QWEN_ISSUES_URL__: JSON.stringify(manifest.bugs),
};
