import { useMemo } from 'preact/hooks';
import { CallCard } from '../call/call-card.js';
import {
  type AnswerEntry,
  type Block,
  type Conversation,
  type Entry,
  type NoticeEntry,
  type TurnEntry,
  toCallKey,
  type UserEntry,
} from '../conversation/conversation.js';
import { CodeBlock } from '../markdown/code-block.js';
import { Markdown } from '../markdown/markdown.js';
import { CopyButton } from './copy-button.js';
import { type MessageActions, RewindMenu } from './rewind-menu.js';
import { UsageText } from './usage-text.js';

export interface EntryViewProps {
  readonly entry: Entry;
  readonly conversation: Conversation;
  readonly actions?: MessageActions | undefined;
}

/** Rendered again only if something that it shows has changed. */
export function EntryView({ entry, conversation, actions }: EntryViewProps) {
  const { calls, runningRequestId } = conversation;
  // Only entries with tool calls depend on the rest of the conversation.
  const context = hasCalls(entry) ? conversation : undefined;
  return useMemo(() => {
    if (entry.kind === 'user') return <UserMessage entry={entry} actions={actions} />;
    if (entry.kind === 'notice') return <Notice entry={entry} />;
    if (entry.kind === 'turn') return <TurnEnd entry={entry} conversation={conversation} />;
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
  readonly actions: MessageActions | undefined;
}

function UserMessage({ entry, actions }: UserMessageProps) {
  const { text, images, files } = entry;
  // Commands are no part of the conversation.
  const isPrompt = !text.startsWith('/');
  return (
    <article class="entry user" aria-label="You">
      <p>{text}</p>
      {images.map((address) => (
        <img src={address} alt="Image from you" />
      ))}
      {files.map(({ name, text: content }) => (
        <details class="attached-file">
          <summary>{name}</summary>
          <CodeBlock text={content} language={name} />
        </details>
      ))}
      {isPrompt && actions !== undefined && <RewindMenu message={entry} {...actions} />}
    </article>
  );
}

function Notice({ entry: { level, text } }: { readonly entry: NoticeEntry }) {
  return <p class={`entry notice ${level}`}>{text}</p>;
}

/** The texts of the turn can be copied as one. */
function TurnEnd({ entry, conversation }: { readonly entry: TurnEntry; readonly conversation: Conversation }) {
  const { turnId, durationMs, usage } = entry;
  const copyText = () =>
    conversation.entries
      .flatMap((each) =>
        each.kind === 'answer' && each.turnId === turnId && each.parentToolUseId === null ? each.blocks : [],
      )
      .flatMap((block) => (block.type === 'text' ? [block.text.trim()] : []))
      .filter((text) => text !== '')
      .join('\n\n');
  return (
    <p class="entry turn-end">
      <UsageText usage={usage} durationMs={durationMs} />
      <CopyButton text={copyText} label="Copy the answer" />
    </p>
  );
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
      const state = calls.get(toCallKey(entry.turnId, block.toolUseId));
      const children = entries.filter(
        ({ turnId, parentToolUseId }) => turnId === entry.turnId && parentToolUseId === block.toolUseId,
      );
      return (
        <CallCard
          call={block}
          state={state}
          isRunning={runningRequestId !== undefined && isNewestTurn(entries, entry.turnId)}
        >
          {children.length > 0 && (
            <details class="subagent" aria-label="Subagent" open={state?.result === undefined}>
              <summary>Steps of the subagent</summary>
              {children.map((child) => (
                <EntryView key={child.key} entry={child} conversation={conversation} />
              ))}
            </details>
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
