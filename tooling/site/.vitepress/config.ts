import { defineConfig, type MarkdownOptions } from 'vitepress';
import { siteLink } from '../repository-links.ts';
import { createSidebar } from '../sidebar.ts';

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

export default defineConfig({
  title: 'qwen',
  description: 'A coding agent for your terminal, with a TypeScript SDK and an HTTP server.',
  srcDir: 'dist/content',
  outDir: 'dist/site',
  cacheDir: 'dist/cache',
  cleanUrls: true,
  ignoreDeadLinks: false,
  markdown: { html: false, config: extendMarkdown },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: createSidebar(),
    outline: 'deep',
    nav: [
      { text: 'Guide', link: '/first-run' },
      { text: 'Tools', link: '/tools/' },
      { text: 'API', link: '/api/' },
      { text: 'Changelog', link: 'https://github.com/qwen-agent/qwen/blob/main/CHANGELOG.md' },
    ],
    socialLinks: [{ icon: 'github', link: 'https://github.com/qwen-agent/qwen' }],
  },
});

function extendMarkdown(markdown: MarkdownIt): void {
  const { rules } = markdown.renderer;
  // Vue would evaluate `{{args}}`, which is the syntax of custom commands here.
  for (const name of ['text', 'code_inline'] as const) {
    const render = rules[name];
    if (render !== undefined) rules[name] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;');
  }
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null;
      if (href !== null) token.attrSet('href', siteLink(env.relativePath, href));
    }
  });
}
