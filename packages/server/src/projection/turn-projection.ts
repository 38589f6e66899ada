import type {
  ContentBlock,
  SDKAssistantMessage,
  SDKMessage,
  SDKPartialAssistantMessage,
  SDKUserMessage,
} from '@qwen/protocol';
import type { PublicEventBody, PublicEventBodyOf } from '@qwen/protocol/server';
import { subagentThreadId, toMessageId } from '../store/session-ids.js';
import { missingFragments } from './missing-fragments.js';
import { emptyBlock, messageEnd, OpenMessages } from './open-messages.js';
import { toNews } from './project-news.js';
import { endingOf, stopReasonOf, type TurnEnd } from './turn-ending.js';
import { type MessagePlace, wholeMessage } from './whole-message.js';

/** The turn that is told of. */
export interface TurnPlace {
  readonly turnId: string;
  readonly requestId: string;
  readonly threadId: string;
  readonly hasIncrements: boolean;
}

const NOTHING: readonly PublicEventBody[] = [];

/**
 * What an agent says in one turn, as public events: the same whole events with and without increments, and increments
 * that join to them whatever the agent left out (R-39 … ). Does no input or output.
 */
export class TurnProjection {
  readonly #turn: TurnPlace;
  readonly #open = new OpenMessages();
  /** Messages that are whole; what still comes of them says nothing new. */
  readonly #done = new Set<string>();
  /** By message: the stop of its last block, which may still lack its tail. */
  readonly #heldStops = new Map<string, PublicEventBodyOf<'agent.content_block_stop'>>();
  #lastText = '';

  constructor(turn: TurnPlace) {
    this.#turn = turn;
  }

  /** The text of the last answer of the main agent that had any. */
  get lastText(): string {
    return this.#lastText;
  }

