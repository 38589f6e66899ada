import { useEffect, useRef, useState } from 'preact/hooks';
import type { Conversation, Entry } from '../conversation/conversation.js';
import { openApprovals } from '../conversation/conversation.js';

/** Announces new messages, errors and approval requests to screen readers, but not the history. */
export function Announcer({ conversation, isLive }: { readonly conversation: Conversation; readonly isLive: boolean }) {
  const [text, setText] = useState('');
  const announced = useRef<ReadonlySet<string> | undefined>(undefined);
  const finished = conversation.entries.filter((entry) => textOf(entry) !== '');
  const newest = finished.at(-1)?.key;
  useEffect(() => {
    if (!isLive) return;
    const before = announced.current;
    announced.current = new Set(finished.map(({ key }) => key));
    const fresh = before === undefined ? [] : finished.filter(({ key }) => !before.has(key));
    if (fresh.length > 0) setText(fresh.map(textOf).join('. '));
  }, [newest, isLive]);
  const [approval] = openApprovals(conversation);
  return (
    <>
      <div class="visually-hidden" role="status">
        {text}
      </div>
      <div class="visually-hidden" role="alert">
        {approval === undefined ? '' : `The agent requests approval to use ${approval.toolName}.`}
      </div>
    </>
  );
}

function textOf(entry: Entry): string {
  if (entry.kind === 'notice') return entry.text;
  if (entry.kind === 'user' || entry.kind === 'turn' || entry.isOpen || entry.parentToolUseId !== null) return '';
  return entry.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
