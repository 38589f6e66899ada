import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { readMcpConfig } from '@qwen/host/config/mcp-servers.js';
import { ServerApprovals } from '@qwen/host/mcp/server-approvals.js';
import { ToolApprovals } from '@qwen/host/mcp/tool-approvals.js';
import { AgentError } from '@qwen/protocol';
import type { Subcommand } from '../subcommand.js';
import { readWords } from '../words/read-words.js';
import { describePlace, knownServer } from './known-servers.js';
import { MCP } from './spec.js';

/** Approves the current definitions in `.mcp.json`, and the tools of any server as they are at its next start. */
export const runMcpApprove: Subcommand = async (options) => {
  const { flags, rest: names } = readWords(options.words, { command: 'mcp approve', flags: MCP.verbs.approve.flags });
  const { environment, cwd, print } = options;
  if (names.length === 0) throw new AgentError('usage', 'mcp approve: expected server names; see qwen mcp list');
  const stateDirectory = findConfigDir(environment, cwd);
  const approvals = new ServerApprovals({ stateDirectory, cwd });
  const tools = new ToolApprovals(stateDirectory);
  const given = new Map(Object.entries(readMcpConfig(flags['mcp-config'] ?? []).outside));
  for (const name of names) {
    const definition = given.get(name) ?? (await knownServer(name, options));
    if (definition.origin === 'mcp_json') await approvals.add({ name, config: definition.config });
    await tools.forget({ name, ...definition, cwd });
    await print(`Approved ${name}: ${describePlace(definition)}\n`);
  }
  return 0;
};
