import { type RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ComposerProps, OutgoingText } from './composer.js';
import { takeSuggestion } from './hint-target.js';
import { InputHistory } from './input-history.js';
import { type Attachments, useAttachments } from './use-attachments.js';
import { type Hints, type Suggestion, useHints } from './use-hints.js';

/** The state of the input box, and what keys and buttons do. */
interface ComposerState {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly attachments: Attachments;
  readonly hints: Hints;
  /** Index of a suggestion. */
  readonly chosen: number | undefined;
  readonly isSending: boolean;
  readonly choose: (index: number) => void;
  readonly closeHints: () => void;
  /** Reads text and cursor from the box. */
  readonly sync: () => void;
  readonly edit: () => void;
  readonly take: (suggestion: Suggestion) => void;
  /** An earlier or later message replaces the text. False if there is none. */
  readonly recall: (direction: 'older' | 'newer') => boolean;
  readonly send: (priority: OutgoingText['priority']) => void;
  /** False without files. */
  readonly attach: (files: FileList | null | undefined) => boolean;
}

export function useComposer(props: ComposerProps): ComposerState {
  const { onSend, askHints, draft, onDraft, restored = '', history = [] } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(draft);
  const [cursor, setCursor] = useState(0);
  const [chosen, choose] = useState<number>();
  const [isSending, setIsSending] = useState(false);
  const [hints, closeHints] = useHints(text, cursor, askHints);
  const attachments = useAttachments();
  const recalled = useRef(new InputHistory());
  const nextCursor = useRef<number | undefined>(undefined);
  useEffect(() => choose(undefined), [hints]);
  useEffect(() => {
    if (restored !== '') setText((typed) => (typed === '' || typed === restored ? restored : `${restored}\n${typed}`));
  }, [restored]);
  useEffect(() => onDraft(text), [text]);
  useLayoutEffect(() => {
    if (nextCursor.current === undefined) return;
    box.current?.setSelectionRange(nextCursor.current, nextCursor.current);
    nextCursor.current = undefined;
  }, [text]);
  const sync = () => {
    setText(box.current?.value ?? '');
    setCursor(box.current?.selectionStart ?? 0);
  };
  const replace = (next: string, cursorAfter = next.length) => {
    nextCursor.current = cursorAfter;
    setText(next);
    setCursor(cursorAfter);
    closeHints();
  };
  return {
    box,
    text,
    attachments,
    hints,
    chosen,
    isSending,
    choose,
    closeHints,
    sync,
    edit: () => {
      recalled.current.leave();
      sync();
    },
    take: ({ value }) => {
      const taken = takeSuggestion(text, { start: hints.start, cursor }, value);
      replace(taken.text, taken.cursor);
    },
    recall: (direction) => {
      const { current } = recalled;
      const found = direction === 'older' ? current.older(history, text) : current.newer(history);
      if (found !== undefined) replace(found);
      return found !== undefined;
    },
    send: (priority) => {
      if (text.trim() === '' || isSending) return;
      closeHints();
      setIsSending(true);
      recalled.current.leave();
      void onSend({ text, attachments: attachments.list, priority })
        .then((isTaken) => {
          if (!isTaken) return;
          setText('');
          attachments.clear();
        })
        .finally(() => setIsSending(false));
    },
    attach: (files) => {
      if (files == null || files.length === 0) return false;
      void attachments.add([...files]);
      return true;
    },
  };
}

/** False if the key is one of the box. */
export function onComposerKey(
  event: KeyboardEvent,
  composer: ComposerState,
  onStop: (() => void) | undefined,
): boolean {
  // The input method handles Enter.
  if (event.isComposing) return false;
  const { key, shiftKey, altKey } = event;
  if (onHintKey(event, composer)) return true;
  const { current: box } = composer.box;
  const before = composer.text.slice(0, box?.selectionStart ?? 0);
  const after = composer.text.slice(box?.selectionEnd ?? 0);
  if (key === 'Escape' && onStop !== undefined) onStop();
  else if (key === 'Enter' && !shiftKey) composer.send(altKey ? 'later' : 'next');
  else if (key === 'ArrowUp' && !before.includes('\n')) return composer.recall('older');
  else if (key === 'ArrowDown' && !after.includes('\n')) return composer.recall('newer');
  else return false;
  return true;
}

function onHintKey({ key, shiftKey }: KeyboardEvent, composer: ComposerState): boolean {
  const { hints, chosen, choose, closeHints, take } = composer;
  const { length } = hints.suggestions;
  const suggestion = hints.suggestions[chosen ?? 0];
  if (suggestion === undefined) return false;
  if (key === 'Escape') closeHints();
  else if (key === 'ArrowDown') choose(chosen === undefined ? 0 : (chosen + 1) % length);
  else if (key === 'ArrowUp') choose(((chosen ?? 0) + length - 1) % length);
  else if ((key === 'Tab' && !shiftKey) || (key === 'Enter' && !shiftKey && chosen !== undefined)) take(suggestion);
  else return false;
  return true;
}
