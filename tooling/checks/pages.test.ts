import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const pages = globSync('{*.md,docs/**/*.md,packages/*/README.md,examples/README.md}', { cwd: ROOT }).filter(
  (page) => page !== join('docs', 'conformance.md'),
);

test.each(pages)('%s refers only to existing files', (page) => {
  verifies('T33');
  const text = readFileSync(join(ROOT, page), 'utf8');
  const named = [...text.matchAll(/`((?:packages|e2e|examples|bench|docs|tooling)\/[\w./-]+)`/g)].map(
    ([, path = '']) => path,
  );
  const linked = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, path = '']) =>
    join(dirname(page), path),
  );
  // Written by `pnpm conformance`, so a fresh clone may be without it.
  const missing = [...named, ...linked].filter(
    (path) => !path.endsWith('conformance.md') && !existsSync(join(ROOT, path)),
  );
  expect(missing).toEqual([]);
});

test.each(pages)('%s links only to existing headings', (page) => {
  verifies('T33');
  const links = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)];
  const missing = links.filter(([, path = '', anchor = '']) => {
    const target = path === '' ? page : join(dirname(page), path);
    return target.endsWith('.md') && !anchorsOf(target).includes(anchor);
  });
  expect(missing.map(([link]) => link)).toEqual([]);
});

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/^```[^]*?^```$/gm, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}
