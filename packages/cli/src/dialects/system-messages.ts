import type { TaskEvent } from '@qwen/agent';
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

/** Named as in the Claude Agent SDK. */
export function taskMessage(event: TaskEvent, ids: LineIds): SystemLine {
  const { taskId, callId, command, description = command, status, note, durationMs, outputFile = '' } = event.task;
  const line = {
    type: 'system',
    ...ids,
    task_id: taskId,
    tool_use_id: callId,
    description,
    task_type: TASK_TYPE,
  } as const;
  const usage = { total_tokens: 0, tool_uses: 0, duration_ms: Math.round(durationMs) };
  if (event.type === 'task_started') return { ...line, subtype: 'task_started' };
  if (event.type === 'task_progress') {
    return { ...line, subtype: 'task_progress', usage, ...(event.lastLine !== '' && { summary: event.lastLine }) };
  }
  const summary = `Background command ${status}${note === undefined ? '' : ` (${note})`}: ${description}`;
  const ended = status === 'running' ? 'stopped' : status;
  return { ...line, subtype: 'task_notification', status: ended, output_file: outputFile, summary, usage };
}

const TASK_TYPE = 'local_bash';
