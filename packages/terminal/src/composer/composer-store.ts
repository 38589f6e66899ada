import { AgentError, type KeyAction } from '@qwen/protocol';
import type { TerminalSession } from '../session/terminal-session.js';
import { expandAtoms } from './atoms.js';
import { BusyQueue } from './busy-queue.js';
import { cleanText } from './clean-text.js';
import { Completion, taken, takesEnter } from './completion.js';
import type { ComposerPorts } from './composer-ports.js';
import { type ComposerState, modeOf } from './composer-state.js';
import { KeyMap } from './key-map.js';
import type { Keystroke } from './keystroke.js';
import { OutsideText } from './outside-text.js';
import { isLongPaste } from './pasted-text.js';
import { fromRecord, toRecord } from './prompt-folds.js';
import { Recall } from './recall.js';
import { pressInSearch, type ReverseSearch } from './reverse-search.js';
import { EMPTY_BUFFER, isEmpty, lineAt, textOf } from './text-buffer.js';
import { TextEditor } from './text-editor.js';
import type { VimMode } from './vim/vim-mode.js';

export type ComposerSession = Pick<
  TerminalSession,
  'submit' | 'returnQueued' | 'onReturned' | 'requestHints' | 'onHints' | 'store'
>;

/** Keys the composer does not handle itself. */
export interface ComposerHandlers {
  /** Escape while the agent works. */
  onEscape(): void;
  /** Escape twice while the input is empty. */
  onRewind(): void;
  /** Ctrl-C while the agent works or the input is empty. */
  onInterrupt(): void;
  /** Ctrl-D while the input is empty. */
  onLeave(): void;
  /** Ctrl-B while the agent works. Returns whether a command moved to the background. */
  onBackground(): boolean;
  /** `?` while the input is empty. */
  onShortcuts(): void;
}

export interface KeyContext {
  readonly columns: number;
  readonly handlers: ComposerHandlers;
  /** Releases the terminal while the work runs. */
  readonly withTerminal: (work: () => Promise<void>) => Promise<void>;
}

/** The text being typed. It outlives the input box, so that dialogs do not discard it. The creator closes it. */
export class ComposerStore {
  readonly #session: ComposerSession;
  readonly #ports: ComposerPorts;
  readonly #keys: KeyMap;
  readonly #editor = new TextEditor();
  readonly #recall = new Recall(this.#editor);
  readonly #queue = new BusyQueue(() => this.#notify());
  readonly #outside: OutsideText;
  readonly #completion: Completion;
  readonly #stopHearing: readonly (() => void)[];
  readonly #listeners = new Set<() => void>();
  #search: ReverseSearch | undefined;
  #vim: VimMode | undefined;
  #notice: string | undefined;
  #lastKey: string | undefined;
  #state: ComposerState;

  constructor(session: ComposerSession, ports: ComposerPorts, keys = new KeyMap()) {
    this.#session = session;
    this.#ports = ports;
    this.#keys = keys;
    const onNotice = (notice: string) => this.#say(notice);
    this.#outside = new OutsideText({ editor: this.#editor, ports, queue: this.#queue, onNotice });
    this.#completion = new Completion(session, () => this.#notify());
    this.#stopHearing = [
      session.onHints((answer) => this.#completion.accept(answer)),
      session.onReturned((inputs) => this.#step(() => this.#outside.restore(inputs))),
    ];
    this.#state = this.#read();
  }

  readonly getState = (): ComposerState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  close(): void {
    for (const stop of this.#stopHearing) stop();
    this.#queue.abort();
    this.#listeners.clear();
  }

  /** Never throws. Keys wait while something is read, except those that abort it. */
  press(keystroke: Keystroke, context: KeyContext): void {
    const isWayOut = keystroke.kind === 'key' && (keystroke.name === 'escape' || keystroke.name === 'ctrl+c');
    if (isWayOut && this.#queue.abort()) return;
    this.#followVim();
    this.#step((lastKey) => {
      if (this.#search !== undefined) this.#pressInSearch(this.#search, keystroke, context);
      else for (const key of this.#vimLeaves(keystroke)) this.#press(key, lastKey, context);
    });
  }

  #press(keystroke: Keystroke, lastKey: string | undefined, context: KeyContext): void {
    const pressed = keystroke.kind === 'text' ? keystroke.text.toLowerCase() : keystroke.name;
    if (lastKey !== undefined && this.#performAny(`${lastKey} ${pressed}`, context)) return;
    if (keystroke.kind === 'text') this.#type(keystroke.text, context);
    else this.#pressKey(keystroke.name, lastKey, context);
  }

  /** Keys wait until it is loaded. */
  #followVim(): void {
    const isVim = this.#session.store.getState().isVim === true;
    if (!isVim) this.#vim = undefined;
    else if (this.#vim === undefined) {
      this.#queue.during(async () => {
        const { VimMode } = await import('./vim/vim-mode.js');
        this.#vim ??= new VimMode(this.#editor);
      });
    }
  }

