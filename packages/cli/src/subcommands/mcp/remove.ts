import { AgentError } from '@qwen/protocol';
import { keepTrust } from '../../config/keep-trust.js';
import { changeServerFile } from '../../mcp/server-file.js';
import type { Subcommand } from '../subcommand.js';
import { onlyName, readWords } from './read-words.js';
import { settingsPlace } from './settings-place.js';

/** Takes a server out of a settings file. Throws `usage` when it is not there. */
export const runMcpRemove: Subcommand = async (options) => {
  const { flags, rest } = readWords(options.words, { scope: { type: 'string', short: 's', default: 'user' } });
  const name = onlyName(rest);
  const { path, mode, qwenHome, scope: origin } = settingsPlace(flags.scope, options);
  const { result: wasThere } = await keepTrust({ qwenHome, cwd: options.cwd }, () =>
    changeServerFile({ path, name, mode, origin }),
  );
  if (!wasThere) {
    throw new AgentError('usage', `mcp remove: ${path} has no MCP server ${name}`);
  }
  await options.print(`Removed the MCP server ${name} from ${path}\n`);
  return 0;
};
