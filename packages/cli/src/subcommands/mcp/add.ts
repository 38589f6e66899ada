import { keepTrust } from '@qwen/host/config/keep-trust.js';
import { changeServerFile } from '@qwen/host/mcp/server-file.js';
import { readEndpoint } from '@qwen/tools';
import type { Subcommand } from '../subcommand.js';
import { readServer } from './read-server.js';
import { settingsTarget } from './settings-target.js';

/** Replaces a server of the same name. */
export const runMcpAdd: Subcommand = async (options) => {
  const { name, scope, config } = readServer(options.words);
  const place = settingsTarget(scope, options);
  // Rejects an invalid endpoint before writing.
  readEndpoint(name, config);
  const { path, configDir, scope: origin } = place;
  const { result: wasThere, isTrusted } = await keepTrust({ configDir, cwd: options.cwd }, () =>
    changeServerFile({ path, name, config, origin }),
  );
  await options.print(`${wasThere ? 'Changed' : 'Added'} the MCP server ${name} in ${path}\n`);
  if (place.scope !== 'user' && !isTrusted) options.printError('project servers start once the folder is trusted');
  return 0;
};
