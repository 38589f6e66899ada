import {
  type AgentConfig,
  type CliMcpServerConfig,
  type ControlPayload,
  defined,
  PROTOCOL_VERSION,
  type SdkMcpServerConfig,
  type Timeouts,
} from '@qwen/protocol';
import { toOwnAgent } from '../options/foreign-options.js';
import {
  type ForeignAgentMembers,
  isSdkMcpServerConfig,
  type McpServerConfig,
  type QueryOptions,
  type SdkMcpServerConfigWithInstance,
} from '../options/options.js';

type Payload = ControlPayload<'initialize'>;

/** Without what only other SDKs know. */
export function toWireServer({
  alwaysLoad: _alwaysLoad,
  ...config
}: Exclude<McpServerConfig, SdkMcpServerConfigWithInstance>): CliMcpServerConfig {
  return config;
}

/** The payload of `initialize`. `prepared`: options that need conversion first. Pure. */
export function initializePayload(
  options: QueryOptions,
  prepared: Pick<Payload, 'hooks' | 'outputSchema'> = {},
): Payload {
  const servers = Object.entries(options.mcpServers ?? {});
  const sdkMcpServers: Record<string, SdkMcpServerConfig> = {};
  const mcpServers: NonNullable<Payload['mcpServers']> = {};
  for (const [name, config] of servers) {
    if (isSdkMcpServerConfig(config)) sdkMcpServers[name] = { type: 'sdk', name };
    else mcpServers[name] = toWireServer(config);
  }
  return {
    hooks: prepared.hooks ?? null,
    protocol_version: PROTOCOL_VERSION,
    canUseTool: options.canUseTool !== undefined,
    ...(options.toolNames !== undefined && { toolNames: options.toolNames }),
    timeout: toTimeouts(options.timeout ?? {}),
    ...(options.onElicitation !== undefined && { elicitation: true }),
    ...(Object.keys(sdkMcpServers).length > 0 && { sdkMcpServers }),
    ...(Object.keys(mcpServers).length > 0 && { mcpServers }),
    ...toPrompts(options.systemPrompt),
    ...defined({
      mcpReady: options.mcpReady,
      mcpStartTimeout: options.mcpStartTimeout,
      fileHistory: options.enableFileCheckpointing,
    }),
    ...(options.agents !== undefined && { agents: toAgentPayload(options.agents) }),
    ...toBudget(options),
    ...(options.effort !== undefined && { effort: options.effort }),
    ...(options.fallbackModel !== undefined && { fallbackModels: [options.fallbackModel].flat() }),
    ...(prepared.outputSchema !== undefined && { outputSchema: prepared.outputSchema }),
  };
}

function toBudget({ budget, maxBudgetUsd }: QueryOptions): Pick<Payload, 'budget'> {
  if (maxBudgetUsd === undefined) return budget === undefined ? {} : { budget };
  return { budget: { ...budget, usd: maxBudgetUsd } };
}

/** With the limits under the names of qwen-code too, whose CLI ignores ours. */
function toAgentPayload(agents: NonNullable<QueryOptions['agents']>): AgentConfig[] {
  return toAgentList(agents).map(({ runConfig, ...agent }) => {
    if (runConfig === undefined) return agent;
    const { maxTurns, maxTimeMinutes } = runConfig;
    const copies = {
      ...(maxTurns !== undefined && { max_turns: maxTurns }),
      ...(maxTimeMinutes !== undefined && { max_time_minutes: maxTimeMinutes }),
    };
    return { ...agent, runConfig: { ...runConfig, ...copies } };
  });
}

export function toAgentList(agents: NonNullable<QueryOptions['agents']>): AgentConfig[] {
  const named = isAgentList(agents) ? agents : Object.entries(agents).map(([name, agent]) => ({ ...agent, name }));
  return named.map(toOwnAgent);
}

function isAgentList(
  agents: NonNullable<QueryOptions['agents']>,
): agents is readonly (AgentConfig & ForeignAgentMembers)[] {
  return Array.isArray(agents);
}

export function toPrompts(
  systemPrompt: QueryOptions['systemPrompt'],
): Pick<Payload, 'systemPrompt' | 'appendSystemPrompt'> {
  if (systemPrompt === undefined) return {};
  if (typeof systemPrompt === 'string') return { systemPrompt };
  if (!('type' in systemPrompt)) return { systemPrompt: systemPrompt.join('\n\n') };
  if (systemPrompt.type === 'custom') return toPrompts(systemPrompt.prompt);
  return systemPrompt.append === undefined ? {} : { appendSystemPrompt: systemPrompt.append };
}

/** JSON has no Infinity: on the wire 0 disables a timeout. `initialize` defaults to `controlRequest`. */
export function toTimeouts(timeout: NonNullable<QueryOptions['timeout']>): Timeouts {
  const timeouts: Timeouts = {};
  const given = { ...timeout, initialize: timeout.initialize ?? timeout.controlRequest };
  for (const name of ['canUseTool', 'mcpRequest', 'controlRequest', 'streamClose', 'initialize'] as const) {
    const value = given[name];
    if (value !== undefined) timeouts[name] = Number.isFinite(value) ? value : 0;
  }
  return timeouts;
}
