import { useEffect, useRef, useState } from 'preact/hooks';
import type { Conversation, Entry } from '../conversation/conversation.js';
import { openApprovals } from '../conversation/conversation.js';

/**
 * Says what happens to those who do not see it: whole answers, not each word of them, and at once when the agent asks
 * or something fails. What was there when the session was opened is not said.
 */
export function Announcer({ conversation, isLive }: { readonly conversation: Conversation; readonly isLive: boolean }) {
  const [words, setWords] = useState('');
  const said = useRef<ReadonlySet<string> | undefined>(undefined);
  const finished = conversation.entries.filter((entry) => textOf(entry) !== '');
  const newest = finished.at(-1)?.key;
  useEffect(() => {
    if (!isLive) return;
    const before = said.current;
    said.current = new Set(finished.map(({ key }) => key));
    const fresh = before === undefined ? [] : finished.filter(({ key }) => !before.has(key));
    if (fresh.length > 0) setWords(fresh.map(textOf).join('. '));
  }, [newest, isLive]);
  const [question] = openApprovals(conversation);
  return (
    <>
      <div class="unseen" role="status">
        {words}
      </div>
      <div class="unseen" role="alert">
        {question === undefined ? '' : `The agent asks whether it may use ${question.toolName}.`}
      </div>
    </>
  );
}

function textOf(entry: Entry): string {
  if (entry.kind === 'remark') return entry.text;
  if (entry.kind === 'user' || entry.isOpen || entry.parentToolUseId !== null) return '';
  return entry.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
