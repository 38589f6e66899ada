import { type ContentBlock, contentText, type SessionRecord } from '@qwen/protocol';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** Null if the answer only calls tools. */
  readonly content: string | readonly ChatMessagePart[] | null;
  readonly tool_calls?: readonly ChatToolCall[];
  readonly tool_call_id?: string;
}

export type ChatMessagePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

export interface ChatToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** Converts records, without thinking blocks. A summary of older messages becomes a `system` message. */
export function toChatMessages(records: readonly SessionRecord[]): ChatMessage[] {
  return records.flatMap((record): ChatMessage[] => {
    switch (record.type) {
      case 'user':
        return [{ role: 'user', content: toParts(record.content) }];
      case 'assistant':
        return [toAnswer(record.content)];
      case 'tool_result':
        return [{ role: 'tool', tool_call_id: record.tool_use_id, content: contentText(record.content) }];
      case 'compaction':
        return [{ role: 'system', content: record.summary }];
      default:
        return [];
    }
  });
}

function toAnswer(content: readonly ContentBlock[]): ChatMessage {
  const calls = content.flatMap((block): ChatToolCall[] => {
    if (block.type !== 'tool_use') return [];
    const input = typeof block.input === 'string' ? block.input : JSON.stringify(block.input);
    return [{ id: block.id, type: 'function', function: { name: block.name, arguments: input } }];
  });
  const text = contentText(content);
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function toParts(content: string | readonly ContentBlock[]): string | ChatMessagePart[] {
  if (typeof content === 'string' || content.every(({ type }) => type === 'text')) return contentText(content);
  return content.flatMap((block): ChatMessagePart[] => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }];
    if (block.type !== 'image') return [];
    const { source } = block;
    const url = source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`;
    return [{ type: 'image_url', image_url: { url } }];
  });
}
