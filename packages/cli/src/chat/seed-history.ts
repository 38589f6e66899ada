import { AgentError, type ContentBlock, NO_USAGE, type SessionRecord } from '@qwen/protocol';
import type { OpenAiMessage } from '@qwen/protocol/openai';

/** What stands before the last message of an OpenAI conversation (CF-21). */
export interface Seed {
  readonly records: readonly Extract<SessionRecord, { readonly type: 'user' | 'assistant' | 'tool_result' }>[];
  /** What system messages say; undefined when there are none. */
  readonly systemPrompt: string | undefined;
}

/**
 * Makes records of the earlier messages. Throws `invalid_message` for a role that there is not and for arguments that
 * are no JSON.
 */
export function seedHistory(messages: readonly OpenAiMessage[], at: string): Seed {
  const toolNames = new Map<string, string>();
  const system: string[] = [];
  const records = messages.flatMap((message, index): Seed['records'] => {
    const uuid = crypto.randomUUID();
    const text = textOf(message.content);
    switch (message.role) {
      case 'system':
      case 'developer':
        system.push(text);
        return [];
      case 'user':
        return [{ type: 'user', uuid, at, content: text }];
      case 'assistant': {
        const calls = (message.tool_calls ?? []).map((call): ContentBlock => {
          toolNames.set(call.id, call.function.name);
          return { type: 'tool_use', id: call.id, name: call.function.name, input: readArguments(call, index) };
        });
        const content: ContentBlock[] = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls];
        const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
        return [{ type: 'assistant', uuid, at, model: '', content, stop_reason, usage: NO_USAGE }];
      }
      case 'tool': {
        const { tool_call_id: callId } = message;
        const name = callId ? toolNames.get(callId) : undefined;
        if (!callId || name === undefined) {
          throw new AgentError(
            'invalid_message',
            `request.messages.${index}.tool_call_id: no earlier call has this id`,
          );
        }
        return [
          { type: 'tool_result', uuid, at, tool_use_id: callId, tool_name: name, content: text, is_error: false },
        ];
      }
      default:
        throw new AgentError('invalid_message', `request.messages.${index}.role: "${message.role}" is no role`);
    }
  });
  return { records, systemPrompt: system.length === 0 ? undefined : system.join('\n\n') };
}

function textOf(content: OpenAiMessage['content']): string {
  if (content === null || content === undefined) return '';
  return typeof content === 'string' ? content : content.map((piece) => piece.text ?? '').join('');
}

type ToolCall = NonNullable<OpenAiMessage['tool_calls']>[number];

function readArguments({ function: { arguments: text } }: ToolCall, index: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Told below, with what is no object.
  }
  throw new AgentError('invalid_message', `request.messages.${index}.tool_calls: arguments are no JSON object`);
}
