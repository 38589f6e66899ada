import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Conversation } from '../conversation/conversation.js';
import { EntryView } from './entry-view.js';

export interface TranscriptProps {
  readonly conversation: Conversation;
  /** Shown while there is nothing else. */
  readonly emptyText: string;
}

/** So many entries are drawn at first, and more with each click: sessions may have thousands. */
const STEP = 80;

/** Within this of the end the view follows what comes, in pixels. */
const NEAR_THE_END = 80;

/** What was said, the newest at the end. It follows the end unless somebody has scrolled away from it. */
export function Transcript({ conversation, emptyText }: TranscriptProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [most, setMost] = useState(STEP);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const entries = conversation.entries.filter(({ parentToolUseId }) => parentToolUseId === null);
  const hidden = Math.max(0, entries.length - most);
  const toTheEnd = () => {
    const view = scroller.current;
    if (view !== null) view.scrollTop = view.scrollHeight;
  };
  useLayoutEffect(() => {
    if (isAtEnd) toTheEnd();
  });
  useEffect(() => {
    const view = scroller.current;
    if (view === null) return undefined;
    // The box below grows, pictures come in: the end stays in sight.
    const watcher = new ResizeObserver(() => isAtEnd && toTheEnd());
    watcher.observe(view);
    return () => watcher.disconnect();
  }, [isAtEnd]);
  const onScroll = () => {
    const view = scroller.current;
    if (view !== null) setIsAtEnd(view.scrollHeight - view.scrollTop - view.clientHeight < NEAR_THE_END);
  };
  return (
    <div class="transcript-box">
      {/* What scrolls must be reachable with keys. */}
      <section class="transcript" aria-label="Conversation" tabIndex={0} ref={scroller} onScroll={onScroll}>
        <div class="column">
          {hidden > 0 && (
            <button type="button" class="quiet" onClick={() => setMost(most + STEP)}>
              Show earlier ({hidden})
            </button>
          )}
          {entries.length === 0 && <p class="muted empty">{emptyText}</p>}
          {entries.slice(hidden).map((entry) => (
            <EntryView key={entry.key} entry={entry} conversation={conversation} />
          ))}
        </div>
      </section>
      {!isAtEnd && (
        <button type="button" class="to-end" onClick={toTheEnd}>
          Newest ↓
        </button>
      )}
    </div>
  );
}
