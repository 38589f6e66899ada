import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '../config/load-config.js';
import type { McpServerChoice } from '../config/mcp-servers.js';

/** What other programs call it too. */
export const PROJECT_FILE = '.mcp.json';

const NONE: McpServerChoice = { inApp: [], outside: {} };

/**
 * The servers that the `.mcp.json` of the workspace names. Each of them connects only once the user has approved its
 * definition. Rejects with `invalid_settings`.
 */
export async function discoverServers({ cwd, readsMcpFile }: Configuration): Promise<McpServerChoice> {
  const path = join(cwd, PROJECT_FILE);
  if (!readsMcpFile || !existsSync(path)) return NONE;
  const { readServerFile } = await import('./server-file.js');
  return readServerFile(path, 'mcp_json');
}
