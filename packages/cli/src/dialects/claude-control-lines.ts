import {
  CONTROL_REQUESTS,
  type ControlLine,
  type ControlResult,
  interruptionError,
  isJsonObject,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
  withClaudeNames,
} from '@qwen/protocol';

/** MCP states in Claude's agent SDK. */
const STATES: ReadonlyMap<unknown, string> = new Map([
  ['connecting', 'pending'],
  ['disconnected', 'failed'],
]);

/** Error subtypes that Claude's agent SDK knows. */
const SUBTYPES: ReadonlyMap<string, string> = new Map([
  ['error_max_turns', 'error_max_turns'],
  ['error_max_budget_usd', 'error_max_budget_usd'],
  ['error_output_schema', 'error_max_structured_output_retries'],
]);

const COMPLETED: object = { terminal_reason: 'completed' };

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

/**
 * A message for Claude's agent SDKs: their tool names, members that apps read without a check, and a result that they
 * know for an interrupted turn. `asksNoOne` is their mode `dontAsk`. Pure.
 */
export function toClaudeMessage(message: SDKMessage, asksNoOne = false): SDKMessage {
  const named = withClaudeNames(message);
  if (named.type === 'system' && named.subtype === 'init') {
    const facts = { claude_code_version: named.qwen_code_version, apiKeySource: 'none', output_style: 'default' };
    const isDontAsk = asksNoOne && named.permission_mode === 'default';
    const servers = named.mcp_servers.map((server) => ({
      ...server,
      status: STATES.get(server.status) ?? server.status,
    }));
    return { ...named, ...facts, mcp_servers: servers, ...(isDontAsk && { permissionMode: 'dontAsk' }) };
  }
  if (named.type !== 'result') return named;
  // Apps format the cost at once, and JSON has no NaN.
  const facts = {
    total_cost_usd: named.total_cost_usd ?? 0,
    stop_reason: null,
    ...(named.modelUsage !== undefined && { modelUsage: toClaudeUsages(named.modelUsage) }),
  };
  if (named.subtype === 'success') return { ...named, ...facts, ...COMPLETED };
  const error = named.error ?? interruptionError(named);
  const failure = { ...facts, error, errors: [error.message] };
  const subtype = SUBTYPES.get(named.subtype) ?? 'error_during_execution';
  return { ...named, ...failure, is_error: true, subtype } as SDKMessage;
}

/** The content of a prompt: their SDK sends a text as one block, which could not be a slash command otherwise. */
export function fromClaudeContent(content: SDKUserMessage['message']['content']): typeof content {
  if (typeof content === 'string') return content;
  const [block, ...others] = content;
  return block?.type === 'text' && others.length === 0 ? block.text : content;
}

type ModelUsages = NonNullable<SDKResultMessage['modelUsage']>;

function toClaudeUsages(usages: ModelUsages): ModelUsages {
  const unknown = { costUSD: 0, contextWindow: 0, maxOutputTokens: 0 };
  return Object.fromEntries(Object.entries(usages).map(([model, usage]) => [model, { ...unknown, ...usage }]));
}

function toClaudeResult(result: unknown): unknown {
  if (!isJsonObject(result)) return result;
  if (result['subtype'] === 'initialize') return describeNames(CONTROL_REQUESTS.initialize.result.parse(result));
  const { mcpServers } = result;
  if ('total_tokens' in result) return toClaudeUsage(CONTROL_REQUESTS.get_context_usage.result.parse(result));
  return Array.isArray(mcpServers) ? { ...result, mcpServers: mcpServers.map(toClaudeServer) } : result;
}

/** Apps read these members without a check, and JSON has no NaN. */
function toClaudeUsage(usage: ControlResult<'get_context_usage'>): object {
  const { total_tokens: totalTokens, max_tokens: maxTokens = 0, percentage = 0, categories = [] } = usage;
  return {
    ...usage,
    categories: categories.map((category) => ({ ...category, color: 'inactive', kind: 'used' })),
    totalTokens,
    maxTokens,
    rawMaxTokens: maxTokens,
    percentage,
    gridRows: [],
    memoryFiles: [],
    mcpTools: [],
    agents: [],
    apiUsage: null,
  };
}

function describeNames(answer: ControlResult<'initialize'>): object {
  const { commands = [], agents = [], model = '', account = {} } = answer;
  const { credential_source: source } = account;
  return {
    ...answer,
    commands: commands.map((name) => ({ name, description: '', argumentHint: '' })),
    agents: agents.map((name) => ({ name, description: '' })),
    models: [{ value: model, displayName: model, description: model }],
    account: {
      ...account,
      ...(source !== undefined && { apiKeySource: source, tokenSource: source }),
      ...(account.provider !== undefined && { apiProvider: account.provider }),
    },
  };
}

function toClaudeServer(server: unknown): unknown {
  if (!isJsonObject(server)) return server;
  const { status } = server;
  return { ...server, status: STATES.get(status) ?? status };
}
