import { CONTROL_REQUESTS, type ControlLine, type ControlResult, isJsonObject } from '@qwen/protocol';

/** MCP states in Claude's agent SDK. */
const STATES: ReadonlyMap<unknown, string> = new Map([
  ['connecting', 'pending'],
  ['disconnected', 'failed'],
]);

/**
 * Adapts a control line to Claude's agent SDKs: errors as text, descriptions in `initialize`, their states in
 * `mcp_status`. Pure.
 */
export function toClaudeLine(line: ControlLine): object {
  if (line.type !== 'control_response') return line;
  const { response } = line;
  if (response.subtype === 'error') return { ...line, response: { ...response, error: response.error.message } };
  return { ...line, response: { ...response, response: toClaudeResult(response.response) } };
}

function toClaudeResult(result: unknown): unknown {
  if (!isJsonObject(result)) return result;
  if (result['subtype'] === 'initialize') return describeNames(CONTROL_REQUESTS.initialize.result.parse(result));
  const { mcpServers } = result;
  return Array.isArray(mcpServers) ? { ...result, mcpServers: mcpServers.map(toClaudeServer) } : result;
}

function describeNames(answer: ControlResult<'initialize'>): object {
  const { commands = [], agents = [], model = '', account = {} } = answer;
  return {
    ...answer,
    commands: commands.map((name) => ({ name, description: '', argumentHint: '' })),
    agents: agents.map((name) => ({ name, description: '' })),
    models: [{ value: model, displayName: model, description: '' }],
    account,
  };
}

function toClaudeServer(server: unknown): unknown {
  if (!isJsonObject(server)) return server;
  const { status } = server;
  return { ...server, status: STATES.get(status) ?? status };
}
