import { keepTrust } from '@qwen/host/config/keep-trust.js';
import { changeServerFile } from '@qwen/host/mcp/server-file.js';
import { AgentError } from '@qwen/protocol';
import type { Subcommand } from '../subcommand.js';
import { readWords } from '../words/read-words.js';
import { onlyName } from './only-name.js';
import { settingsTarget } from './settings-target.js';
import { MCP } from './spec.js';

/** Throws `usage` if it is missing. */
export const runMcpRemove: Subcommand = async (options) => {
  const { flags, rest } = readWords(options.words, { command: 'mcp remove', flags: MCP.verbs.remove.flags });
  const name = onlyName(rest);
  const { path, configDir, scope: origin } = settingsTarget(flags.scope ?? 'user', options);
  const { result: wasThere } = await keepTrust({ configDir, cwd: options.cwd }, () =>
    changeServerFile({ path, name, origin }),
  );
  if (!wasThere) {
    throw new AgentError('usage', `mcp remove: ${path} has no MCP server ${name}`);
  }
  await options.print(`Removed the MCP server ${name} from ${path}\n`);
  return 0;
};
