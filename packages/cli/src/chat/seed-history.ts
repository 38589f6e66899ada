import { AgentError, type ContentBlock, NO_USAGE, type SessionRecord } from '@qwen/protocol';
import { messageText, type OpenAiMessage, readToolArguments } from '@qwen/protocol/openai';

export interface Seed {
  readonly records: readonly Extract<SessionRecord, { readonly type: 'user' | 'assistant' | 'tool_result' }>[];
  readonly systemPrompt: string | undefined;
}

/** Throws `invalid_message` for an unknown role and `invalid_tool_input` for arguments that are not a JSON object. */
export function seedHistory(messages: readonly OpenAiMessage[], at: string): Seed {
  const toolNames = new Map<string, string>();
  const system: string[] = [];
  const records = messages.flatMap((message, index): Seed['records'] => {
    const uuid = crypto.randomUUID();
    const text = messageText(message);
    switch (message.role) {
      case 'system':
      case 'developer':
        system.push(text);
        return [];
      case 'user':
        return [{ type: 'user', uuid, at, content: text }];
      case 'assistant': {
        const calls = (message.tool_calls ?? []).map(({ id, function: called }, place): ContentBlock => {
          toolNames.set(id, called.name);
          const param = `messages[${index}].tool_calls[${place}].function.arguments`;
          return { type: 'tool_use', id, name: called.name, input: readToolArguments(called.arguments, param) };
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
        throw new AgentError(
          'invalid_message',
          `request.messages.${index}.role: "${message.role}" is not a valid role`,
        );
    }
  });
  return { records, systemPrompt: system.length === 0 ? undefined : system.join('\n\n') };
}
