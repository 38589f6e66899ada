import type { CallFacts, CallPath } from '@qwen/agent';
import { RuleSet } from '../src/permission/rule-set.js';
import type { PermissionRules } from '../src/permission/rules.js';

/** The workspace of the permission tests: `/w/app` is a link to `/real/app`. */
export const ANCHORS = { root: '/w/app', realRoot: '/real/app', home: '/home/me' };

/** A path below the workspace, or an absolute one outside of it. */
export function path(name: string, access: 'read' | 'write' = 'read'): CallPath {
  if (name.startsWith('/')) return { path: name, realPath: name, insideRoots: false, access };
  return { path: `/w/app/${name}`, realPath: `/real/app/${name}`, insideRoots: true, access };
}

/** A link: named below the workspace, really elsewhere. */
export function link(name: string, realPath: string, access: 'read' | 'write' = 'read'): CallPath {
  return { path: `/w/app/${name}`, realPath, insideRoots: realPath.startsWith('/real/app/'), access };
}

export const reads = (...names: readonly string[]): CallFacts => ({
  toolName: 'read_file',
  aliases: [],
  kind: 'read',
  paths: names.map((name) => path(name)),
});

export const edits = (...names: readonly string[]): CallFacts => ({
  toolName: 'edit',
  aliases: [],
  kind: 'edit',
  paths: names.map((name) => path(name, 'write')),
});

export const runs = (command: string, ...paths: readonly CallPath[]): CallFacts => ({
  toolName: 'run_shell_command',
  aliases: [],
  kind: 'execute',
  paths,
  command,
});

/** A tool of an MCP server. */
export const uses = (toolName: string): CallFacts => ({ toolName, aliases: [], kind: 'other', paths: [] });

export function ruleSet(rules: Partial<PermissionRules>): RuleSet {
  return new RuleSet({ allow: [], ask: [], deny: [], ...rules }, ANCHORS);
}
