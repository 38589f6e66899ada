import { globSync } from 'node:fs';
import { BUILTIN_TOOL_NAMES } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { DOCS, UNPUBLISHED } from './docs.ts';
import { siteLink } from './repository-links.ts';
import { createSidebar, GROUPS } from './sidebar.ts';
import { documentedTools, toolPages } from './tool-pages.ts';

test('the sidebar contains every page of the docs once', () => {
  const pages = globSync('**/*.md', { cwd: DOCS }).filter(
    (page) => !UNPUBLISHED.has(page) && !page.startsWith('decisions/'),
  );
  expect(Object.values(GROUPS).flat().toSorted()).toEqual(pages.map((page) => page.replace(/\.md$/, '')).toSorted());
});

test('the sidebar shows the titles of pages', () => {
  const items = createSidebar().flatMap((group) => group.items ?? []);
  expect(items).toContainEqual({ text: 'openSession()', link: '/qwen-session' });
  expect(items).toContainEqual({ text: 'read_file', link: '/tools/read_file' });
});

test('each built-in tool has a page that describes every member of its input', () => {
  const pages = toolPages();
  expect([...pages.keys()]).toEqual([...BUILTIN_TOOL_NAMES.map((name) => `${name}.md`), 'index.md']);
  for (const tool of documentedTools()) {
    const page = pages.get(`${tool.name}.md`) ?? '';
    expect(page).toContain(tool.description);
    expect(page).toContain(JSON.stringify(tool.inputSchema, null, 2));
    for (const member of Object.keys(Object(tool.inputSchema['properties'])))
      expect(page).toContain(`| \`${member}\` |`);
  }
});

test('a member states its type, whether it is required, and its limits', () => {
  expect(toolPages().get('read_many_files.md')).toMatch(
    /^\| `paths` \| array of string \| yes \| .*`maxItems` 100 \|$/m,
  );
});

test.each([
  ['sdk.md', 'permissions.md', 'permissions.md'],
  ['sdk.md', '#limits', '#limits'],
  ['sdk.md', 'https://example.com', 'https://example.com'],
  ['decisions/0003-one-bundle.md', '../architecture.md', '../architecture.md'],
  ['sdk.md', '../examples', 'https://github.com/qwen-agent/qwen/tree/main/examples'],
  ['sdk.md', '../AGENTS.md#rules', 'https://github.com/qwen-agent/qwen/blob/main/AGENTS.md#rules'],
  ['architecture.md', 'conformance.md', 'https://github.com/qwen-agent/qwen/blob/main/docs/conformance.md'],
  ['architecture.md', 'decisions', 'https://github.com/qwen-agent/qwen/tree/main/docs/decisions'],
])('on %s a link to %s leads to %s', (page, href, target) => {
  expect(siteLink(page, href)).toBe(target);
});

test('a link to a file that does not exist is an error', () => {
  expect(() => siteLink('sdk.md', '../no-such-file.ts')).toThrow(
    'docs/sdk.md links to ../no-such-file.ts, which does not exist.',
  );
});
