import type { AssistantPart, ModelMessage, UserPart } from '@qwen/models';
import { type ContentBlock, type ConversationRecord, NO_USAGE } from '@qwen/protocol';

export interface RecordStamp {
  readonly at: string;
  /** For the answers; the original model is not known. */
  readonly model: string;
}

export function toRecords(messages: readonly ModelMessage[], { at, model }: RecordStamp): ConversationRecord[] {
  return messages.flatMap((message): ConversationRecord[] => {
    switch (message.role) {
      case 'user':
        return [{ type: 'user', uuid: crypto.randomUUID(), at, content: toContent(message.content) }];
      case 'assistant':
        return [
          {
            type: 'assistant',
            uuid: crypto.randomUUID(),
            at,
            model,
            content: message.content.map(toAnswerBlock),
            stop_reason: message.content.some(({ type }) => type === 'tool_call') ? 'tool_use' : 'end_turn',
            usage: NO_USAGE,
          },
        ];
      case 'tool':
        return message.results.map(({ callId, name, content, isError }) => ({
          type: 'tool_result',
          uuid: crypto.randomUUID(),
          at,
          tool_use_id: callId,
          tool_name: name,
          content: toContent(content),
          is_error: isError,
        }));
    }
  });
}

function toContent(parts: readonly UserPart[]): string | ContentBlock[] {
  const [first] = parts;
  return parts.length === 1 && first?.type === 'text' ? first.text : parts.map(toBlock);
}

function toBlock(part: UserPart): ContentBlock {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
      return { type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.data } };
    case 'image_url':
      return { type: 'image', source: { type: 'url', url: part.url } };
  }
}

function toAnswerBlock(part: AssistantPart): ContentBlock {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const signature = part.signature === undefined ? {} : { signature: part.signature };
  return part.type === 'thinking'
    ? { type: 'thinking', thinking: part.text, ...signature }
    : { type: 'tool_use', id: part.id, name: part.name, input: part.input, ...signature };
}
