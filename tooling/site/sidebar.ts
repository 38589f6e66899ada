import { globSync, readFileSync } from 'node:fs';
import { BUILTIN_TOOL_NAMES } from '@qwen/protocol';
import { DOCS } from './docs.ts';

export interface SidebarItem {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: SidebarItem[];
}

/** Every page of `docs` by group, in reading order. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Terminal: ['first-run', 'terminal', 'terminal-input', 'commands', 'editors', 'ci'],
  Permissions: ['permissions', 'sandbox', 'hooks', 'settings', 'threat-model'],
  SDK: ['sdk', 'qwen-session', 'testing', 'deploying-apps', 'remote'],
  Features: [
    'models',
    'model-calls',
    'evals',
    'robustness',
    'sessions',
    'mcp',
    'subagents',
    'skills',
    'plugins',
    'memory',
    'background',
    'rewind',
    'web',
    'telemetry',
    'features',
  ],
  'Any language': [
    'openai-lines',
    'dialects',
    'conformance-kit',
    'compatibility',
    'claude-agent-sdk',
    'from-qwen-code',
  ],
  Server: [
    'server',
    'http-api',
    'cloud-api',
    'server-log',
    'web-page',
    'security',
    'deployment',
    'operations',
    'scale-out',
  ],
  Internals: ['protocol', 'control-requests', 'architecture', 'benchmarks'],
  Contributing: globSync('contributing/*.md', { cwd: DOCS })
    .map((page) => page.replace(/\.md$/, ''))
    .toSorted(),
};

export function createSidebar(): SidebarItem[] {
  const groups = Object.entries(GROUPS).map(([text, pages]) => group(text, pages));
  const tools = group(
    'Built-in tools',
    BUILTIN_TOOL_NAMES.map((name) => `tools/${name}`),
  );
  return [...groups.slice(0, 2), tools, ...groups.slice(2), { text: 'API reference', link: '/api/' }];
}

function group(text: string, pages: readonly string[]): SidebarItem {
  return { text, collapsed: false, items: pages.map((page) => ({ text: titleOf(page), link: `/${page}` })) };
}

function titleOf(page: string): string {
  if (page.startsWith('tools/')) return page.slice('tools/'.length);
  const [, title = page] = /^# (.*)$/m.exec(readFileSync(`${DOCS}/${page}.md`, 'utf8')) ?? [];
  return title.replaceAll('`', '');
}
