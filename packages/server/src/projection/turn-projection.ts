import {
  type ContentBlock,
  contentText,
  type SDKAssistantMessage,
  type SDKMessage,
  type SDKPartialAssistantMessage,
  type SDKUserMessage,
} from '@qwen/protocol';
import type { PublicEventBody, PublicEventBodyOf } from '@qwen/protocol/server';
import { subagentThreadId, toMessageId } from '../store/session-ids.js';
import { completeMessage, type MessageScope } from './complete-message.js';
import { missingFragments } from './missing-fragments.js';
import { emptyBlock, messageEnd, OpenMessages } from './open-messages.js';
import { toSystemEvents } from './system-events.js';
import { endingOf, stopReasonOf, type TurnEnd } from './turn-ending.js';

export interface ProjectedTurn {
  readonly turnId: string;
  readonly requestId: string;
  readonly threadId: string;
  readonly hasIncrements: boolean;
}

const NOTHING: readonly PublicEventBody[] = [];

/**
 * Projects the messages of a turn to public events. The increments of a message always add up to it, even if the
 * agent left some out. Pure.
 */
export class TurnProjection {
  readonly #turn: ProjectedTurn;
  readonly #open = new OpenMessages();
  /** Complete messages, whose late increments are dropped. */
  readonly #done = new Set<string>();
  /** The stop of the last block of a message, which may still lack its tail. */
  readonly #heldStops = new Map<string, PublicEventBodyOf<'agent.content_block_stop'>>();
  #lastText = '';

  constructor(turn: ProjectedTurn) {
    this.#turn = turn;
  }

  get lastText(): string {
    return this.#lastText;
  }

