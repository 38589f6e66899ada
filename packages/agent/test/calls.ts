import { posix } from 'node:path';
import type { CallFacts, CallPath, GitHazards, ResolvedPath } from '@qwen/agent';
import type { ShellFacts } from '../src/permission/call-facts.js';
import { RuleSet } from '../src/permission/rule-set.js';
import type { PermissionRules } from '../src/permission/rules.js';
import { readShellCommand } from '../src/permission/shell/read-shell-command.js';
import { foundFilesKey, gitFoldersOf } from '../src/permission/shell/reading-guard.js';
import type { ShellReading } from '../src/permission/shell/shell-reading.js';

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
  shell: readsShell(command),
});

/** The files of a command, as if there were no links. */
function readsShell(command: string): ShellFacts {
  const reading = readShellCommand(command, { folder: ANCHORS.realRoot, workspace: ANCHORS.realRoot });
  const named = reading.commands.flatMap(({ readOnlyFiles, wraps }) => [
    ...(readOnlyFiles ?? []),
    ...(wraps?.readOnlyFiles ?? []),
  ]);
  const opened = reading.files.flatMap(({ path: name }) => (name === undefined ? [] : [name]));
  const found = [...named, ...opened].map((name): [string, ResolvedPath] => {
    const realPath = posix.normalize(name);
    const insideRoots = realPath === ANCHORS.realRoot || realPath.startsWith(`${ANCHORS.realRoot}/`);
    return [name, { path: realPath, realPath, insideRoots }];
  });
  const git = new Map(gitFoldersOf(reading).map((folder): [string, GitHazards] => [folder, {}]));
  return { reading, paths: new Map(found), folders: new Set(), git, found: foundFiles(reading), below: new Map() };
}

/** As if no program found a file that leads elsewhere. */
function foundFiles({ commands }: ShellReading): ReadonlyMap<string, undefined> {
  const all = commands.flatMap((command) => [command, command.wraps ?? command]);
  return new Map(
    all.flatMap(({ finds, folders = [] }) =>
      finds === undefined
        ? []
        : folders.map((folder): [string, undefined] => [foundFilesKey(finds, folder), undefined]),
    ),
  );
}

/** A tool of an MCP server. */
export const uses = (toolName: string): CallFacts => ({ toolName, aliases: [], kind: 'other', paths: [] });

export function ruleSet(rules: Partial<PermissionRules>): RuleSet {
  return new RuleSet({ allow: [], ask: [], deny: [], ...rules }, ANCHORS);
}
