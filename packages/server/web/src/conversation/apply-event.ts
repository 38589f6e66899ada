import type { ContentBlock } from '@qwen/protocol';
import type { PublicEvent } from '@qwen/protocol/server';
import { appendFragment, putBlock, toBlock, toImageAddress } from './answer-blocks.js';
import { setResult, settleApproval, takeApproval, withdrawApprovals } from './calls.js';
import type { AnswerEntry, Block, Conversation, Entry, NoticeEntry, UserEntry } from './conversation.js';

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
    case 'user.message_taken':
      return dequeue(conversation, event.request_id);
    case 'turn.started':
      return { ...dequeue(conversation, event.request_id), runningRequestId: event.request_id };
    case 'turn.ended':
      return takeBack(conversation, event) ?? addUsage(endTurn(conversation, event, endNotice(event)), event);
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
    ...toMessage(event.content),
  });
  if (!isOfMain) return withMessage;
  return { ...withMessage, queuedRequestIds: [...withMessage.queuedRequestIds, event.request_id] };
}

/** Its place in the transcript is where the agent reads it. */
function dequeue(conversation: Conversation, requestId: string): Conversation {
  const { entries, queuedRequestIds } = conversation;
  const isOfIt = (entry: Entry) =>
    entry.kind === 'user' && entry.requestId === requestId && entry.parentToolUseId === null;
  return {
    ...conversation,
    entries: [...entries.filter((entry) => !isOfIt(entry)), ...entries.filter(isOfIt)],
    queuedRequestIds: queuedRequestIds.filter((id) => id !== requestId),
  };
}

/** The end of a message that was cancelled before it had a turn. Undefined for other turns. */
function takeBack(conversation: Conversation, event: EventOf<'turn.ended'>): Conversation | undefined {
  const { request_id: requestId, outcome } = event;
  if (outcome !== 'cancelled' || !conversation.queuedRequestIds.includes(requestId)) return undefined;
  const dequeued = dequeue(conversation, requestId);
  return { ...dequeued, entries: dequeued.entries.slice(0, -1) };
}

function addUsage(conversation: Conversation, event: EventOf<'turn.ended'>): Conversation {
  const { usage, cost_usd: costUsd = usage?.cost_usd, duration_ms: durationMs } = event;
  if (usage === undefined || usage.output_tokens === 0) return conversation;
  const counted = { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens, costUsd };
  const { key, ...scope } = scopeOf(event);
  return append(conversation, { kind: 'turn', key: `${key}:usage`, ...scope, durationMs, usage: counted });
}

const ATTACHED = /^<attached-file name="([^"]*)">\n([\s\S]*)\n<\/attached-file>$/;

/** Text blocks of attached files are no part of the text. */
function toMessage(content: readonly ContentBlock[]): Pick<UserEntry, 'text' | 'images' | 'files'> {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const files = texts.flatMap((text) => {
    const [whole, name = '', body = ''] = ATTACHED.exec(text) ?? [];
    return whole === undefined ? [] : [{ name, text: body }];
  });
  const text = texts.filter((each) => !ATTACHED.test(each)).join('\n');
  return { text, images: content.flatMap(imagesOf), files };
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