  /** None for a result; see {@link end}. */
  accept(message: SDKMessage): readonly PublicEventBody[] {
    switch (message.type) {
      case 'stream_event':
        return this.#turn.hasIncrements ? this.#track(this.#increment(message)) : NOTHING;
      case 'assistant':
        return this.#track(this.#completeMessage(message));
      case 'user':
        return this.#toolResults(message);
      case 'system':
        return toSystemEvents(message, (parentToolUseId) => this.#scope(parentToolUseId));
      default:
        return NOTHING;
    }
  }

  end(end: TurnEnd): readonly PublicEventBody[] {
    const held = this.#track([...this.#heldStops.values()]);
    this.#heldStops.clear();
    const closing = this.#track(this.#open.closing({ stopReason: stopReasonOf(end) }));
    // A command without a model call only has a result.
    const result = end.outcome === 'interrupted' ? '' : (end.result ?? '');
    const answer = result !== '' && this.#done.size === 0 ? this.#messageOf(result) : NOTHING;
    const { requestId } = this.#turn;
    const ended = { scope: this.#scope(null), requestId, lastText: result === '' ? this.#lastText : result };
    return [...held, ...closing, ...answer, ...endingOf(ended, end)];
  }

  #increment({ event, message_id, parent_tool_use_id }: SDKPartialAssistantMessage): readonly PublicEventBody[] {
    if (event.type === 'message_start') {
      const scope = this.#messageScope(event.message.id, parent_tool_use_id);
      return this.#done.has(scope.message_id) ? NOTHING : this.#messageStart(scope, event.message.model);
    }
    const scope = this.#messageScope(message_id ?? '', parent_tool_use_id);
    const messageId = scope.message_id;
    if (this.#done.has(messageId) || !this.#open.has(messageId)) return NOTHING;
    switch (event.type) {
      case 'content_block_start':
        return [...this.#releaseStop(messageId), ...this.#blockStart(scope, event.index, event.content_block)];
      case 'content_block_delta':
        if (this.#open.block(messageId, event.index)?.isOpen !== true) return NOTHING;
        return [{ ...scope, type: 'agent.content_block_delta', index: event.index, delta: event.delta }];
      case 'content_block_stop': {
        const released = this.#releaseStop(messageId);
        this.#heldStops.set(messageId, { ...scope, type: 'agent.content_block_stop', index: event.index });
        return released;
      }
      default:
        // The complete message ends it.
        return NOTHING;
    }
  }

  #messageStart(scope: MessageScope, model: string): readonly PublicEventBody[] {
    if (this.#open.has(scope.message_id)) return NOTHING;
    const usage = { input_tokens: 0, output_tokens: 0 };
    return [
      {
        ...scope,
        type: 'agent.message_start',
        message: {
          id: scope.message_id,
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

  #blockStart(scope: MessageScope, index: number, block: ContentBlock): readonly PublicEventBody[] {
    return [
      { ...scope, type: 'agent.content_block_start', index, content_block: emptyBlock(block) },
      ...missingFragments(block, { text: '', signature: '' }).map(
        (delta): PublicEventBody => ({ ...scope, type: 'agent.content_block_delta', index, delta }),
      ),
    ];
  }

  #completeMessage({ message, parent_tool_use_id }: SDKAssistantMessage): readonly PublicEventBody[] {
    const scope = this.#messageScope(message.id, parent_tool_use_id);
    if (this.#done.has(scope.message_id)) return NOTHING;
    this.#done.add(scope.message_id);
    const { model, usage } = message;
    const content = message.content.map(withoutEmptySignature);
    const ending = { stopReason: message.stop_reason ?? null, usage };
    if (scope.parent_tool_use_id === null) this.#lastText = contentText(content, '') || this.#lastText;
    const increments = this.#turn.hasIncrements
      ? [...this.#messageStart(scope, model), ...this.#missingIncrements(scope, content), ...messageEnd(scope, ending)]
      : NOTHING;
    return [...increments, ...completeMessage(scope, { model, content, ...ending })];
  }

  #missingIncrements(scope: MessageScope, content: readonly ContentBlock[]): readonly PublicEventBody[] {
    const held = this.#heldStops.get(scope.message_id);
    this.#heldStops.delete(scope.message_id);
    const bodies: PublicEventBody[] = held !== undefined && held.index >= content.length ? [held] : [];
    for (const [index, block] of content.entries()) {
      const streamed = this.#open.block(scope.message_id, index);
      if (streamed === undefined) {
        bodies.push(...this.#blockStart(scope, index, block));
      } else if (!streamed.isOpen) {
        continue;
      } else {
        for (const delta of missingFragments(block, streamed)) {
          bodies.push({ ...scope, type: 'agent.content_block_delta', index, delta });
        }
      }
      bodies.push({ ...scope, type: 'agent.content_block_stop', index });
    }
    return bodies;
  }

  #messageOf(text: string): readonly PublicEventBody[] {
    const content: ContentBlock[] = [{ type: 'text', text }];
    return this.#track(
      this.#completeMessage({
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
    const scope = this.#scope(parent_tool_use_id);
    return message.content.flatMap((block): PublicEventBody[] => {
      if (block.type !== 'tool_result') return [];
      const { tool_use_id, content = '', is_error = false } = block;
      return [{ ...scope, type: 'agent.tool_result', tool_use_id, content, is_error }];
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

  #scope(parentToolUseId: string | null | undefined) {
    const { turnId, threadId } = this.#turn;
    const parent = parentToolUseId ?? null;
    return {
      session_thread_id: parent === null ? threadId : subagentThreadId(turnId, parent),
      turn_id: turnId,
      parent_tool_use_id: parent,
    };
  }

  #messageScope(agentMessageId: string, parentToolUseId: string | null | undefined): MessageScope {
    return { ...this.#scope(parentToolUseId), message_id: toMessageId(agentMessageId) };
  }
}

/** The sdk dialect always sends a signature; an empty one means none. */
function withoutEmptySignature(block: ContentBlock): ContentBlock {
  if (block.type !== 'thinking' || block.signature !== '') return block;
  const { signature: _, ...rest } = block;
  return rest;
}
