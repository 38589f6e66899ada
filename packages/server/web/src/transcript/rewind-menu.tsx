import { useRef } from 'preact/hooks';
import type { UserEntry } from '../conversation/conversation.js';

export interface RewindMenuProps extends MessageActions {
  readonly message: Pick<UserEntry, 'requestId' | 'text'>;
}

export interface MessageActions {
  readonly onCommand: (command: string) => void;
  readonly onFork: (message: RewindMenuProps['message']) => void;
}

const CHOICES = [
  ['Show which files change', 'preview'],
  ['Restore conversation and files', 'both --yes'],
  ['Restore the conversation', 'conversation --yes'],
  ['Restore the files', 'files --yes'],
] as const;

/** Goes back to before a prompt, here or in a copy of the session. */
export function RewindMenu({ message, onCommand, onFork }: RewindMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (menu.current !== null) menu.current.open = false;
  };
  return (
    <details class="rewind" ref={menu}>
      <summary>Rewind…</summary>
      {CHOICES.map(([label, words]) => (
        <button
          key={words}
          type="button"
          class="quiet"
          onClick={() => {
            close();
            onCommand(`/rewind ${message.requestId} ${words}`);
          }}
        >
          {label}
        </button>
      ))}
      <button
        type="button"
        class="quiet"
        onClick={() => {
          close();
          onFork(message);
        }}
      >
        Fork the session before this message
      </button>
    </details>
  );
}
