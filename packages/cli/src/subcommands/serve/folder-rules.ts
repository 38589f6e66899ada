import { loadConfiguration } from '@qwen/host/config/load-config.js';
import { loadSettings } from '@qwen/host/config/load-settings.js';
import { findQwenHome } from '@qwen/host/config/qwen-home.js';
import { explainFromConfiguration, viewRules } from '@qwen/host/explain-call.js';
import type { Flags } from '@qwen/host/flags/args.js';
import type { SubcommandOptions } from '../subcommand.js';
import type { FileRules } from './serve-module.js';

/**
 * What the settings say about the files of a folder, as they are now, by the steps that decide about the tools of an
 * agent there. Deny rules of a project count whether or not it is trusted (S49). Rejects with `invalid_settings`: what
 * the rules are is not known then, so nothing is shown (S51).
 */
export async function readFolderRules(
  folder: string,
  { environment }: Pick<SubcommandOptions, 'environment'>,
): Promise<FileRules> {
  const flags: Flags = { allowedTools: [], excludeTools: [] };
  const settings = await loadSettings({ qwenHome: findQwenHome(environment, folder), cwd: folder, flags });
  const agentFiles = { agents: [], notices: [] };
  const configuration = loadConfiguration({ flags, environment, cwd: folder, settings, agentFiles });
  const { hides } = await viewRules(configuration);
  return {
    hides,
    locks: async (path) => {
      const call = { name: 'write_file', input: { file_path: path, content: '' } };
      // Whoever may call the server is the person: what would be asked about is theirs to do.
      return (await explainFromConfiguration(call, 'yolo', configuration)).behavior === 'deny';
    },
  };
}
