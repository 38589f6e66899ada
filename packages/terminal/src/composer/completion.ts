import type { HintAnswer, HintSuggestion } from '@qwen/commands';
import type { TerminalSession } from '../session/terminal-session.js';
import { type CompletionContext, completionContext } from './completion-context.js';
import { isSamePosition, lineAt, type TextBuffer, type TextRun } from './text-buffer.js';

export interface Popup {
  readonly context: CompletionContext;
  readonly suggestions: readonly HintSuggestion[];
  readonly selected: number;
  readonly isChosen: boolean;
  readonly isPerfectMatch: boolean;
  readonly isLoading: boolean;
  readonly message?: string;
}

/** Completions for the typed text. Until new results arrive, earlier results that still match stay visible. */
export class Completion {
  readonly #session: Pick<TerminalSession, 'requestHints'>;
  readonly #onChange: () => void;
  #popup: Popup | undefined;
  #asked: CompletionContext | undefined;
  /** Stays closed until the context changes. */
  #dismissed: CompletionContext | undefined;

  constructor(session: Pick<TerminalSession, 'requestHints'>, onChange: () => void) {
    this.#session = session;
    this.#onChange = onChange;
  }

  get popup(): Popup | undefined {
    const popup = this.#popup;
    if (popup === undefined) return undefined;
    const hasSomething = popup.suggestions.length > 0 || popup.isLoading || popup.message !== undefined;
    return hasSomething ? popup : undefined;
  }

  follow(buffer: TextBuffer): void {
    const context = completionContext(buffer);
    if (context === undefined || !isSameWord(context, this.#dismissed)) this.#dismissed = undefined;
    if (context === undefined || this.#dismissed !== undefined) {
      this.#drop();
      return;
    }
    this.#popup = this.#narrowed(context);
    this.#asked = context;
    const { trigger, text } = context;
    this.#session.requestHints({ trigger, text, cursor: text.length });
  }

  /** Call when the text changed other than by typing, or the cursor moved. */
  leave(): void {
    this.#dismissed = undefined;
    this.#drop();
  }

  /** Closes the popup until more is typed. False when it is closed. */
  dismiss(): boolean {
    if (this.popup === undefined) return false;
    this.#dismissed = this.#popup?.context;
    this.#drop();
    return true;
  }

  /** Shows completions again, also after `dismiss`. */
  reopen(buffer: TextBuffer): void {
    this.#dismissed = undefined;
    this.follow(buffer);
  }

  choose(direction: 'up' | 'down'): boolean {
    const popup = this.popup;
    if (popup === undefined || popup.suggestions.length === 0) return false;
    const count = popup.suggestions.length;
    const selected = (popup.selected + (direction === 'up' ? -1 : 1) + count) % count;
    this.#popup = { ...popup, selected, isChosen: true };
    return true;
  }

  /** Ignores results of earlier requests. */
  accept(answer: HintAnswer): void {
    const context = this.#asked;
    if (context === undefined || answer.query.trigger !== context.trigger || answer.query.text !== context.text) return;
    const before = this.#popup;
    if (answer.status === 'loading') this.#popup = { ...(before ?? emptyPopup(context)), isLoading: true };
    else if (answer.status === 'error') this.#popup = { ...emptyPopup(context), message: answer.message };
    else {
      const chosen = before?.isChosen === true ? before.suggestions[before.selected]?.value : undefined;
      const index = answer.suggestions.findIndex(({ value }) => value === chosen);
      this.#popup = {
        ...emptyPopup(context),
        suggestions: answer.suggestions,
        selected: Math.max(index, 0),
        isChosen: index !== -1,
        isPerfectMatch: answer.isPerfectMatch,
      };
    }
    this.#onChange();
  }

  #narrowed(context: CompletionContext): Popup | undefined {
    const before = this.#popup;
    if (before === undefined || !isSameWord(context, before.context)) return undefined;
    const typed = lastWordOf(context);
    const isContinued = typed.startsWith(lastWordOf(before.context));
    const suggestions = isContinued
      ? before.suggestions.filter(({ value }) => value.toLowerCase().includes(typed.toLowerCase()))
      : [];
    return {
      ...before,
      context,
      suggestions,
      selected: 0,
      isChosen: false,
      isPerfectMatch: suggestions.some(({ value }) => value === typed),
    };
  }

  #drop(): void {
    this.#popup = undefined;
    this.#asked = undefined;
  }
}

export function takesEnter(popup: Popup): boolean {
  if (popup.suggestions.length === 0) return false;
  if (popup.isChosen) return true;
  if (popup.isPerfectMatch) return false;
  // Arguments of a command may be anything: never replace what the user typed.
  return popup.context.trigger === 'at' || !/\s/.test(popup.context.word);
}

export function taken(buffer: TextBuffer, popup: Popup): { readonly run: TextRun; readonly text: string } | undefined {
  const { context, suggestions, selected } = popup;
  const value = suggestions[selected]?.value;
  if (value === undefined) return undefined;
  const { line, offset } = buffer.cursor;
  const from = { line, offset: context.start.offset + replacedFrom(context, value) };
  const continues = context.trigger === 'at' && value.endsWith('/');
  const hasBlank = /^\s/.test(lineAt(buffer, line).slice(offset));
  return { run: { from, to: buffer.cursor }, text: continues || hasBlank ? value : `${value} ` };
}

/** For a command: the longest suffix that is a prefix of the value, else the last word. */
function replacedFrom({ trigger, word }: CompletionContext, value: string): number {
  if (trigger === 'at') return 0;
  const starts = [0, ...[...word.matchAll(/\s+/g)].map(({ index, 0: blank }) => index + blank.length)];
  const wanted = value.toLowerCase();
  return starts.find((start) => wanted.startsWith(word.slice(start).toLowerCase())) ?? starts.at(-1) ?? 0;
}

function lastWordOf({ trigger, word }: CompletionContext): string {
  return trigger === 'at' ? word : (/\S*$/.exec(word)?.[0] ?? '');
}

function isSameWord(one: CompletionContext, other: CompletionContext | undefined): boolean {
  if (other === undefined || one.trigger !== other.trigger || !isSamePosition(one.start, other.start)) return false;
  // Command words are completed one at a time.
  return one.trigger === 'at' || one.word.split(/\s+/).length === other.word.split(/\s+/).length;
}

function emptyPopup(context: CompletionContext): Popup {
  return { context, suggestions: [], selected: 0, isChosen: false, isPerfectMatch: false, isLoading: false };
}
