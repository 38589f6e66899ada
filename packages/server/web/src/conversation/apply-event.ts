import type { ContentBlock } from '@qwen/protocol';
import type { PublicEvent } from '@qwen/protocol/server';
import { appendFragment, putBlock, toBlock, toImageAddress } from './answer-blocks.js';
import { setResult, settleApproval, takeApproval, withdrawApprovals } from './calls.js';
import type { AnswerEntry, Block, Conversation, Entry, NoticeEntry } from './conversation.js';

/** Applies an event. Pure; the caller passes each event once, in order. */
export function applyEvent(conversation: Conversation, event: PublicEvent): Conversation {
  switch (event.type) {
    case 'user.message':
      return addUserMessage(conversation, event);
    case 'agent.message_start':
      return updateAnswer(conversation, event, () => ({ blocks: [], isOpen: true }));
    case 'agent.content_block_start':
      return updateAnswer(conversation, event, ({ blocks }) => ({
        blocks: putBlock(blocks, event.index, toBlock(event.content_block, { isOpen: true })),
      }));
    case 'agent.content_block_delta':
      return updateAnswer(conversation, event, ({ blocks }) => ({
        blocks: appendFragment(blocks, event.index, event.delta),
      }));
    case 'agent.content_block_stop':
      return updateAnswer(conversation, event, ({ blocks }) => ({ blocks: blocks.map(closeThinking) }));
    case 'agent.message_stop':
      return updateAnswer(conversation, event, () => ({ isOpen: false }));
    case 'agent.message':
      // Overrides the increments.
      return updateAnswer(conversation, event, () => ({ blocks: event.content.map(toCompleteBlock), isOpen: false }));
    case 'agent.tool_result':
      return setResult(conversation, event);
    case 'approval.requested':
      return takeApproval(conversation, event);
    case 'approval.settled':
      return settleApproval(conversation, event);
    case 'turn.started':
      return {
        ...conversation,
        runningRequestId: event.request_id,
        queuedRequestIds: conversation.queuedRequestIds.filter((id) => id !== event.request_id),
      };
    case 'turn.ended':
      return endTurn(conversation, event, endNotice(event));
    case 'turn.interrupted':
      return endTurn(conversation, event, { level: 'warning', text: `The turn was interrupted: ${event.reason}` });
    case 'session.status_idle':
      return { ...conversation, runningRequestId: undefined };
    case 'session.sandbox':
      return { ...conversation, sandbox: event.sandbox };
    case 'session.error':
      // Errors of a turn are shown with its end.
      return event.turn_id === undefined
        ? addNotice(conversation, event, { level: 'error', text: event.error.message })
        : conversation;
    case 'file_references':
      return addNotice(conversation, event, {
        level: 'info',
        text: `Read ${event.files.map(({ path }) => path).join(', ')}`,
      });
    case 'warning':
      return addNotice(conversation, event, { level: 'warning', text: event.message });
    case 'notice':
      return event.message === undefined
        ? conversation
        : addNotice(conversation, event, { level: 'info', text: event.message });
    default:
      return conversation;
  }
}

export function addLocalNotice(conversation: Conversation, key: string, notice: Notice): Conversation {
  return append(conversation, { kind: 'notice', key, turnId: undefined, parentToolUseId: null, ...notice });
}

type Notice = Pick<NoticeEntry, 'level' | 'text'>;
type Placed = Pick<PublicEvent, 'id' | 'turn_id' | 'parent_tool_use_id'>;
type EventOf<Type extends string> = Extract<PublicEvent, { readonly type: Type }>;

function addUserMessage(conversation: Conversation, event: EventOf<'user.message'>): Conversation {
  const isOfMain = scopeOf(event).parentToolUseId === null;
  const withMessage = append(conversation, {
    kind: 'user',
    ...scopeOf(event),
    requestId: event.request_id,
    text: event.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
    images: event.content.flatMap(imagesOf),
  });
  if (!isOfMain) return withMessage;
  return { ...withMessage, queuedRequestIds: [...withMessage.queuedRequestIds, event.request_id] };
}

function imagesOf(block: ContentBlock): string[] {
  const address = block.type === 'image' ? toImageAddress(block) : undefined;
  return address === undefined ? [] : [address];
}

function updateAnswer(
  conversation: Conversation,
  event: Placed & { readonly message_id: string },
  change: (answer: AnswerEntry) => Partial<AnswerEntry>,
): Conversation {
  const { entries } = conversation;
  const at = entries.findLastIndex((entry) => entry.kind === 'answer' && entry.messageId === event.message_id);
  const found = entries[at];
  if (found?.kind === 'answer') {
    return { ...conversation, entries: entries.with(at, { ...found, ...change(found) }) };
  }
  const created: AnswerEntry = {
    kind: 'answer',
    ...scopeOf(event),
    messageId: event.message_id,
    blocks: [],
    isOpen: true,
  };
  return append(conversation, { ...created, ...change(created) });
}

function toCompleteBlock(block: ContentBlock): Block {
  return toBlock(block, { isOpen: false });
}

function closeThinking(block: Block): Block {
  return block.type === 'thinking' && block.isOpen ? { ...block, isOpen: false } : block;
}

/** Closes everything of the turn, even if events were lost. */
function endTurn(
  conversation: Conversation,
  event: Placed & { readonly request_id: string },
  notice: Notice | undefined,
): Conversation {
  const entries = conversation.entries.map((entry) =>
    entry.kind === 'answer' && entry.isOpen && entry.turnId === event.turn_id
      ? { ...entry, isOpen: false, blocks: entry.blocks.map(closeThinking) }
      : entry,
  );
  const isAnother = conversation.runningRequestId !== event.request_id;
  const ended = withdrawApprovals(
    {
      ...conversation,
      entries,
      runningRequestId: isAnother ? conversation.runningRequestId : undefined,
      queuedRequestIds: conversation.queuedRequestIds.filter((id) => id !== event.request_id),
    },
    event.request_id,
  );
  return notice === undefined ? ended : addNotice(ended, event, notice);
}

function endNotice({ outcome, error }: EventOf<'turn.ended'>): Notice | undefined {
  if (outcome === 'success') return undefined;
  if (outcome === 'cancelled') return { level: 'info', text: 'Stopped.' };
  return { level: 'error', text: error?.message ?? 'The turn failed.' };
}

function addNotice(conversation: Conversation, event: Placed, notice: Notice): Conversation {
  return append(conversation, { kind: 'notice', ...scopeOf(event), ...notice });
}

function append(conversation: Conversation, entry: Entry): Conversation {
  return { ...conversation, entries: [...conversation.entries, entry] };
}

function scopeOf({ id, turn_id, parent_tool_use_id = null }: Placed) {
  return { key: id, turnId: turn_id, parentToolUseId: parent_tool_use_id };
}
