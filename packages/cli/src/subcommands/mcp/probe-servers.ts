import { homedir } from 'node:os';
import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { loadSettings } from '@qwen/host/config/load-settings.js';
import type { McpServerChoice, McpServerOrigin } from '@qwen/host/config/mcp-servers.js';
import { serverSandbox } from '@qwen/host/config/sandbox-choice.js';
import { ServerConnector } from '@qwen/host/mcp/connect-server.js';
import type { McpServerStatus } from '@qwen/host/mcp/managed-server.js';
import { McpPool } from '@qwen/host/mcp/mcp-pool.js';
import type { SubcommandOptions } from '../subcommand.js';
import { describePlace } from './known-servers.js';

export interface ProbedServer {
  readonly name: string;
  readonly status: McpServerStatus;
  readonly origin: McpServerOrigin;
  readonly tools: readonly string[];
  readonly place: string;
  readonly error?: string | undefined;
}

/** Connects in parallel, lazy servers included, then disconnects. */
export async function probeServers(
  servers: McpServerChoice,
  { cwd, environment }: Pick<SubcommandOptions, 'cwd' | 'environment'>,
): Promise<readonly ProbedServer[]> {
  const configDir = findConfigDir(environment, cwd);
  const pool = new McpPool({
    connector: new ServerConnector({
      cwd,
      stateDirectory: configDir,
      environment: process.env,
      sandboxFor: async (requested) => {
        const settings = await loadSettings({ configDir, cwd, flags: {} });
        return serverSandbox(requested, { settings, additionalRoots: [], cwd, homeDirectory: homedir(), configDir });
      },
    }),
    onChanged: () => undefined,
    announce: () => undefined,
  });
  pool.add(servers);
  await Promise.all(pool.servers.map((server) => server.connect().catch(() => undefined)));
  const probed = pool.servers.flatMap(({ name, status, error, tools }) => {
    const definition = servers.outside[name];
    if (definition === undefined) return [];
    const { origin } = definition;
    return [{ name, status, origin, tools: tools.map((tool) => tool.name), place: describePlace(definition), error }];
  });
  await pool.close();
  return probed;
}
