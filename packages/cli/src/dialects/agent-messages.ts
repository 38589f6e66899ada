import type { AgentEvent, AssistantBlock, ToolOutcome } from '@qwen/agent';
import type { InitInfo } from '@qwen/host/session-facts.js';
import type { Dialect } from '@qwen/host/styled-output/dialect.js';
import { toVerdict } from '@qwen/host/styled-output/turn-verdict.js';
import {
  type AgentError,
  type ContentDelta,
  defined,
  type ErrorCode,
  type SDKAssistantMessage,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
  type StreamEvent,
} from '@qwen/protocol';
import { initMessage, type LineIds, statusMessage, taskMessage } from './system-messages.js';

export interface AgentMessagesOptions {
  readonly sessionId: string;
  /** Read at the start of each turn. */
  readonly facts: () => InitInfo;
  /** Default false. */
  readonly includePartialMessages?: boolean;
  /** Returns a fresh UUID. */
  readonly newId: () => string;
}

type MessageEnd = Extract<AgentEvent, { type: 'message_end' }>;
type TurnEnd = Extract<AgentEvent, { type: 'turn_end' }>;
type BlockDelta = Extract<AgentEvent, { type: 'block_delta' }>;
type ToolEnd = Extract<AgentEvent, { type: 'tool_end' }>;
type MessagePart = Pick<BlockDelta, 'messageId' | 'parentToolUseId'>;

type ControlError = NonNullable<SDKResultMessage['control_errors']>[number];

const NOTHING: readonly SDKMessage[] = [];

/** Provider errors also appear as text in the conversation, as in compatible CLIs. */
const PROVIDER_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'missing_credentials',
  'auth_failed',
  'permission_refused',
  'invalid_request',
  'model_not_found',
  'rate_limited',
  'provider_error',
  'network_unavailable',
  'stream_interrupted',
  'stream_stalled',
  'bad_model_response',
  'context_overflow',
  'content_filtered',
  'empty_answer',
  'answer_cut',
]);

/**
 * The sdk dialect: `system/init` opens a turn, `result` closes it. Between them: `assistant` messages, tool results
 * as `user` messages and optional `stream_event`s.
 */
export function createAgentMessages(options: AgentMessagesOptions): Dialect<SDKMessage> {
  const { sessionId, facts, includePartialMessages = false, newId } = options;
  let controlErrors: ControlError[] = [];

  const newIds = (): LineIds => ({ uuid: newId(), session_id: sessionId });

  const partials = ({ messageId, parentToolUseId }: MessagePart, ...events: readonly StreamEvent[]) => {
    if (!includePartialMessages) return NOTHING;
    return events.map(
      (event): SDKMessage => ({
        type: 'stream_event',
        ...newIds(),
        message_id: messageId,
        parent_tool_use_id: parentToolUseId,
        event,
      }),
    );
  };

  const endOfTurn = (event: TurnEnd): readonly SDKMessage[] => {
    const { outcome } = event;
    const result = resultMessage(event, { ids: newIds(), controlErrors });
    controlErrors = [];
    const isProviderError = outcome.type === 'error' && PROVIDER_ERRORS.has(outcome.error.code);
    return isProviderError ? [failureMessage(outcome.error, facts().model, newIds()), result] : [result];
  };

  return (event) => {
    switch (event.type) {
      case 'turn_start':
        // As in qwen-code: apps take its `uuid` for the session.
        return [initMessage({ uuid: sessionId, session_id: sessionId, facts: facts() })];
      case 'prompt_taken': {
        const { uuid, content, priority } = event;
        const message = { role: 'user' as const, content: typeof content === 'string' ? content : [...content] };
        return [{ type: 'user', uuid, session_id: sessionId, message, parent_tool_use_id: null, priority }];
      }
      case 'message_start':
        return partials(event, {
          type: 'message_start',
          message: { id: event.messageId, role: 'assistant', model: event.model },
        });
      case 'block_start':
        return partials(event, { type: 'content_block_start', index: event.index, content_block: event.block });
      case 'block_delta':
        if (!includePartialMessages) return NOTHING;
        return partials(event, { type: 'content_block_delta', index: event.index, delta: toDelta(event) });
      case 'block_end':
        return partials(event, { type: 'content_block_stop', index: event.index });
      case 'message_end': {
        const { stopReason, usage } = event;
        return [
          assistantMessage(event, sessionId),
          ...partials(
            event,
            { type: 'message_delta', delta: { stop_reason: stopReason }, usage },
            { type: 'message_stop' },
          ),
        ];
      }
      case 'tool_pending':
      case 'tool_asking':
      case 'tool_start':
      case 'tool_delta':
        return NOTHING;
      case 'tool_end':
        return [toolResultMessage(event, newIds())];
      case 'task_started':
      case 'task_progress':
      case 'task_ended':
        return [taskMessage(event, newIds())];
      case 'turn_end':
        return endOfTurn(event);
      default:
        if (event.type === 'notice' && event.code === 'hook_error') controlErrors.push(toControlError(event));
        return [statusMessage(event, newIds())];
    }
  };
}

