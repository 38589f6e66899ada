import { AgentError } from '@qwen/protocol';
import type { ComposedInput } from '../session/terminal-session.js';
import { expandAtoms, nextNumber, restoreImages } from './atoms.js';
import type { BusyQueue } from './busy-queue.js';
import { cleanText } from './clean-text.js';
import type { ComposerPorts, DroppedFile } from './composer-ports.js';
import { foldedPaste, isLongPaste } from './pasted-text.js';
import { bufferOf, isEmpty, textOf } from './text-buffer.js';
import type { TextEditor } from './text-editor.js';

export interface OutsideTextOptions {
  readonly editor: TextEditor;
  readonly ports: ComposerPorts;
  readonly queue: BusyQueue;
  readonly onNotice: (notice: string) => void;
}

/** With the blank inserted after it. */
const IMAGE_LABEL = /\[Image #\d+\] ?/;

/** Inserts text that is not typed: pastes, dropped files, images, editor results. */
export class OutsideText {
  readonly #options: OutsideTextOptions;

  constructor(options: OutsideTextOptions) {
    this.#options = options;
  }

  paste(text: string): void {
    const { ports, queue } = this.#options;
    queue.during(async (signal) => {
      const files = await ports.readDropped(text, signal);
      if (files === undefined || signal.aborted) this.insert(text);
      else for (const file of files) this.#insertFile(file);
    });
  }

  /** Folds a long text into one atom. */
  insert(text: string): void {
    const { editor } = this.#options;
    if (isLongPaste(text)) {
      const atom = foldedPaste(text, nextNumber('paste', textOf(editor.buffer), editor.atoms));
      if (editor.insertAtom(atom)) return;
    }
    editor.insert(text);
  }

  /** Inserts unsent prompts before the current text and restores their images. */
  restore(inputs: readonly ComposedInput[]): void {
    const { editor } = this.#options;
    const hasText = !isEmpty(editor.buffer);
    editor.perform('textStart');
    for (const [index, { text, images }] of inputs.entries()) {
      if (index > 0) editor.insert('\n');
      for (const [place, words] of text.split(IMAGE_LABEL).entries()) {
        const image = place === 0 ? undefined : images[place - 1];
        if (image !== undefined) this.#insertFile({ kind: 'image', image });
        this.insert(cleanText(words));
      }
    }
    if (hasText) editor.insert('\n');
    editor.perform('textEnd');
  }

  pastePicture(): void {
    const { ports, queue, onNotice } = this.#options;
    queue.during(async (signal) => {
      try {
        const image = await ports.readClipboardImage(signal);
        if (!signal.aborted) this.#insertFile({ kind: 'image', image });
      } catch (thrown) {
        if (!signal.aborted) onNotice(AgentError.from(thrown).message);
      }
    });
  }

  /** The text stays unchanged when that fails. */
  edit(withTerminal: (work: () => Promise<void>) => Promise<void>): void {
    const { editor, ports, queue, onNotice } = this.#options;
    const { buffer, atoms } = editor;
    const original = textOf(buffer);
    const whole = expandAtoms(original, atoms).text;
    queue.during(async (signal) => {
      try {
        let edited = whole;
        await withTerminal(async () => {
          edited = cleanText(await ports.editText(whole));
        });
        if (edited === whole || signal.aborted) return;
        editor.become({ buffer: bufferOf(restoreImages(edited, original, atoms)), atoms });
      } catch (thrown) {
        onNotice(AgentError.from(thrown).message);
      }
    });
  }

  #insertFile(file: DroppedFile): void {
    const { editor, onNotice } = this.#options;
    if (file.kind === 'refused') onNotice(file.message);
    if (file.kind !== 'image') {
      this.#insertApart(`@${file.path}`);
      return;
    }
    const number = nextNumber('image', textOf(editor.buffer), editor.atoms);
    const atom = { kind: 'image', number, label: `[Image #${number}]`, image: file.image } as const;
    if (!editor.insertAtom(atom)) onNotice('This prompt contains too many images and pastes.');
    else editor.insert(' ');
  }

  #insertApart(text: string): void {
    const { editor } = this.#options;
    const { lines, cursor } = editor.buffer;
    const before = lines[cursor.line]?.slice(0, cursor.offset) ?? '';
    editor.insert(`${/\S$/.test(before) ? ' ' : ''}${text} `);
  }
}
