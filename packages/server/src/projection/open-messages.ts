import type { ContentBlock, Usage } from '@qwen/protocol';
import type { Fragment, PublicEventBody } from '@qwen/protocol/server';
import { completeMessage, type MessageScope } from './complete-message.js';

interface OpenBlock {
  readonly start: ContentBlock;
  /** The fragments so far: text, or part of a JSON value. */
  text: string;
  signature: string;
  isOpen: boolean;
}

interface OpenMessage {
  readonly scope: MessageScope;
  readonly model: string;
  readonly blocks: Map<number, OpenBlock>;
}

export interface StreamedBlock {
  readonly text: string;
  readonly signature: string;
  readonly isOpen: boolean;
}

export interface MessageEnding {
  readonly stopReason: string | null;
  readonly usage?: Usage | undefined;
}

/** Tracks open messages by their increments and closes them early, also after a crash. */
export class OpenMessages {
  readonly #messages = new Map<string, OpenMessage>();

  track(body: PublicEventBody): void {
    switch (body.type) {
      case 'agent.message_start': {
        const { session_thread_id, turn_id, message_id, parent_tool_use_id, message } = body;
        const scope = { session_thread_id, turn_id, message_id, parent_tool_use_id };
        this.#messages.set(message_id, { scope, model: message.model, blocks: new Map() });
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
      // `agent.message_stop` does not complete it.
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

  /** Includes the complete messages. */
  closing(ending: MessageEnding): readonly PublicEventBody[] {
    const bodies = [...this.#messages.values()].flatMap(({ scope, model, blocks }): PublicEventBody[] => {
      const stops = [...blocks].filter(([, { isOpen }]) => isOpen);
      const indices = [...blocks.keys()].toSorted((left, right) => left - right);
      const content = indices.flatMap((index) => {
        const block = blocks.get(index);
        return block === undefined ? [] : [toCompleteBlock(block)];
      });
      return [
        ...stops.map(([index]): PublicEventBody => ({ ...scope, type: 'agent.content_block_stop', index })),
        ...messageEnd(scope, ending),
        ...completeMessage(scope, { model, content, stopReason: ending.stopReason, usage: ending.usage }),
      ];
    });
    this.#messages.clear();
    return bodies;
  }
}

export function messageEnd(scope: MessageScope, { stopReason, usage }: MessageEnding): readonly PublicEventBody[] {
  const { input_tokens = 0, output_tokens = 0 } = usage ?? {};
  return [
    {
      ...scope,
      type: 'agent.message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null, container: null },
      usage: { input_tokens, output_tokens },
    },
    { ...scope, type: 'agent.message_stop' },
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

function toCompleteBlock({ start, text, signature }: OpenBlock): ContentBlock {
  switch (start.type) {
    case 'text':
      return { ...start, text };
    case 'thinking':
      return { ...start, thinking: text, ...(signature !== '' && { signature }) };
    case 'tool_use':
      // As in the agent's own messages, incomplete arguments stay text.
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

/** The block at the start of its increments. Types without increments are returned unchanged. */
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
