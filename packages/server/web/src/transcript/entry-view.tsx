import { useMemo } from 'preact/hooks';
import { CallCard } from '../call/call-card.js';
import {
  type AnswerEntry,
  type Block,
  type Conversation,
  type Entry,
  type NoticeEntry,
  toCallKey,
  type UserEntry,
} from '../conversation/conversation.js';
import { Markdown } from '../markdown/markdown.js';
import { RewindMenu } from './rewind-menu.js';

export interface EntryViewProps {
  readonly entry: Entry;
  readonly conversation: Conversation;
  /** Missing: there are no commands to choose. */
  readonly onCommand?: (command: string) => void;
}

/** Rendered again only if something that it shows has changed. */
export function EntryView({ entry, conversation, onCommand }: EntryViewProps) {
  const { calls, runningRequestId } = conversation;
  // Only entries with tool calls depend on the rest of the conversation.
  const context = hasCalls(entry) ? conversation : undefined;
  return useMemo(() => {
    if (entry.kind === 'user') return <UserMessage entry={entry} onCommand={onCommand} />;
    if (entry.kind === 'notice') return <Notice entry={entry} />;
    return <Answer entry={entry} conversation={conversation} />;
  }, [entry, context && calls, context && runningRequestId, context && childrenOf(context, entry)]);
}

function hasCalls(entry: Entry): boolean {
  return entry.kind === 'answer' && entry.blocks.some(({ type }) => type === 'tool');
}

/** The newest entry of a subagent of the turn. */
function childrenOf({ entries }: Conversation, { turnId }: Entry): Entry | undefined {
  return entries.findLast((entry) => entry.turnId === turnId && entry.parentToolUseId !== null);
}

interface UserMessageProps {
  readonly entry: UserEntry;
  readonly onCommand: EntryViewProps['onCommand'] | undefined;
}

function UserMessage({ entry: { text, images, requestId }, onCommand }: UserMessageProps) {
  // Commands are no part of the conversation.
  const isPrompt = !text.startsWith('/');
  return (
    <article class="entry user" aria-label="You">
      <p>{text}</p>
      {images.map((address) => (
        <img src={address} alt="Image from you" />
      ))}
      {isPrompt && onCommand !== undefined && <RewindMenu requestId={requestId} onCommand={onCommand} />}
    </article>
  );
}

function Notice({ entry: { level, text } }: { readonly entry: NoticeEntry }) {
  return <p class={`entry notice ${level}`}>{text}</p>;
}

function Answer({ entry, conversation }: { readonly entry: AnswerEntry; readonly conversation: Conversation }) {
  return (
    <article class="entry answer" aria-label="Agent" aria-busy={entry.isOpen}>
      {entry.blocks.map((block) => (
        <BlockView block={block} entry={entry} conversation={conversation} />
      ))}
    </article>
  );
}

interface BlockViewProps {
  readonly block: Block;
  readonly entry: AnswerEntry;
  readonly conversation: Conversation;
}

function BlockView({ block, entry, conversation }: BlockViewProps) {
  switch (block.type) {
    case 'text':
      return <Markdown text={block.text} />;
    case 'thinking':
      return block.thinking.trim() === '' ? null : (
        <details class="thinking">
          <summary>{block.isOpen ? 'Thinking…' : 'Thoughts'}</summary>
          <Markdown text={block.thinking} />
        </details>
      );
    case 'image':
      return <img src={block.address} alt="Image from the model" />;
    case 'tool': {
      const { calls, entries, runningRequestId } = conversation;
      const children = entries.filter(
        ({ turnId, parentToolUseId }) => turnId === entry.turnId && parentToolUseId === block.toolUseId,
      );
      return (
        <CallCard
          call={block}
          state={calls.get(toCallKey(entry.turnId, block.toolUseId))}
          isRunning={runningRequestId !== undefined && isNewestTurn(entries, entry.turnId)}
        >
          {children.length > 0 && (
            <div class="subagent" role="group" aria-label="Subagent">
              {children.map((child) => (
                <EntryView key={child.key} entry={child} conversation={conversation} />
              ))}
            </div>
          )}
        </CallCard>
      );
    }
    case 'unknown':
      return null;
  }
}

function isNewestTurn(entries: readonly Entry[], turnId: string | undefined): boolean {
  return entries.findLast((entry) => entry.turnId !== undefined && entry.kind !== 'user')?.turnId === turnId;
}
