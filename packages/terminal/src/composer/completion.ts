import type { HintAnswer, HintSuggestion } from '@qwen/commands';
import type { TerminalSession } from '../session/terminal-session.js';
import { type CompletionContext, completionContext } from './completion-context.js';
import { isSamePlace, lineAt, type Stretch, type TextBuffer } from './text-buffer.js';

/** What could be meant, as it is shown below the text. */
export interface Popup {
  readonly context: CompletionContext;
  readonly suggestions: readonly HintSuggestion[];
  /** Index of the suggestion that Tab takes. */
  readonly selected: number;
  /** Somebody chose it. */
  readonly isChosen: boolean;
  /** What was typed is whole already. */
  readonly isPerfectMatch: boolean;
  /** Whether more may come. */
  readonly isLoading: boolean;
  /** Why there is nothing. */
  readonly message?: string;
}

/**
 * Completions of what is typed. Nothing is shown that was an answer to something else: until the new answer is there, those
 * of the old one stay that hold what was typed meanwhile.
 */
export class Completion {
  readonly #session: Pick<TerminalSession, 'requestHints'>;
  readonly #onChange: () => void;
  #popup: Popup | undefined;
  #asked: CompletionContext | undefined;
  /** What somebody does not want to be completed. */
  #dismissed: CompletionContext | undefined;

  constructor(session: Pick<TerminalSession, 'requestHints'>, onChange: () => void) {
    this.#session = session;
    this.#onChange = onChange;
  }

  /** Undefined while there is nothing to show. */
  get popup(): Popup | undefined {
    const popup = this.#popup;
    if (popup === undefined) return undefined;
    const hasSomething = popup.suggestions.length > 0 || popup.isLoading || popup.message !== undefined;
    return hasSomething ? popup : undefined;
  }

  /** Follows what was typed. */
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

  /** The text changed in another way than by typing, or the cursor left. */
  leave(): void {
    this.#dismissed = undefined;
    this.#drop();
  }

  /** Closes what is shown until something else is typed. False when nothing is. */
  dismiss(): boolean {
    if (this.popup === undefined) return false;
    this.#dismissed = this.#popup?.context;
    this.#drop();
    return true;
  }

  /** Shows completions of what is there, also when they were closed. */
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

  /** Takes an answer in; one to an earlier question is of no use. */
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
    const isGoingOn = typed.startsWith(lastWordOf(before.context));
    const suggestions = isGoingOn
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

/** What Enter means while this is shown: taking what is selected, or sending what was typed. */
export function takesEnter(popup: Popup): boolean {
  if (popup.suggestions.length === 0) return false;
  if (popup.isChosen) return true;
  if (popup.isPerfectMatch) return false;
  // What a command takes may be anything: nobody's own words are replaced.
  return popup.context.trigger === 'at' || !/\s/.test(popup.context.word);
}

/** What a suggestion would replace, and what with. */
export function taken(
  buffer: TextBuffer,
  popup: Popup,
): { readonly stretch: Stretch; readonly text: string } | undefined {
  const { context, suggestions, selected } = popup;
  const value = suggestions[selected]?.value;
  if (value === undefined) return undefined;
  const { line, offset } = buffer.cursor;
  const from = { line, offset: context.start.offset + replacedFrom(context, value) };
  const goesOn = context.trigger === 'at' && value.endsWith('/');
  const hasBlank = /^\s/.test(lineAt(buffer, line).slice(offset));
  return { stretch: { from, to: buffer.cursor }, text: goesOn || hasBlank ? value : `${value} ` };
}

/** Of a command line: the longest end that the value begins with, else its last word. */
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
  if (other === undefined || one.trigger !== other.trigger || !isSamePlace(one.start, other.start)) return false;
  // Each word of a command is completed for itself.
  return one.trigger === 'at' || one.word.split(/\s+/).length === other.word.split(/\s+/).length;
}

function emptyPopup(context: CompletionContext): Popup {
  return { context, suggestions: [], selected: 0, isChosen: false, isPerfectMatch: false, isLoading: false };
}
