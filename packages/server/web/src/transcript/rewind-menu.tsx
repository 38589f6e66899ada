import { useRef } from 'preact/hooks';

export interface RewindMenuProps {
  readonly requestId: string;
  readonly onCommand: (command: string) => void;
}

const CHOICES = [
  ['Show which files change', 'preview'],
  ['Restore conversation and files', 'both --yes'],
  ['Restore the conversation', 'conversation --yes'],
  ['Restore the files', 'files --yes'],
] as const;

/** Goes back to before a prompt. The answer of the command reports what happened. */
export function RewindMenu({ requestId, onCommand }: RewindMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const choose = (words: string) => {
    if (menu.current !== null) menu.current.open = false;
    onCommand(`/rewind ${requestId} ${words}`);
  };
  return (
    <details class="rewind" ref={menu}>
      <summary>Rewind…</summary>
      {CHOICES.map(([label, words]) => (
        <button key={words} type="button" class="quiet" onClick={() => choose(words)}>
          {label}
        </button>
      ))}
    </details>
  );
}
