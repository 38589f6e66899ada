// `pnpm docs:build`: writes the pages to dist/content, then builds the site into dist/site. Needs built packages, no network.
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { writeApiReference } from './api-reference.ts';
import { copyDocs } from './docs.ts';
import { writeToolPages } from './tool-pages.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const content = `${here}dist/content`;

await rm(`${here}dist`, { recursive: true, force: true });
await copyDocs(content);
await writeToolPages(`${content}/tools`);
await writeApiReference(`${content}/api`);
if (!process.argv.includes('--content-only')) await build(here);
