import type { MessageRecord, SessionSummary } from '@qwen/agent/node';
import { defined, type SDKAssistantMessage, type SDKUserMessage, type SessionInfo } from '@qwen/protocol';

export function toSessionInfo(summary: SessionSummary): SessionInfo {
  const { title, firstPrompt, forkedFrom } = summary;
  return {
    session_id: summary.sessionId,
    cwd: summary.cwd,
    created_at: summary.createdAt,
    modified_at: new Date(summary.modifiedAtMs).toISOString(),
    size_bytes: summary.sizeBytes,
    ...defined({ title, first_prompt: firstPrompt, forked_from: forkedFrom }),
  };
}

/** A record as the message that was sent when it was written; its `uuid` identifies it for a fork. */
export function toStoredMessage(record: MessageRecord, sessionId: string): SDKUserMessage | SDKAssistantMessage {
  const ids = {
    uuid: record.uuid,
    session_id: sessionId,
    parent_tool_use_id: record.parent_tool_use_id ?? null,
  };
  switch (record.type) {
    case 'user':
      return { type: 'user', ...ids, message: { role: 'user', content: record.content } };
    case 'tool_result': {
      const { tool_use_id, content, is_error, tool_use_result } = record;
      const text = typeof content === 'string' ? content : content.filter(isShown);
      return {
        type: 'user',
        ...ids,
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id, content: text, is_error }] },
        ...defined({ tool_use_result }),
      };
    }
    case 'assistant': {
      const { uuid: id, model, content, stop_reason, usage } = record;
      const message = { id, type: 'message', role: 'assistant', model, content, stop_reason, usage } as const;
      return { type: 'assistant', ...ids, message };
    }
  }
}

type ResultBlock = Extract<MessageRecord, { type: 'tool_result' }>['content'][number];

function isShown(block: ResultBlock): block is Extract<ResultBlock, { readonly type: 'text' | 'image' }> {
  return typeof block !== 'string' && (block.type === 'text' || block.type === 'image');
}
