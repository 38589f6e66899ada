import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { AttachmentList } from './attachment-list.js';
import type { Attachment } from './attachments.js';
import { HintList } from './hint-list.js';
import { onComposerKey, useComposer } from './use-composer.js';
import type { HintSource } from './use-hints.js';

export interface OutgoingText {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** While a turn runs: let it read the message, or send it afterwards. */
  readonly priority: 'next' | 'later';
}

export interface ComposerProps {
  readonly isRunning: boolean;
  /** Resolves with false if sending failed; the text then stays in the box. */
  readonly onSend: (message: OutgoingText) => Promise<boolean>;
  readonly onStop: () => void;
  /** Undefined without a session. */
  readonly askHints?: HintSource | undefined;
  readonly placeholder: string;
  /** The text at first. */
  readonly draft: string;
  /** A change puts it before the text, unless it is empty. */
  readonly restored?: string;
  readonly onDraft: (text: string) => void;
  /** Earlier messages, oldest first. */
  readonly history?: readonly string[];
  /** A change focuses the box if nothing else has the focus. */
  readonly focusKey?: string | undefined;
  /** Next to the buttons. */
  readonly children?: ComponentChildren;
}

/**
 * Enter sends, Alt+Enter queues, Shift+Enter adds a line, Tab accepts a hint, arrow up recalls a message, Escape closes
 * the hints or stops the turn.
 */
export function Composer(props: ComposerProps) {
  const { isRunning, onStop, placeholder, focusKey, children } = props;
  const composer = useComposer(props);
  const { box, text, attachments, hints, chosen, isSending, send, attach } = composer;
  const isOpen = hints.suggestions.length > 0;
  const isEmpty = text.trim() === '';
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus();
  }, [focusKey]);
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send('next');
      }}
      onDragOver={(event) => event.dataTransfer?.types.includes('Files') === true && event.preventDefault()}
      onDrop={(event) => attach(event.dataTransfer?.files) && event.preventDefault()}
    >
      {isOpen && <HintList id="hints" suggestions={hints.suggestions} chosen={chosen} onTake={composer.take} />}
      <AttachmentList attachments={attachments} />
      <textarea
        ref={box}
        aria-label="Message to the agent"
        aria-autocomplete="list"
        aria-controls={isOpen ? 'hints' : undefined}
        aria-activedescendant={isOpen && chosen !== undefined ? `hints-${chosen}` : undefined}
        placeholder={placeholder}
        rows={Math.min(12, text.split('\n').length)}
        value={text}
        spellcheck={false}
        onInput={composer.edit}
        onSelect={composer.sync}
        onKeyDown={(event) => onComposerKey(event, composer, isRunning ? onStop : undefined) && event.preventDefault()}
        onPaste={(event) => attach(event.clipboardData?.files) && event.preventDefault()}
        onBlur={composer.closeHints}
      />
      <div class="composer-bar">
        <AttachButton onFiles={attach} />
        {children}
        <SendButtons
          isRunning={isRunning}
          isEmpty={isEmpty}
          isSending={isSending}
          onStop={onStop}
          onQueue={() => send('later')}
        />
      </div>
    </form>
  );
}

interface SendButtonsProps {
  readonly isRunning: boolean;
  readonly isEmpty: boolean;
  readonly isSending: boolean;
  readonly onStop: () => void;
  readonly onQueue: () => void;
}

function SendButtons({ isRunning, isEmpty, isSending, onStop, onQueue }: SendButtonsProps) {
  return (
    <span class="composer-end">
      {isRunning && (
        <button type="button" class="stop" onClick={onStop}>
          Stop
        </button>
      )}
      {isRunning && !isEmpty && (
        <button type="button" disabled={isSending} title="Alt+Enter" onClick={onQueue}>
          Queue
        </button>
      )}
      {(!isRunning || !isEmpty) && (
        <button type="submit" class="send" disabled={isEmpty || isSending}>
          Send
        </button>
      )}
    </span>
  );
}

function AttachButton({ onFiles }: { readonly onFiles: (files: FileList | null) => unknown }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class="quiet attach" onClick={() => input.current?.click()}>
        Attach
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={({ currentTarget }) => {
          onFiles(currentTarget.files);
          currentTarget.value = '';
        }}
      />
    </>
  );
}
