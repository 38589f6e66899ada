import type { HookReport } from '@qwen/host/hooks/hook-report.js';
import type { SessionFacts } from '@qwen/host/session-facts.js';
import { PROTOCOL_VERSION, type SDKSystemMessage } from '@qwen/protocol';

export type SystemLine = SDKSystemMessage;

interface LineIds {
  readonly uuid: string;
  readonly session_id: string;
}

export function hookEventMessage({ report, ...ids }: LineIds & { readonly report: HookReport }): SystemLine {
  const { event, hook, outcome, durationMs } = report;
  return {
    type: 'system',
    subtype: 'hook_event',
    ...ids,
    data: { hook_event_name: event, hook, outcome, duration_ms: durationMs },
  };
}

export function initMessage({ facts, ...ids }: LineIds & { readonly facts: SessionFacts }): SystemLine {
  return {
    type: 'system',
    subtype: 'init',
    ...ids,
    cwd: facts.cwd,
    tools: [...facts.tools],
    mcp_servers: [...facts.mcpServers],
    model: facts.model,
    permission_mode: facts.permissionMode,
    sandbox: facts.sandbox,
    slash_commands: [...facts.slashCommands],
    agents: [...facts.agents],
    skills: [...facts.skills],
    qwen_code_version: facts.version,
    protocol_version: PROTOCOL_VERSION,
  };
}
