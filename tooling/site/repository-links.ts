import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UNPUBLISHED } from './docs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REPOSITORY = 'https://github.com/qwen-agent/qwen';

/**
 * Where a link of the page `docs/<page>` leads on the site: files of the repository that are not pages are opened on
 * GitHub. Throws for a file that does not exist.
 */
export function siteLink(page: string, href: string): string {
  if (/^(?:[a-z]+:|#|\/)/i.test(href)) return href;
  const [path = '', fragment] = href.split('#');
  const target = posix.join('docs', posix.dirname(page), path);
  const isPage = target.startsWith('docs/') && target.endsWith('.md') && !UNPUBLISHED.has(target.slice(5));
  // Generated pages are in the content folder only.
  if (isPage || /^docs\/(?:api|tools)\//.test(target)) return href;
  // Written by `pnpm conformance`, so a fresh clone may lack it.
  const isFolder = existsSync(join(ROOT, target)) && statSync(join(ROOT, target)).isDirectory();
  if (!existsSync(join(ROOT, target)) && !UNPUBLISHED.has(target.slice(5))) {
    throw new Error(`docs/${page} links to ${href}, which does not exist.`);
  }
  return `${REPOSITORY}/${isFolder ? 'tree' : 'blob'}/main/${target}${fragment === undefined ? '' : `#${fragment}`}`;
}
