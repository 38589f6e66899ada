import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { readScreen, type ScreenFrame } from './screen-rows.ts';
import type { TimedFrame } from './to-svg.ts';

export interface RecordedProgram {
  readonly command: readonly [file: string, ...args: string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
}

/** Output within this time is one frame. */
const FRAME_MS = 70;
/** Longer pauses are shortened. */
const LONGEST_MS = 2_500;
const PATIENCE_MS = 20_000;
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';

export class RecordedTerminal {
  readonly #terminal: headless.Terminal;
  readonly #pty: ReturnType<typeof spawn>;
  readonly #frames: { readonly at: number; readonly frame: ScreenFrame }[] = [];
  readonly #waiting = new Set<() => void>();
  #isCursorShown = true;

  constructor({ command: [file, ...args], cwd, env, columns, rows }: RecordedProgram) {
    this.#terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
    this.#pty = spawn(file, args, { cols: columns, rows, cwd, env: { ...env }, name: 'xterm-256color' });
    this.#pty.onData((data) => {
      const shown = data.lastIndexOf(SHOW_CURSOR);
      const hidden = data.lastIndexOf(HIDE_CURSOR);
      if (shown !== hidden) this.#isCursorShown = shown > hidden;
      this.#terminal.write(data, () => this.#keep());
    });
    this.#terminal.onData((answer) => this.#pty.write(answer));
  }

  async type(text: string): Promise<void> {
    for (const key of text) {
      this.#pty.write(key);
      await pause(55);
    }
  }

  press(keys: string): void {
    this.#pty.write(keys);
  }

  /** Resolves once the screen shows the text and a reader had time for it. */
  async read(text: string, forMs: number): Promise<void> {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    while (!this.#shows(text)) {
      if (patience.aborted) throw new Error(`the screen never showed ${text}`);
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
        patience.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    await pause(forMs);
  }

  /** Ends the program and returns its screens with their times. */
  async end(): Promise<readonly TimedFrame[]> {
    const endedAt = performance.now();
    const gone = new Promise<void>((resolve) => {
      this.#pty.onExit(() => resolve());
    });
    this.#pty.kill();
    await gone;
    return this.#frames.map(({ at, frame }, place) => ({
      frame,
      durationMs: Math.min(LONGEST_MS, (this.#frames[place + 1]?.at ?? endedAt) - at),
    }));
  }

  #keep(): void {
    const at = performance.now();
    const frame = readScreen(this.#terminal, this.#isCursorShown);
    const last = this.#frames.at(-1);
    if (last !== undefined && at - last.at < FRAME_MS) this.#frames[this.#frames.length - 1] = { at: last.at, frame };
    else this.#frames.push({ at, frame });
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #shows(text: string): boolean {
    const frame = this.#frames.at(-1)?.frame;
    return (
      frame?.rows.some((row) =>
        row
          .map((run) => run.text)
          .join('')
          .includes(text),
      ) ?? false
    );
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
