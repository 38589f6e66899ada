import { findQwenHome } from '../../config/qwen-home.js';
import { ServerConnector } from '../../mcp/connect-server.js';
import { McpPool } from '../../mcp/mcp-pool.js';
import type { Subcommand } from '../subcommand.js';
import { describePlace, knownServers } from './known-servers.js';
import { readWords } from './read-words.js';

/** Connects to every known server and prints how that went: a line each, or with `--json` one JSON array. */
export const runMcpList: Subcommand = async (options) => {
  const { flags } = readWords(options.words, { json: { type: 'boolean' } });
  const { cwd, environment, print } = options;
  const servers = await knownServers(options);
  const pool = new McpPool({
    connector: new ServerConnector({
      cwd,
      stateDirectory: findQwenHome(environment, cwd),
      environment: process.env,
    }),
    onChanged: () => undefined,
    announce: () => undefined,
  });
  pool.add(servers);
  // Also those that would wait for their first call: this is about whether they work.
  await Promise.all(pool.servers.map((server) => server.connect().catch(() => undefined)));
  const rows = pool.servers.flatMap(({ name, status, error, tools }) => {
    const definition = servers.outside[name];
    if (definition === undefined) return [];
    const { origin } = definition;
    return [{ name, status, origin, tools: tools.length, place: describePlace(definition), error }];
  });
  await pool.close();
  if (flags.json === true) {
    await print(`${JSON.stringify(rows, undefined, 2)}\n`);
    return 0;
  }
  const lines = rows.map(({ name, status, tools, place, error }) => {
    const how = error === undefined ? `${status}, ${tools} tools` : `${status}: ${error}`;
    return `${name}: ${place} - ${how}\n`;
  });
  await print(lines.join('') || 'There are no MCP servers; add one with qwen mcp add.\n');
  return 0;
};