function assistantMessage(event: MessageEnd, sessionId: string): SDKAssistantMessage {
  const { messageId, model, content, stopReason, usage, parentToolUseId } = event;
  return {
    type: 'assistant',
    uuid: messageId,
    session_id: sessionId,
    message: {
      id: messageId,
      type: 'message',
      role: 'assistant',
      model,
      content: content.map(toWireBlock),
      stop_reason: stopReason,
      usage,
    },
    parent_tool_use_id: parentToolUseId,
  };
}

function toolResultMessage({ outcome, parentToolUseId }: ToolEnd, ids: LineIds): SDKUserMessage {
  const { callId, content, isError, structured } = outcome;
  const result = {
    type: 'tool_result' as const,
    tool_use_id: callId,
    content: toResultContent(content),
    is_error: isError,
  };
  return {
    type: 'user',
    ...ids,
    message: { role: 'user', content: [result] },
    parent_tool_use_id: parentToolUseId,
    ...(structured !== undefined && { tool_use_result: structured }),
  };
}

function failureMessage({ message }: AgentError, model: string, ids: LineIds): SDKAssistantMessage {
  return {
    type: 'assistant',
    ...ids,
    message: {
      id: ids.uuid,
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text: `[API Error: ${message}]` }],
      stop_reason: 'error',
    },
    parent_tool_use_id: null,
  };
}

interface TurnLine {
  readonly ids: LineIds;
  readonly controlErrors: ControlError[];
}

function resultMessage(event: TurnEnd, { ids, controlErrors }: TurnLine): SDKResultMessage {
  return {
    type: 'result',
    ...toVerdict(event),
    ...ids,
    duration_ms: Math.round(event.durationMs),
    duration_api_ms: Math.round(event.durationApiMs),
    num_turns: event.modelCalls,
    usage: event.usage,
    ...(event.usage.cost_usd !== undefined && { total_cost_usd: event.usage.cost_usd }),
    ...(event.modelUsage !== undefined && { modelUsage: toModelUsage(event.modelUsage) }),
    permission_denials: [...event.permissionDenials],
    ...(controlErrors.length > 0 && { control_errors: controlErrors }),
  };
}

type ModelUsages = NonNullable<SDKResultMessage['modelUsage']>;

function toModelUsage(models: NonNullable<TurnEnd['modelUsage']>): ModelUsages {
  const rows = Object.entries(models).map(([model, usage]): [string, ModelUsages[string]] => {
    const cached = usage.cache_read_input_tokens ?? 0;
    const written = usage.cache_creation_input_tokens ?? 0;
    return [
      model,
      {
        inputTokens: usage.input_tokens - cached - written,
        outputTokens: usage.output_tokens,
        cacheReadInputTokens: cached,
        cacheCreationInputTokens: written,
        webSearchRequests: 0,
        ...defined({
          reasoningTokens: usage.reasoning_output_tokens,
          costUSD: usage.cost_usd,
          contextWindow: usage.context_window,
        }),
      },
    ];
  });
  return Object.fromEntries(rows);
}

function toControlError({ message, data }: Extract<AgentEvent, { type: 'notice' }>): ControlError {
  const { event, hook } = data ?? {};
  return { event: String(event), message, ...(typeof hook === 'string' && { hook }) };
}

function toDelta({ kind, text }: BlockDelta): ContentDelta {
  switch (kind) {
    case 'text':
      return { type: 'text_delta', text };
    case 'thinking':
      return { type: 'thinking_delta', thinking: text };
    case 'signature':
      return { type: 'signature_delta', signature: text };
    case 'input_json':
      return { type: 'input_json_delta', partial_json: text };
  }
}

/** Strict readers require a signature on each thinking block; some providers send none. */
function toWireBlock(block: AssistantBlock): AssistantBlock {
  return block.type === 'thinking' && block.signature === undefined ? { ...block, signature: '' } : block;
}

type ResultContent = Extract<SDKUserMessage['message']['content'][number], { type: 'tool_result' }>['content'];

function toResultContent(content: ToolOutcome['content']): ResultContent {
  if (typeof content === 'string') return content;
  return content.filter((block) => block.type === 'text' || block.type === 'image');
}
