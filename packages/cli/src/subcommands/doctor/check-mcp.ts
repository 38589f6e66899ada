import { AgentError } from '@qwen/protocol';
import { describePlace, knownServers } from '../mcp/known-servers.js';
import { type ProbedServer, probeServers } from '../mcp/probe-servers.js';
import type { Check, Finding } from './finding.js';

/** Starts stdio servers; connects to the others only with `--online`. Approval is required as usual. */
export const checkMcp: Check = async (place) => {
  const { environment, cwd, isOnline } = place;
  try {
    const options = { words: [], environment, cwd, print: async () => undefined, printError: () => undefined };
    const { outside } = await knownServers(options);
    const servers = Object.entries(outside);
    const asked = isOnline ? servers : servers.filter(([, { config }]) => config.command !== undefined);
    const probed = await probeServers({ inApp: [], outside: Object.fromEntries(asked) }, place);
    const left = servers.filter((server) => !asked.includes(server));
    return [
      ...probed.map(toFinding),
      ...left.map(([name, definition]): Finding => {
        const message = `${name}: ${describePlace(definition)} was not tested; use --online`;
        return { area: 'mcp', level: 'ok', message };
      }),
      ...(servers.length === 0
        ? [{ area: 'mcp', level: 'ok', message: 'no MCP servers are configured' } as const]
        : []),
    ];
  } catch (thrown) {
    const { code, message } = AgentError.from(thrown);
    // Settings errors have their own check.
    if (code === 'invalid_settings' && !message.includes('.mcp.json')) return [];
    return [{ area: 'mcp', level: 'error', message, advice: 'Fix the file.' }];
  }
};

function toFinding({ name, status, tools, place, error = '', origin }: ProbedServer): Finding {
  if (status === 'connected') return { area: 'mcp', level: 'ok', message: `${name}: ${tools.length} tools` };
  const advice =
    origin === 'mcp_json'
      ? `If you trust it, run qwen mcp approve ${name}.`
      : `For details, run qwen mcp test ${name}; to remove it, qwen mcp remove ${name}.`;
  return { area: 'mcp', level: 'warning', message: `${name}: ${place} is ${status}: ${error}`, advice };
}
