import type { ContentBlock, Usage } from '@qwen/protocol';
import type { Fragment, PublicEventBody } from '@qwen/protocol/server';
import { type MessagePlace, wholeMessage } from './whole-message.js';

interface OpenBlock {
  readonly start: ContentBlock;
  /** The fragments so far: prose, or the text of a JSON value. */
  text: string;
  signature: string;
  isOpen: boolean;
}

interface OpenMessage {
  readonly place: MessagePlace;
  readonly model: string;
  readonly blocks: Map<number, OpenBlock>;
}

/** What a message that is not whole has of one of its blocks. */
export interface StreamedBlock {
  readonly text: string;
  readonly signature: string;
  readonly isOpen: boolean;
}

/** What a message ends with. */
export interface MessageEnding {
  readonly stopReason: string | null;
  readonly usage?: Usage | undefined;
}

/**
 * The answers that have begun and not ended, read from the increments that went out. Whoever has to end them early gets
 * what closes them (GAP-98): in the turn itself, and after a crash from what the log has of it.
 */
export class OpenMessages {
  readonly #messages = new Map<string, OpenMessage>();

  /** Follows one event that went out. */
  track(body: PublicEventBody): void {
    switch (body.type) {
      case 'agent.message_start': {
        const { session_thread_id, turn_id, message_id, parent_tool_use_id, message } = body;
        const place = { session_thread_id, turn_id, message_id, parent_tool_use_id };
        this.#messages.set(message_id, { place, model: message.model, blocks: new Map() });
        return;
      }
      case 'agent.content_block_start':
        this.#messages
          .get(body.message_id)
          ?.blocks.set(body.index, { start: body.content_block, text: '', signature: '', isOpen: true });
        return;
      case 'agent.content_block_delta':
        addFragment(this.#messages.get(body.message_id)?.blocks.get(body.index), body.delta);
        return;
      case 'agent.content_block_stop': {
        const block = this.#messages.get(body.message_id)?.blocks.get(body.index);
        if (block !== undefined) block.isOpen = false;
        return;
      }
      // `agent.message_stop` alone does not make it whole.
      case 'agent.message':
        this.#messages.delete(body.message_id);
        return;
      default:
    }
  }

  has(messageId: string): boolean {
    return this.#messages.has(messageId);
  }

  block(messageId: string, index: number): StreamedBlock | undefined {
    return this.#messages.get(messageId)?.blocks.get(index);
  }

  /** Events that end everything that is open, whole messages included. */
  closing(ending: MessageEnding): readonly PublicEventBody[] {
    const bodies = [...this.#messages.values()].flatMap(({ place, model, blocks }): PublicEventBody[] => {
      const stops = [...blocks].filter(([, { isOpen }]) => isOpen);
      const indices = [...blocks.keys()].toSorted((left, right) => left - right);
      const content = indices.flatMap((index) => {
        const block = blocks.get(index);
        return block === undefined ? [] : [toWholeBlock(block)];
      });
      return [
        ...stops.map(([index]): PublicEventBody => ({ ...place, type: 'agent.content_block_stop', index })),
        ...messageEnd(place, ending),
        ...wholeMessage(place, { model, content, stopReason: ending.stopReason, usage: ending.usage }),
      ];
    });
    this.#messages.clear();
    return bodies;
  }
}

/** The two increments behind the last block. */
export function messageEnd(place: MessagePlace, { stopReason, usage }: MessageEnding): readonly PublicEventBody[] {
  const { input_tokens = 0, output_tokens = 0 } = usage ?? {};
  return [
    {
      ...place,
      type: 'agent.message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null, container: null },
      usage: { input_tokens, output_tokens },
    },
    { ...place, type: 'agent.message_stop' },
  ];
}

function addFragment(block: OpenBlock | undefined, delta: Fragment): void {
  if (block === undefined) return;
  switch (delta.type) {
    case 'text_delta':
      block.text += delta.text;
      return;
    case 'thinking_delta':
      block.text += delta.thinking;
      return;
    case 'input_json_delta':
      block.text += delta.partial_json;
      return;
    case 'signature_delta':
      block.signature += delta.signature;
      return;
    default:
  }
}

function toWholeBlock({ start, text, signature }: OpenBlock): ContentBlock {
  switch (start.type) {
    case 'text':
      return { ...start, text };
    case 'thinking':
      return { ...start, thinking: text, ...(signature !== '' && { signature }) };
    case 'tool_use':
      // As in the agent's own messages: arguments that are not whole keep their text (F75).
      return { ...start, input: parseInput(text) };
    default:
      return emptyBlock(start);
  }
}

function parseInput(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The block as its increments begin with it (R-27 … R-29). Blocks that come in one piece are given as they are. */
export function emptyBlock(block: ContentBlock): ContentBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', thinking: '' };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: {} };
    default:
      return block;
  }
}
