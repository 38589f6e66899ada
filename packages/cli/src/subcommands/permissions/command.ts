import type { Explanation } from '@qwen/agent';
import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { type Configuration, loadConfiguration } from '@qwen/host/config/load-config.js';
import { loadSettings } from '@qwen/host/config/load-settings.js';
import type { Flags } from '@qwen/host/flags/args.js';
import { escapeHidden, type PermissionMode } from '@qwen/protocol';
import type { SubcommandOptions } from '../subcommand.js';
import type { ReadWords } from '../words/read-words.js';
import type { PERMISSIONS } from './spec.js';

type RuleFlags = ReadWords<typeof PERMISSIONS.verbs.explain.flags>['flags'];

export async function configurationOf(flags: RuleFlags, options: SubcommandOptions): Promise<Configuration> {
  const { environment, cwd } = options;
  const permissionMode: PermissionMode | undefined = flags['permission-mode'];
  const runFlags: Flags = {
    allowedTools: flags['allowed-tools'] ?? [],
    excludeTools: flags['exclude-tools'] ?? [],
    ...(permissionMode !== undefined && { permissionMode }),
  };
  const settings = await loadSettings({ configDir: findConfigDir(environment, cwd), cwd, flags: runFlags });
  const agentFiles = { agents: [], notices: [] };
  return loadConfiguration({ flags: runFlags, environment, cwd, settings, agentFiles });
}

export function toLines({ behavior, decidedBy, rule, reason, shadowed, parts }: Explanation): string[] {
  const lines = [
    `${behavior}  ${decidedBy}${rule === undefined ? '' : `  ${rule}`}`,
    `  ${reason}`,
    ...(parts.length > 1
      ? parts.map((part) => `  ${part.behavior}  ${JSON.stringify(part.text)}  ${part.reason}`)
      : []),
    ...shadowed.map((other) => `  shadowed  ${other.behavior}  ${other.rule}`),
  ];
  return lines.map((line) => escapeHidden(line));
}