  /** The events that a message of the agent comes to. A result is no event: {@link end} is what it leads to. */
  accept(message: SDKMessage): readonly PublicEventBody[] {
    switch (message.type) {
      case 'stream_event':
        return this.#turn.hasIncrements ? this.#track(this.#increment(message)) : NOTHING;
      case 'assistant':
        return this.#track(this.#wholeAnswer(message));
      case 'user':
        return this.#toolResults(message);
      case 'system':
        return toNews(message, (parentToolUseId) => this.#place(parentToolUseId));
      default:
        return NOTHING;
    }
  }

  /** Closes what is open and says how the turn ended; the session is idle behind it. */
  end(end: TurnEnd): readonly PublicEventBody[] {
    const held = this.#track([...this.#heldStops.values()]);
    this.#heldStops.clear();
    const closing = this.#track(this.#open.closing({ stopReason: stopReasonOf(end) }));
    // A command that needs no model answers with its result alone.
    const result = end.outcome === 'interrupted' ? '' : (end.result ?? '');
    const said = result !== '' && this.#done.size === 0 ? this.#say(result) : NOTHING;
    const { requestId } = this.#turn;
    const ended = { place: this.#place(null), requestId, lastText: result === '' ? this.#lastText : result };
    return [...held, ...closing, ...said, ...endingOf(ended, end)];
  }

  #increment({ event, message_id, parent_tool_use_id }: SDKPartialAssistantMessage): readonly PublicEventBody[] {
    if (event.type === 'message_start') {
      const place = this.#messagePlace(event.message.id, parent_tool_use_id);
      return this.#done.has(place.message_id) ? NOTHING : this.#messageStart(place, event.message.model);
    }
    const place = this.#messagePlace(message_id ?? '', parent_tool_use_id);
    const messageId = place.message_id;
    if (this.#done.has(messageId) || !this.#open.has(messageId)) return NOTHING;
    switch (event.type) {
      case 'content_block_start':
        return [...this.#releaseStop(messageId), ...this.#blockStart(place, event.index, event.content_block)];
      case 'content_block_delta':
        if (this.#open.block(messageId, event.index)?.isOpen !== true) return NOTHING;
        return [{ ...place, type: 'agent.content_block_delta', index: event.index, delta: event.delta }];
      case 'content_block_stop': {
        const released = this.#releaseStop(messageId);
        this.#heldStops.set(messageId, { ...place, type: 'agent.content_block_stop', index: event.index });
        return released;
      }
      default:
        // The whole message says how it ended, and ends it.
        return NOTHING;
    }
  }

  #messageStart(place: MessagePlace, model: string): readonly PublicEventBody[] {
    if (this.#open.has(place.message_id)) return NOTHING;
    const usage = { input_tokens: 0, output_tokens: 0 };
    return [
      {
        ...place,
        type: 'agent.message_start',
        message: {
          id: place.message_id,
          type: 'message',
          role: 'assistant',
          model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage,
        },
      },
    ];
  }

  #blockStart(place: MessagePlace, index: number, block: ContentBlock): readonly PublicEventBody[] {
    return [
      { ...place, type: 'agent.content_block_start', index, content_block: emptyBlock(block) },
      ...missingFragments(block, { text: '', signature: '' }).map(
        (delta): PublicEventBody => ({ ...place, type: 'agent.content_block_delta', index, delta }),
      ),
    ];
  }

  #wholeAnswer({ message, parent_tool_use_id }: SDKAssistantMessage): readonly PublicEventBody[] {
    const place = this.#messagePlace(message.id, parent_tool_use_id);
    if (this.#done.has(place.message_id)) return NOTHING;
    this.#done.add(place.message_id);
    const { model, usage } = message;
    const content = message.content.map(withoutEmptySignature);
    const ending = { stopReason: message.stop_reason ?? null, usage };
    if (place.parent_tool_use_id === null) this.#lastText = textOf(content) || this.#lastText;
    const increments = this.#turn.hasIncrements
      ? [...this.#messageStart(place, model), ...this.#missingIncrements(place, content), ...messageEnd(place, ending)]
      : NOTHING;
    return [...increments, ...wholeMessage(place, { model, content, ...ending })];
  }

  /** What the increments lack of the whole message, in order. */
  #missingIncrements(place: MessagePlace, content: readonly ContentBlock[]): readonly PublicEventBody[] {
    const held = this.#heldStops.get(place.message_id);
    this.#heldStops.delete(place.message_id);
    const bodies: PublicEventBody[] = held !== undefined && held.index >= content.length ? [held] : [];
    for (const [index, block] of content.entries()) {
      const streamed = this.#open.block(place.message_id, index);
      if (streamed === undefined) {
        bodies.push(...this.#blockStart(place, index, block));
      } else if (!streamed.isOpen) {
        continue;
      } else {
        for (const delta of missingFragments(block, streamed)) {
          bodies.push({ ...place, type: 'agent.content_block_delta', index, delta });
        }
      }
      bodies.push({ ...place, type: 'agent.content_block_stop', index });
    }
    return bodies;
  }

  #say(text: string): readonly PublicEventBody[] {
    const content: ContentBlock[] = [{ type: 'text', text }];
    return this.#track(
      this.#wholeAnswer({
        type: 'assistant',
        uuid: this.#turn.turnId,
        session_id: '',
        message: {
          id: this.#turn.turnId.replace('turn_', ''),
          role: 'assistant',
          model: '',
          content,
          stop_reason: 'end_turn',
        },
      }),
    );
  }

  #toolResults({ message, parent_tool_use_id }: SDKUserMessage): readonly PublicEventBody[] {
    if (typeof message.content === 'string') return NOTHING;
    const place = this.#place(parent_tool_use_id);
    return message.content.flatMap((block): PublicEventBody[] => {
      if (block.type !== 'tool_result') return [];
      const { tool_use_id, content = '', is_error = false } = block;
      return [{ ...place, type: 'agent.tool_result', tool_use_id, content, is_error }];
    });
  }

  #releaseStop(messageId: string): readonly PublicEventBody[] {
    const held = this.#heldStops.get(messageId);
    this.#heldStops.delete(messageId);
    return held === undefined ? NOTHING : [held];
  }

  #track(bodies: readonly PublicEventBody[]): readonly PublicEventBody[] {
    for (const body of bodies) this.#open.track(body);
    return bodies;
  }

  #place(parentToolUseId: string | null | undefined) {
    const { turnId, threadId } = this.#turn;
    const parent = parentToolUseId ?? null;
    return {
      session_thread_id: parent === null ? threadId : subagentThreadId(turnId, parent),
      turn_id: turnId,
      parent_tool_use_id: parent,
    };
  }

  #messagePlace(agentMessageId: string, parentToolUseId: string | null | undefined): MessagePlace {
    return { ...this.#place(parentToolUseId), message_id: toMessageId(agentMessageId) };
  }
}

/** Strict readers of the sdk dialect get a signature in every case; an empty one proves nothing. */
function withoutEmptySignature(block: ContentBlock): ContentBlock {
  if (block.type !== 'thinking' || block.signature !== '') return block;
  const { signature: _, ...rest } = block;
  return rest;
}

function textOf(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
