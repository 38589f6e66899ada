import { AgentError, encodeDocument, escapeHidden } from '@qwen/protocol';
import type { Subcommand } from '../subcommand.js';
import { wantsJson } from '../words/json-flags.js';
import { readWords } from '../words/read-words.js';
import { knownServer, knownServers } from './known-servers.js';
import { type ProbedServer, probeServers } from './probe-servers.js';
import { MCP } from './spec.js';

export const runMcpList: Subcommand = async (options) => {
  const { flags } = readWords(options.words, { command: 'mcp list', flags: MCP.verbs.list.flags, onlyFlags: true });
  const rows = await probeServers(await knownServers(options), options);
  if (wantsJson(flags)) {
    const document = rows.map(({ tools, ...row }) => ({ ...row, tools: tools.length }));
    await options.print(encodeDocument(document));
    return 0;
  }
  await options.print(rows.map(toLine).join('') || 'No MCP servers. Add one with qwen mcp add.\n');
  return 0;
};

/** Exit code 1 if a server cannot be reached. */
export const runMcpTest: Subcommand = async (options) => {
  const { flags, rest: names } = readWords(options.words, { command: 'mcp test', flags: MCP.verbs.test.flags });
  if (names.length === 0) throw new AgentError('usage', 'mcp test: expected server names; see qwen mcp list');
  const found = await Promise.all(names.map(async (name) => [name, await knownServer(name, options)] as const));
  const rows = await probeServers({ inApp: [], outside: Object.fromEntries(found) }, options);
  if (wantsJson(flags)) await options.print(encodeDocument(rows));
  else await options.print(rows.flatMap((row) => [toLine(row), ...row.tools.map((tool) => `  ${tool}\n`)]).join(''));
  return rows.every(({ status }) => status === 'connected') ? 0 : 1;
};

function toLine({ name, status, tools, place, error }: ProbedServer): string {
  const how = error === undefined ? `${status}, ${tools.length} tools` : `${status}: ${error}`;
  return `${name}: ${escapeHidden(place)} - ${how}\n`;
}
