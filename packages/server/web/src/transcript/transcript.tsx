import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Conversation, waitingMessages } from '../conversation/conversation.js';
import { EntryView } from './entry-view.js';
import type { MessageActions } from './rewind-menu.js';

export interface TranscriptProps {
  readonly conversation: Conversation;
  readonly emptyText: string;
  /** Undefined for a reader. */
  readonly actions: MessageActions | undefined;
}

/** Entries rendered at first, and added per click: sessions may have thousands. */
const STEP = 80;

/** Within this distance of the end the view follows new entries, in pixels. */
const NEAR_THE_END = 80;

/** Follows the end unless the user has scrolled away. */
export function Transcript({ conversation, emptyText, actions }: TranscriptProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [most, setMost] = useState(STEP);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const waiting = new Set(waitingMessages(conversation).map(({ key }) => key));
  const entries = conversation.entries.filter(
    ({ key, parentToolUseId }) => parentToolUseId === null && !waiting.has(key),
  );
  const hidden = Math.max(0, entries.length - most);
  const scrollToEnd = () => {
    const view = scroller.current;
    if (view !== null) view.scrollTop = view.scrollHeight;
  };
  useLayoutEffect(() => {
    if (isAtEnd) scrollToEnd();
  });
  useEffect(() => {
    const view = scroller.current;
    if (view === null) return undefined;
    // Keeps the end visible when the input box grows or images load.
    const watcher = new ResizeObserver(() => isAtEnd && scrollToEnd());
    watcher.observe(view);
    return () => watcher.disconnect();
  }, [isAtEnd]);
  const onScroll = () => {
    const view = scroller.current;
    if (view !== null) setIsAtEnd(view.scrollHeight - view.scrollTop - view.clientHeight < NEAR_THE_END);
  };
  return (
    <div class="transcript-box">
      {/* Scrollable areas must be focusable. */}
      <section class="transcript" aria-label="Conversation" tabIndex={0} ref={scroller} onScroll={onScroll}>
        <div class="column">
          {hidden > 0 && (
            <button type="button" class="quiet" onClick={() => setMost(most + STEP)}>
              Show earlier messages ({hidden})
            </button>
          )}
          {entries.length === 0 && <p class="muted empty">{emptyText}</p>}
          {entries.slice(hidden).map((entry) => (
            <EntryView key={entry.key} entry={entry} conversation={conversation} actions={actions} />
          ))}
        </div>
      </section>
      {!isAtEnd && (
        <button type="button" class="to-end" onClick={scrollToEnd}>
          Newest ↓
        </button>
      )}
    </div>
  );
}
