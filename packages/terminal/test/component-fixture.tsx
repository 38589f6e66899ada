import { EventEmitter, once } from 'node:events';
import { Duplex, Writable } from 'node:stream';
import { Terminal } from '@xterm/headless';
import { type Instance, render, useInput } from 'ink';
import type { ReactNode } from 'react';
import { endOpenPastes } from '../src/end-open-pastes.js';

export interface ComponentFixtureOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly isScreenReader?: boolean;
}

/** What the keyboard sends. */
export const KEYS = {
  enter: '\r',
  escape: '\u001b',
  up: '\u001b[A',
  down: '\u001b[B',
  pageDown: '\u001b[6~',
  backspace: '\u007f',
} as const;

/** A wait for something that never comes ends a test with the screen in its message. */
const PATIENCE_MS = 10_000;

/** Keys are always read, as by the screen of the program, whichever part of it takes them. */
function Keyboard({ children }: { readonly children: ReactNode }): ReactNode {
  useInput(() => undefined);
  return children;
}

/** A component on a real screen: what it writes goes into a terminal, what is typed comes in as bytes. */
export class ComponentFixture implements AsyncDisposable {
  readonly #terminal: Terminal;
  readonly #stdin: Duplex;
  readonly #instance: Instance;
  readonly #drawn = new EventEmitter();
  readonly #written = new EventEmitter<{ written: [text: string] }>();

  constructor(component: ReactNode, { columns = 80, rows = 24, isScreenReader = false }: ComponentFixtureOptions = {}) {
    const terminal = new Terminal({ cols: columns, rows, scrollback: 1_000, allowProposedApi: true });
    this.#terminal = terminal;
    const drawn = this.#drawn;
    const written = this.#written;
    const stdout = Object.assign(
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          written.emit('written', chunk.toString('utf8'));
          // A terminal moves to the first column with each line feed of a program.
          terminal.write(chunk.toString('utf8').replaceAll(/\r?\n/g, '\r\n'), () => {
            drawn.emit('drawn');
            done();
          });
        },
      }),
      { columns, rows, isTTY: true },
    );
    const stdin = Object.assign(new Duplex({ read: () => undefined }), {
      isTTY: true,
      setRawMode: (_isRaw: boolean): unknown => undefined,
      ref: (): unknown => undefined,
      unref: (): unknown => undefined,
    });
    this.#stdin = stdin;
    endOpenPastes(stdin as NodeJS.ReadStream);
    this.#instance = render(<Keyboard>{component}</Keyboard>, {
      // The members that Ink uses of a terminal are all there.
      stdout: stdout as NodeJS.WriteStream,
      stdin: stdin as NodeJS.ReadStream,
      interactive: true,
      exitOnCtrlC: false,
      patchConsole: false,
      isScreenReaderEnabled: isScreenReader,
    });
  }

  type(keys: string): void {
    this.#stdin.push(keys);
  }

  /** Types as soon as the component has written the text: faster than any user, as type-ahead is. */
  typeWhenWritten(text: string, keys: string): void {
    const onWritten = (written: string): void => {
      if (!written.includes(text)) return;
      this.#written.off('written', onWritten);
      queueMicrotask(() => this.type(keys));
    };
    this.#written.on('written', onWritten);
  }

  /** Sends the text as a terminal with bracketed paste does. */
  paste(text: string): void {
    this.type(`\u001b[200~${text}\u001b[201~`);
  }

  /** All that was written, the part that scrolled away included, without spaces at the ends of lines. */
  get screen(): string {
    const { active } = this.#terminal.buffer;
    const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '');
    return lines.join('\n').trimEnd();
  }

  /** Where the cursor is, counted from the first row that was written. */
  get cursor(): { readonly row: number; readonly column: number } {
    const { baseY, cursorX: column, cursorY } = this.#terminal.buffer.active;
    return { row: baseY + cursorY, column };
  }

  /** Resolves once the screen shows it. Rejects after some seconds, with the screen. */
  async until(isShown: string | ((screen: string) => boolean)): Promise<string> {
    const holds = (): boolean => (typeof isShown === 'string' ? this.screen.includes(isShown) : isShown(this.screen));
    const patience = AbortSignal.timeout(PATIENCE_MS);
    while (!holds()) {
      await once(this.#drawn, 'drawn', { signal: patience }).catch(() => {
        throw new Error(`The screen never showed it:\n${this.screen}`);
      });
    }
    return this.screen;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#instance.unmount();
    await this.#instance.waitUntilExit();
    this.#terminal.dispose();
  }
}
