import type { AgentEvent, TaskEvent } from '@qwen/agent';
import type { HookReport } from '@qwen/host/hooks/hook-report.js';
import type { InitInfo } from '@qwen/host/session-facts.js';
import { PROTOCOL_VERSION, type SDKSystemMessage } from '@qwen/protocol';

export type SystemLine = SDKSystemMessage;

export interface LineIds {
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

export function initMessage({ facts, ...ids }: LineIds & { readonly facts: InitInfo }): SystemLine {
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
    ...(facts.plugins.length > 0 && { plugins: [...facts.plugins] }),
    qwen_code_version: facts.version,
    protocol_version: PROTOCOL_VERSION,
  };
}

type StatusEvent = Extract<
  AgentEvent,
  {
    type:
      | 'retry'
      | 'model_fallback'
      | 'budget'
      | 'model_changed'
      | 'permission_mode_changed'
      | 'compacted'
      | 'history_changed'
      | 'notice';
  }
>;

export function statusMessage(event: StatusEvent, ids: LineIds): SystemLine {
  const line = { type: 'system', ...ids } as const;
  switch (event.type) {
    case 'retry': {
      const { attempt, delayMs, error } = event;
      const data = { attempt, delay_ms: delayMs, code: error.code, message: error.message, ...parentOf(event) };
      return { ...line, subtype: 'retry', data };
    }
    case 'model_fallback': {
      const { from, to, error } = event;
      const data = { from, to, code: error.code, message: error.message, ...parentOf(event) };
      return { ...line, subtype: 'model_fallback', data };
    }
    case 'budget':
      return { ...line, subtype: 'budget', data: { remaining: event.remaining, ...parentOf(event) } };
    case 'model_changed':
      return { ...line, subtype: 'model_changed', model: event.model, data: { model: event.model } };
    case 'permission_mode_changed': {
      const { mode } = event;
      return { ...line, subtype: 'permission_mode_changed', permission_mode: mode, data: { mode } };
    }
    case 'compacted': {
      const { trigger, tokensBefore, tokensAfter } = event;
      const metadata = { trigger, pre_tokens: tokensBefore, post_tokens: tokensAfter };
      const data = { ...metadata, ...parentOf(event) };
      return { ...line, subtype: 'compact_boundary', compact_metadata: metadata, data };
    }
    case 'history_changed':
      return { ...line, subtype: 'history_changed', data: { reason: event.reason, messages: event.messages } };
    case 'notice': {
      const { code, message } = event;
      return { ...line, subtype: 'notice', data: { ...event.data, code, message, ...parentOf(event) } };
    }
  }
}

function parentOf({ parentToolUseId }: { readonly parentToolUseId: string | null }) {
  return { parent_tool_use_id: parentToolUseId };
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
