import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { loadConfiguration } from '@qwen/host/config/load-config.js';
import { loadSettings } from '@qwen/host/config/load-settings.js';
import { explainFromConfiguration, viewRules } from '@qwen/host/explain-call.js';
import type { Flags } from '@qwen/host/flags/args.js';
import type { SubcommandOptions } from '../subcommand.js';
import type { FileRules } from './serve-module.js';

/**
 * Current permission rules for files in a folder. Deny rules of a project apply even without trust. Rejects with
 * `invalid_settings`, so that nothing is exposed.
 */
export async function readFolderRules(
  folder: string,
  { environment }: Pick<SubcommandOptions, 'environment'>,
): Promise<FileRules> {
  const flags: Flags = { allowedTools: [], excludeTools: [] };
  const settings = await loadSettings({ configDir: findConfigDir(environment, folder), cwd: folder, flags });
  const agentFiles = { agents: [], notices: [] };
  const configuration = loadConfiguration({ flags, environment, cwd: folder, settings, agentFiles });
  const { hides } = await viewRules(configuration);
  return {
    hides,
    locks: async (path) => {
      const call = { name: 'write_file', input: { file_path: path, content: '' } };
      // The caller of the server is the user, so "ask" counts as allowed.
      return (await explainFromConfiguration(call, 'yolo', configuration)).behavior === 'deny';
    },
  };
}
