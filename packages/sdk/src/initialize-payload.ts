import { type ControlPayload, PROTOCOL_VERSION, type Timeouts } from '@qwen/protocol';
import { isSdkMcpServerConfig, type QueryOptions } from './options.js';

/**
 * What `initialize` tells the CLI (O-05): servers on both sides, prompts of any length and the deadlines that the CLI
 * keeps. Pure.
 */
export function initializePayload(options: QueryOptions): ControlPayload<'initialize'> {
  const servers = Object.entries(options.mcpServers ?? {});
  const sdkMcpServers: NonNullable<ControlPayload<'initialize'>['sdkMcpServers']> = {};
  const mcpServers: NonNullable<ControlPayload<'initialize'>['mcpServers']> = {};
  for (const [name, config] of servers) {
    if (isSdkMcpServerConfig(config)) sdkMcpServers[name] = { type: 'sdk', name };
    else mcpServers[name] = config;
  }
  return {
    hooks: null,
    protocol_version: PROTOCOL_VERSION,
    canUseTool: options.canUseTool !== undefined,
    timeout: toTimeouts(options.timeout ?? {}),
    ...(Object.keys(sdkMcpServers).length > 0 && { sdkMcpServers }),
    ...(Object.keys(mcpServers).length > 0 && { mcpServers }),
    ...toPrompts(options.systemPrompt),
  };
}

function toPrompts(
  systemPrompt: QueryOptions['systemPrompt'],
): Pick<ControlPayload<'initialize'>, 'systemPrompt' | 'appendSystemPrompt'> {
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
