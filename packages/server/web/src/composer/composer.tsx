import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { HintList } from './hint-list.js';
import { takeSuggestion } from './hint-target.js';
import { type HintSource, type Suggestion, useHints } from './use-hints.js';

export interface ComposerProps {
  readonly isRunning: boolean;
  /** Resolves with false if sending failed; the text then stays in the box. */
  readonly onSend: (text: string) => Promise<boolean>;
  readonly onStop: () => void;
  /** Undefined without a session. */
  readonly askHints?: HintSource | undefined;
  readonly placeholder: string;
  /** Restored into an empty box. */
  readonly draft?: string;
  /** A change focuses the box if nothing else has the focus. */
  readonly focusKey?: string | undefined;
}

/** Enter sends, Shift+Enter adds a line, Tab accepts a hint, Escape closes the hints or stops the turn. */
export function Composer({ isRunning, onSend, onStop, askHints, placeholder, draft = '', focusKey }: ComposerProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const [cursor, setCursor] = useState(0);
  const [chosen, setChosen] = useState<number>();
  const [isSending, setIsSending] = useState(false);
  const [hints, closeHints] = useHints(text, cursor, askHints);
  const nextCursor = useRef<number | undefined>(undefined);
  const isOpen = hints.suggestions.length > 0;
  useEffect(() => setChosen(undefined), [hints]);
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus();
  }, [focusKey]);
  useEffect(() => setText((typed) => (typed === '' ? draft : typed)), [draft]);
  useLayoutEffect(() => {
    if (nextCursor.current === undefined) return;
    box.current?.setSelectionRange(nextCursor.current, nextCursor.current);
    nextCursor.current = undefined;
  }, [text]);

  const sync = () => {
    setText(box.current?.value ?? '');
    setCursor(box.current?.selectionStart ?? 0);
  };
  const take = (suggestion: Suggestion) => {
    const taken = takeSuggestion(text, { start: hints.start, cursor }, suggestion.value);
    nextCursor.current = taken.cursor;
    setText(taken.text);
    setCursor(taken.cursor);
    closeHints();
  };
  const send = () => {
    if (text.trim() === '' || isRunning || isSending) return;
    closeHints();
    setIsSending(true);
    void onSend(text)
      .then((isTaken) => isTaken && setText(''))
      .finally(() => setIsSending(false));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The input method handles Enter.
    if (event.isComposing) return;
    const { length } = hints.suggestions;
    const suggestion = hints.suggestions[chosen ?? 0];
    if (event.key === 'Escape') {
      if (isOpen) closeHints();
      else if (isRunning) onStop();
    } else if (isOpen && event.key === 'ArrowDown') setChosen(chosen === undefined ? 0 : (chosen + 1) % length);
    else if (isOpen && event.key === 'ArrowUp') setChosen(((chosen ?? 0) + length - 1) % length);
    else if (isOpen && event.key === 'Tab' && !event.shiftKey && suggestion !== undefined) take(suggestion);
    else if (event.key === 'Enter' && !event.shiftKey) {
      if (isOpen && chosen !== undefined && suggestion !== undefined) take(suggestion);
      else send();
    } else return;
    event.preventDefault();
  };

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {isOpen && <HintList id="hints" suggestions={hints.suggestions} chosen={chosen} onTake={take} />}
      <textarea
        ref={box}
        aria-label="Message to the agent"
        aria-autocomplete="list"
        aria-controls={isOpen ? 'hints' : undefined}
        aria-activedescendant={isOpen && chosen !== undefined ? `hints-${chosen}` : undefined}
        placeholder={placeholder}
        rows={Math.min(12, text.split('\n').length + 1)}
        value={text}
        spellcheck={false}
        onInput={sync}
        onSelect={sync}
        onKeyDown={onKeyDown}
        onBlur={closeHints}
      />
      {isRunning ? <StopButton onStop={onStop} /> : <SendButton isDisabled={text.trim() === '' || isSending} />}
    </form>
  );
}

function StopButton({ onStop }: Pick<ComposerProps, 'onStop'>) {
  return (
    <button type="button" class="stop" onClick={onStop}>
      Stop
    </button>
  );
}

function SendButton({ isDisabled }: { readonly isDisabled: boolean }) {
  return (
    <button type="submit" class="send" disabled={isDisabled}>
      Send
    </button>
  );
}
