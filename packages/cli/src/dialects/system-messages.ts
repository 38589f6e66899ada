import { PROTOCOL_VERSION, type SDKSystemMessage } from '@qwen/protocol';
import type { HookReport } from '../hooks/hook-report.js';

/** What `system/init` tells about the session. */
export interface SessionFacts {
  readonly cwd: string;
  readonly model: string;
  readonly permissionMode: string;
  /** Names as the model sees them. */
  readonly tools: readonly string[];
  readonly mcpServers: readonly { readonly name: string; readonly status: string }[];
  /** Without the slash. */
  readonly slashCommands: readonly string[];
  readonly agents: readonly string[];
  readonly version: string;
}

export type SystemLine = SDKSystemMessage;

interface LineIds {
  readonly uuid: string;
  readonly session_id: string;
}

/** News about the session: a subtype and what it has to say (P-09). */
export function systemMessage(options: LineIds & { readonly subtype: string; readonly data: object }): SystemLine {
  const { uuid, session_id, subtype, data } = options;
  return { type: 'system', subtype, uuid, session_id, data };
}

/** How a hook came out, with `--include-hook-events`. */
export function hookEventMessage({ report, ...ids }: LineIds & { readonly report: HookReport }): SystemLine {
  const { event, hook, outcome, durationMs } = report;
  return systemMessage({
    ...ids,
    subtype: 'hook_event',
    data: { hook_event_name: event, hook, outcome, duration_ms: durationMs },
  });
}

/** The line that opens a turn. */
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
    slash_commands: [...facts.slashCommands],
    agents: [...facts.agents],
    qwen_code_version: facts.version,
    protocol_version: PROTOCOL_VERSION,
  };
}
