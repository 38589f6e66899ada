import { escapeHidden } from '@qwen/protocol';
import type { UserEntry } from '../conversation/conversation.js';

export interface WaitingListProps {
  readonly messages: readonly UserEntry[];
  /** Undefined for a reader. */
  readonly onTakeBack: ((message: UserEntry) => void) | undefined;
}

/** Messages that the running turn has not read. */
export function WaitingList({ messages, onTakeBack }: WaitingListProps) {
  if (messages.length === 0) return null;
  return (
    <ul class="queued-messages" aria-label="Queued messages">
      {messages.map((message) => (
        <li key={message.key}>
          <span class="muted">Queued</span>
          <span class="waiting-text">{escapeHidden(message.text)}</span>
          {onTakeBack !== undefined && (
            <button type="button" class="quiet" onClick={() => onTakeBack(message)}>
              Take back
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
