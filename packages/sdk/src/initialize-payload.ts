import {
  type AgentConfig,
  type ControlPayload,
  PROTOCOL_VERSION,
  type SdkMcpServerConfig,
  type Timeouts,
} from '@qwen/protocol';
import { isSdkMcpServerConfig, type QueryOptions } from './options.js';

type Payload = ControlPayload<'initialize'>;

/**
 * What `initialize` tells the CLI (O-05): hooks, servers on both sides, subagents, prompts of any length, limits and
 * the deadlines that the CLI keeps. `prepared` is what options become that cannot be sent as they are. Pure.
 */
export function initializePayload(
  options: QueryOptions,
  prepared: Pick<Payload, 'hooks' | 'outputSchema'> = {},
): Payload {
  const servers = Object.entries(options.mcpServers ?? {});
  const sdkMcpServers: Record<string, SdkMcpServerConfig> = {};
  const mcpServers: NonNullable<Payload['mcpServers']> = {};
  for (const [name, config] of servers) {
    if (isSdkMcpServerConfig(config)) sdkMcpServers[name] = { type: 'sdk', name };
    else mcpServers[name] = config;
  }
  return {
    hooks: prepared.hooks ?? null,
    protocol_version: PROTOCOL_VERSION,
    canUseTool: options.canUseTool !== undefined,
    timeout: toTimeouts(options.timeout ?? {}),
    ...(options.onElicitation !== undefined && { elicitation: true }),
    ...(Object.keys(sdkMcpServers).length > 0 && { sdkMcpServers }),
    ...(Object.keys(mcpServers).length > 0 && { mcpServers }),
    ...toPrompts(options.systemPrompt),
    ...(options.mcpReady !== undefined && { mcpReady: options.mcpReady }),
    ...(options.mcpStartTimeout !== undefined && { mcpStartTimeout: options.mcpStartTimeout }),
    ...(options.agents !== undefined && { agents: toAgentList(options.agents) }),
    ...(options.budget !== undefined && { budget: options.budget }),
    ...(options.effort !== undefined && { effort: options.effort }),
    ...(options.fallbackModel !== undefined && { fallbackModels: [options.fallbackModel].flat() }),
    ...(prepared.outputSchema !== undefined && { outputSchema: prepared.outputSchema }),
  };
}

/** Both forms as the list that every CLI of this family takes. */
export function toAgentList(agents: NonNullable<QueryOptions['agents']>): AgentConfig[] {
  if (isAgentList(agents)) return [...agents];
  return Object.entries(agents).map(([name, agent]) => ({ ...agent, name }));
}

function isAgentList(agents: NonNullable<QueryOptions['agents']>): agents is readonly AgentConfig[] {
  return Array.isArray(agents);
}

function toPrompts(systemPrompt: QueryOptions['systemPrompt']): Pick<Payload, 'systemPrompt' | 'appendSystemPrompt'> {
  if (systemPrompt === undefined) return {};
  if (typeof systemPrompt === 'string') return { systemPrompt };
  return systemPrompt.append === undefined ? {} : { appendSystemPrompt: systemPrompt.append };
}

/** JSON has no Infinity: on the wire 0 means for ever. `initialize` may take as long as any request (CF-52). */
export function toTimeouts(timeout: NonNullable<QueryOptions['timeout']>): Timeouts {
  const timeouts: Timeouts = {};
  const given = { ...timeout, initialize: timeout.initialize ?? timeout.controlRequest };
  for (const name of ['canUseTool', 'mcpRequest', 'controlRequest', 'streamClose', 'initialize'] as const) {
    const value = given[name];
    if (value !== undefined) timeouts[name] = Number.isFinite(value) ? value : 0;
  }
  return timeouts;
}
