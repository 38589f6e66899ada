import type {
  ContentBlock,
  SDKAssistantMessage,
  SDKPartialAssistantMessage,
  SDKResultError,
  SDKResultMessage,
  SDKResultSuccess,
  SDKUserMessage,
  StreamEvent,
} from '@qwen/protocol';

const MODEL = 'scripted';

type Free = 'subtype' | 'is_error' | 'error' | 'terminal_reason';

/** Members of a result. Default: a success. */
export type ScriptedResult = Partial<
  Omit<SDKResultSuccess, Free> & Pick<SDKResultMessage, 'subtype' | 'is_error'> & Pick<SDKResultError, 'error'>
> & { readonly terminal_reason?: string };

/** Builds the messages of one scripted session, with unique ids. */
export class ScriptedLines {
  readonly #sessionId: string;
  #count = 0;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** Such as `tool-3`. */
  newId(kind: string): string {
    this.#count += 1;
    return `${kind}-${this.#count}`;
  }

  init(): object {
    return {
      type: 'system',
      subtype: 'init',
      ...this.#envelope(),
      cwd: '/',
      model: MODEL,
      permission_mode: 'default',
      tools: [],
      mcp_servers: [],
      slash_commands: [],
      agents: [],
      qwen_code_version: '0.0.0',
    };
  }

  answer(content: ContentBlock[], messageId = this.newId('message')): SDKAssistantMessage {
    return {
      type: 'assistant',
      ...this.#envelope(),
      message: { id: messageId, type: 'message', role: 'assistant', model: MODEL, content },
      parent_tool_use_id: null,
    };
  }

  /** Partial messages of a text answer. */
  pieces(texts: readonly string[], messageId: string): SDKPartialAssistantMessage[] {
    const events: StreamEvent[] = [
      { type: 'message_start', message: { id: messageId, role: 'assistant', model: MODEL } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...texts.map(
        (text): StreamEvent => ({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'text_delta', text },
        }),
      ),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ];
    return events.map((event) => ({
      type: 'stream_event',
      ...this.#envelope(),
      message_id: messageId,
      event,
      parent_tool_use_id: null,
    }));
  }

  toolResult(
    toolUseId: string,
    { text, isError }: { readonly text: string; readonly isError: boolean },
  ): SDKUserMessage {
    const block = { type: 'tool_result' as const, tool_use_id: toolUseId, content: text, is_error: isError };
    return { type: 'user', ...this.#envelope(), message: { role: 'user', content: [block] }, parent_tool_use_id: null };
  }

  result({ subtype = 'success', ...members }: ScriptedResult): object {
    return {
      type: 'result',
      subtype,
      ...this.#envelope(),
      is_error: subtype.startsWith('error'),
      duration_ms: 0,
      duration_api_ms: 0,
      num_turns: 1,
      permission_denials: [],
      ...(subtype === 'success' && { result: '' }),
      ...members,
    };
  }

  #envelope(): { uuid: string; session_id: string } {
    return { uuid: this.newId('line'), session_id: this.#sessionId };
  }
}
