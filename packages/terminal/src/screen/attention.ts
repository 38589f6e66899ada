import { basename } from 'node:path';
import { toShownInOne } from '../lines/shown-text.js';
import type { TerminalState } from '../state/terminal-state.js';
import type { TerminalStore } from '../state/terminal-store.js';

/** Milliseconds of work after which the user may be looking elsewhere. */
const AWAY_AFTER_MS = 10_000;

const SAVE_TITLE = '\u001b[22;2t';
const RESTORE_TITLE = '\u001b[23;2t';
const BELL = '\u0007';

export interface AttentionOptions {
  readonly store: TerminalStore;
  readonly write: (text: string) => void;
  /** Absolute path of the project. */
  readonly folder: string;
  readonly hasTitle: boolean;
  readonly notifies: boolean;
  /** Passes notifications through tmux to the terminal. */
  readonly isTmux: boolean;
}

/**
 * Shows the state in the window title (OSC 2), and sends the bell and a notification (OSC 9) when long work ends or
 * waits for an answer. The creator closes it, which restores the title.
 */
export class Attention {
  readonly #options: AttentionOptions;
  readonly #name: string;
  readonly #unsubscribe: () => void;
  #title: string | undefined;
  #before: TerminalState;

  constructor(options: AttentionOptions) {
    const { store, folder, write, hasTitle } = options;
    this.#options = options;
    this.#name = toShownInOne(basename(folder) || folder);
    this.#before = store.getState();
    if (hasTitle) write(SAVE_TITLE);
    this.#showTitle(this.#before);
    this.#unsubscribe = store.subscribe(() => this.#follow(store.getState()));
  }

  close(): void {
    this.#unsubscribe();
    if (this.#options.hasTitle) this.#options.write(RESTORE_TITLE);
  }

  #follow(state: TerminalState): void {
    const before = this.#before;
    this.#before = state;
    this.#showTitle(state);
    const startedAt = (state.turn ?? before.turn)?.startedAt;
    if (startedAt === undefined || Date.now() - startedAt < AWAY_AFTER_MS) return;
    if (state.question !== undefined && state.question.id !== before.question?.id)
      this.#notify('A question is waiting for your answer.');
    else if (state.turn === undefined && before.turn?.isCancelling === false) this.#notify('The turn has ended.');
  }

  #showTitle({ turn, question }: TerminalState): void {
    if (!this.#options.hasTitle) return;
    const mark = question === undefined ? (turn === undefined ? '' : '… ') : '? ';
    const title = `${mark}${this.#name} - qwen`;
    if (title === this.#title) return;
    this.#title = title;
    this.#options.write(`\u001b]2;${title}${BELL}`);
  }

  #notify(text: string): void {
    const { notifies, isTmux, write } = this.#options;
    if (!notifies) return;
    const message = `\u001b]9;qwen (${this.#name}): ${text}${BELL}`;
    write(`${BELL}${isTmux ? `\u001bPtmux;${message.replaceAll('\u001b', '\u001b\u001b')}\u001b\\` : message}`);
  }
}
