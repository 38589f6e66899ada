import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '../config/load-config.js';
import type { McpServerChoice } from '../config/mcp-servers.js';

export const PROJECT_FILE = '.mcp.json';

const NONE: McpServerChoice = { inApp: [], outside: {} };

/**
 * The servers of the workspace's `.mcp.json`; each connects only after the user approved its definition. Rejects
 * with `invalid_settings`.
 */
export async function discoverServers({ cwd, readsMcpFile }: Configuration): Promise<McpServerChoice> {
  const path = join(cwd, PROJECT_FILE);
  if (!readsMcpFile || !existsSync(path)) return NONE;
  const { readServerFile } = await import('./server-file.js');
  return readServerFile(path, 'mcp_json');
}