  #vimLeaves(keystroke: Keystroke): readonly Keystroke[] {
    const closesPopup = this.#completion.popup !== undefined && keystroke.kind === 'key';
    if (this.#vim === undefined || closesPopup) return [keystroke];
    const left = this.#vim.press(keystroke);
    if (left.length === 0) this.#completion.leave();
    return left;
  }

  /** Never sends; never throws. */
  paste(text: string): void {
    this.#step(() => {
      const clean = cleanText(text);
      this.#completion.leave();
      if (this.#search !== undefined) this.#continueSearch(pressInSearch(this.#search, { kind: 'text', text: clean }));
      else if (modeOf(this.#editor.buffer) === 'shell') this.#outside.insert(clean);
      else this.#outside.paste(clean);
    });
  }

  /** Inserts text that was typed while a dialog had the keyboard. Never sends; never throws. */
  keep(text: string): void {
    this.#step(() => {
      this.#completion.leave();
      this.#outside.insert(cleanText(text));
    });
  }

  #pressKey(name: string, lastKey: string | undefined, context: KeyContext): void {
    if (name === 'enter') return this.#enter();
    if (name === 'escape') return this.#escape(lastKey, context.handlers);
    if (name === 'ctrl+c') return this.#interrupt(context.handlers);
    if (!this.#performAny(name, context) && this.#keys.startsSequence(name)) this.#lastKey = name;
  }

  #performAny(keys: string, context: KeyContext): boolean {
    return this.#keys.actionsOf(keys).some((action) => this.#perform(action, context));
  }

  /** False for an action that does not apply now; the key may have another. */
  #perform(action: KeyAction, context: KeyContext): boolean {
    const { handlers } = context;
    const isBlank = isEmpty(this.#editor.buffer);
    if (action === 'sendLater' && this.#isWorking && !isBlank) this.#submit('later');
    else if (action === 'background') return this.#isWorking && handlers.onBackground();
    else if (action === 'quit' && isBlank) handlers.onLeave();
    else if (action === 'rewind' && !this.#isWorking) handlers.onRewind();
    else if (action === 'newLine') this.#editor.insert('\n');
    else if (action === 'complete') this.#take();
    else if (action === 'previous') this.#up(context);
    else if (action === 'next') this.#down(context);
    else if (action === 'searchHistory') this.#startSearch();
    else if (action === 'openEditor') this.#openEditor(context);
    else if (action === 'pasteImage') this.#outside.pastePicture();
    else return this.#edit(action);
    return true;
  }

  #type(typed: string, { handlers }: KeyContext): void {
    if (typed === '?' && isEmpty(this.#editor.buffer)) {
      handlers.onShortcuts();
      return;
    }
    const text = cleanText(typed);
    // Without bracketed paste, pasted text arrives as typed text, all at once.
    if (text.includes('\n') || isLongPaste(text)) this.#outside.insert(text);
    else this.#editor.type(text);
    this.#completion.follow(this.#editor.buffer);
  }

  #edit(action: KeyAction): boolean {
    const { lines } = this.#editor.buffer;
    if (this.#editor.perform(action) === undefined) return false;
    const isTyping = this.#editor.buffer.lines !== lines && /^delete(?!ToLine)/.test(action);
    if (isTyping) this.#completion.follow(this.#editor.buffer);
    else this.#completion.leave();
    return true;
  }

  #enter(): void {
    const { popup } = this.#completion;
    if (popup !== undefined && takesEnter(popup)) {
      this.#take();
      return;
    }
    const { line, offset } = this.#editor.buffer.cursor;
    if (lineAt(this.#editor.buffer, line)[offset - 1] === '\\') {
      this.#editor.replace({ from: { line, offset: offset - 1 }, to: { line, offset } }, '\n');
      return;
    }
    this.#submit();
  }

  get #isWorking(): boolean {
    return this.#session.store.getState().turn !== undefined;
  }

  #submit(when: 'now' | 'later' = 'now'): void {
    const { buffer, atoms } = this.#editor;
    const { text, images } = expandAtoms(textOf(buffer), atoms);
    const record = toRecord({ buffer, atoms });
    if (text.trim() === '' && images.length === 0) return;
    const note = modeOf(buffer) === 'memory' ? `/memory add ${text.slice(1).trim()}` : undefined;
    this.#editor.empty();
    this.#recall.end();
    this.#vim?.reset();
    this.#completion.leave();
    this.#session.submit({ text: note ?? text.trimEnd(), images }, when);
    this.#ports.history.add(record).catch((thrown: unknown) => {
      this.#say(AgentError.from(thrown).message);
      this.#notify();
    });
  }

  #take(): void {
    const { popup } = this.#completion;
    if (popup === undefined) this.#completion.reopen(this.#editor.buffer);
    const chosen = popup && taken(this.#editor.buffer, popup);
    if (chosen === undefined) return;
    this.#editor.replace(chosen.run, chosen.text);
    this.#completion.follow(this.#editor.buffer);
  }

  #up({ columns }: KeyContext): void {
    if (this.#completion.choose('up')) return;
    this.#completion.leave();
    if (this.#editor.moveByRow('up', { columns, atoms: this.#editor.atoms })) return;
    const wasQueued = isEmpty(this.#editor.buffer) && this.#session.returnQueued();
    if (!wasQueued) this.#withHistory((records) => this.#recall.older(records));
  }

  #down({ columns }: KeyContext): void {
    if (this.#completion.choose('down')) return;
    this.#completion.leave();
    if (this.#editor.moveByRow('down', { columns, atoms: this.#editor.atoms }) || this.#recall.newer()) return;
    this.#editor.perform('textEnd');
  }

  #escape(lastKey: string | undefined, handlers: ComposerHandlers): void {
    if (this.#completion.dismiss()) return;
    if (this.#isWorking) handlers.onEscape();
    else if (lastKey !== 'escape') {
      this.#lastKey = 'escape';
      const effect = isEmpty(this.#editor.buffer) ? 'rewind' : 'clear the text';
      this.#say(`Press Escape again to ${effect}.`);
    } else if (isEmpty(this.#editor.buffer)) handlers.onRewind();
    else this.#clear();
  }

  #interrupt(handlers: ComposerHandlers): void {
    if (!this.#isWorking && !isEmpty(this.#editor.buffer)) this.#clear();
    else handlers.onInterrupt();
  }

  /** Can be undone. */
  #clear(): void {
    this.#completion.leave();
    this.#editor.become({ buffer: EMPTY_BUFFER, atoms: this.#editor.atoms });
  }

  #openEditor({ withTerminal }: KeyContext): void {
    this.#completion.leave();
    this.#outside.edit(withTerminal);
  }

  #startSearch(): void {
    this.#completion.leave();
    this.#withHistory((records) => {
      this.#search = { records, query: '' };
    });
  }

  #pressInSearch(search: ReverseSearch, keystroke: Keystroke, context: KeyContext): void {
    const isAgain = keystroke.kind === 'key' && this.#keys.actionsOf(keystroke.name).includes('searchHistory');
    const step = pressInSearch(search, isAgain ? { kind: 'key', name: 'ctrl+r' } : keystroke);
    this.#continueSearch(step);
    const isForText = step.kind === 'taken' && !step.isKeySpent && keystroke.kind === 'key';
    if (isForText) this.#pressKey(keystroke.name, undefined, context);
  }

  #continueSearch(step: ReturnType<typeof pressInSearch>): void {
    this.#search = step.kind === 'on' ? step.search : undefined;
    if (step.kind === 'taken' && step.record !== undefined) {
      this.#editor.become(fromRecord(step.record, this.#editor.atoms));
    }
  }

  #withHistory(use: (records: Awaited<ReturnType<ComposerPorts['history']['list']>>) => void): void {
    this.#queue.during(async (signal) => {
      const records = await this.#ports.history.list();
      if (!signal.aborted) use(records);
    });
  }

  #say(notice: string): void {
    this.#notice = notice;
  }

  #step(step: (lastKey: string | undefined) => void): void {
    this.#queue.run(() => {
      const lastKey = this.#lastKey;
      this.#lastKey = undefined;
      this.#notice = undefined;
      step(lastKey);
      this.#notify();
    });
  }

  #notify(): void {
    this.#state = this.#read();
    for (const listener of this.#listeners) listener();
  }

  #read(): ComposerState {
    const { buffer, atoms } = this.#editor;
    const { popup } = this.#completion;
    return {
      buffer,
      atoms,
      mode: modeOf(buffer),
      isBusy: this.#queue.isBusy,
      ...(popup !== undefined && { popup }),
      ...(this.#vim !== undefined && { vim: this.#vim.view }),
      ...(this.#search !== undefined && { search: this.#search }),
      ...(this.#notice !== undefined && { notice: this.#notice }),
    };
  }
}
