import { defined, type WireError } from '@qwen/protocol';
import type { ChatEvent, PublicEventBody, PublicEventBodyOf } from '@qwen/protocol/server';
import { failureKind } from '../http/chat-error.js';

export interface StreamedTurn {
  readonly turnId: string;
  readonly requestId: string;
  readonly sessionId: string;
  /** Otherwise the text comes from complete messages. */
  readonly hasIncrements: boolean;
}

type Bare<Event> = Event extends ChatEvent ? Omit<Event, 'timestamp'> : never;
type BareEvent = Bare<ChatEvent>;

const NOTHING: readonly BareEvent[] = [];

/** Omits the events of subagents, except approval requests. Pure. */
export class ChatProjection {
  readonly #turn: StreamedTurn;
  /** By block. */
  readonly #thinking = new Map<string, string>();
  #hasText = false;
  #isOver = false;

  constructor(turn: StreamedTurn) {
    this.#turn = turn;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  accept(event: PublicEventBody, atMs: number): readonly ChatEvent[] {
    if (this.#isOver || event.turn_id !== this.#turn.turnId) return [];
    return this.#show(event).map((shown) => ({ ...shown, timestamp: atMs }));
  }

  #show(event: PublicEventBody): readonly BareEvent[] {
    switch (event.type) {
      case 'approval.requested':
        return [toQuestion(event)];
      case 'approval.settled':
        return [toAnswer(event)];
      case 'turn.ended':
        return this.#end(event);
      case 'turn.interrupted':
        this.#isOver = true;
        return [toError({ code: 'interrupted', message: 'The server stopped during this turn.' })];
      default:
        return isOfSubagent(event) ? NOTHING : this.#showMain(event);
    }
  }

  #showMain(event: PublicEventBody): readonly BareEvent[] {
    switch (event.type) {
      case 'agent.content_block_delta':
        return this.#showDelta(event);
      case 'agent.content_block_stop':
        return this.#showThinking(event);
      case 'agent.message':
        return this.#turn.hasIncrements ? NOTHING : this.#showMessage(event);
      case 'agent.tool_use': {
        const { tool_use_id: callId, name, input: args, turn_id = '' } = event;
        return [
          { type: 'ToolCallRequest', value: { callId, name, args, isClientInitiated: false, prompt_id: turn_id } },
        ];
      }
      case 'agent.tool_result': {
        const { tool_use_id: callId, content, is_error: isError } = event;
        return [{ type: 'ToolCallResponse', value: { callId, content, isError } }];
      }
      case 'file_references':
        return [{ type: 'file_references', files: event.files.map(({ path, size }) => ({ path, size })) }];
      case 'warning':
        return [{ type: 'warning', message: `Failed to process file references: ${event.message}` }];
      case 'notice': {
        const { code, message } = event;
        return [{ type: 'notice', code, ...(message !== undefined && { message }) }];
      }
      default:
        return NOTHING;
    }
  }

  #showDelta({ message_id, index, delta }: PublicEventBodyOf<'agent.content_block_delta'>): readonly BareEvent[] {
    if (delta.type === 'text_delta') return this.#text(delta.text);
    if (delta.type === 'thinking_delta') {
      const key = `${message_id} ${index}`;
      this.#thinking.set(key, (this.#thinking.get(key) ?? '') + delta.thinking);
    }
    return NOTHING;
  }

  #showThinking({ message_id, index }: PublicEventBodyOf<'agent.content_block_stop'>): readonly BareEvent[] {
    const key = `${message_id} ${index}`;
    const thinking = this.#thinking.get(key);
    this.#thinking.delete(key);
    return thinking === undefined ? NOTHING : [{ type: 'Thought', value: toThought(thinking) }];
  }

  #showMessage({ content }: PublicEventBodyOf<'agent.message'>): readonly BareEvent[] {
    return content.flatMap((block): readonly BareEvent[] => {
      if (block.type === 'text') return this.#text(block.text);
      if (block.type === 'thinking') return [{ type: 'Thought', value: toThought(block.thinking) }];
      return NOTHING;
    });
  }

  #text(text: string): readonly BareEvent[] {
    if (text === '') return NOTHING;
    this.#hasText = true;
    return [{ type: 'Content', value: text }];
  }

  #end({ outcome, result = '', usage, error }: PublicEventBodyOf<'turn.ended'>): readonly BareEvent[] {
    this.#isOver = true;
    const { requestId, sessionId } = this.#turn;
    if (outcome === 'cancelled') return [{ type: 'cancelled', requestId }];
    if (outcome === 'error') return [toError(error ?? { message: 'The turn failed.' })];
    // A command without a model call only has a result.
    const text = this.#hasText ? NOTHING : this.#text(result);
    return [...text, { type: 'stream_end', requestId, sessionId, ...(usage !== undefined && { usage }) }];
  }
}

export function toError({ message, code = 'internal' }: WireError): Bare<Extract<ChatEvent, { type: 'error' }>> {
  return { type: 'error', error: failureKind(code), message, code };
}

function isOfSubagent(event: PublicEventBody): boolean {
  return event.parent_tool_use_id !== null && event.parent_tool_use_id !== undefined;
}

function toQuestion(event: PublicEventBodyOf<'approval.requested'>): BareEvent {
  const { tool_use_id: callId, tool_name: name, input: args, reason, suggestions, expires_at: expiresAt } = event;
  return {
    type: 'ToolCallConfirmation',
    value: {
      callId,
      name,
      args,
      ...defined({ reason, suggestions }),
      expiresAt,
    },
  };
}

function toAnswer({ tool_use_id, behavior, by, message }: PublicEventBodyOf<'approval.settled'>): BareEvent {
  const more = message === undefined ? {} : { message };
  return { type: 'ToolCallConfirmed', value: { callId: tool_use_id, behavior, by, ...more } };
}

type Thought = Extract<ChatEvent, { type: 'Thought' }>['value'];

/** Splits off the subject, which models write in bold at the beginning. */
export function toThought(thinking: string): Thought {
  const [, subject = '', rest] = /^\s*\*\*([^*\n]+)\*\*\s*([^]*)$/.exec(thinking) ?? [];
  return { subject: subject.trim(), description: (rest ?? thinking).trim() };
}
