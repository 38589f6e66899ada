import { EventEmitter, once } from 'node:events';
import { appendFile, mkdir, readFile, readlink } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import {
  isolatedEnvironment,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
} from '@qwen/testkit';
import { Terminal } from '@xterm/headless';
import { BIN } from '../cli-fixture.js';

/** The bytes of keys of an ordinary terminal. */
const KEYS = {
  enter: '\r',
  escape: '\u001b',
  up: '\u001b[A',
  down: '\u001b[B',
  left: '\u001b[D',
  right: '\u001b[C',
  tab: '\t',
  'shift-tab': '\u001b[Z',
  backspace: '\u007f',
  'page-down': '\u001b[6~',
  'page-up': '\u001b[5~',
  'alt-enter': '\u001b\r',
  'ctrl-c': '\u0003',
  'ctrl-d': '\u0004',
  'ctrl-j': '\n',
  'ctrl-l': '\f',
  'ctrl-o': '\u000f',
  'ctrl-r': '\u0012',
  'ctrl-z': '\u001a',
} as const;

/** A sequence that no program writes: how far the terminal has read. */
const MARK = 7788;

/** Shown by an empty input. */
export const READY = 'Type a prompt';

/** A wait for something that never comes ends a test with the screen in its message. */
const PATIENCE_MS = 15_000;

export interface TerminalFixtureOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** Answers of the model; with `server` another one is asked. */
  readonly model?: readonly ScriptedReply[];
  readonly tokensPerSecond?: number;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Another program in the terminal, such as a shell. Default: `qwen`. */
  readonly command?: readonly [file: string, ...args: string[]];
  /** Default `off`, so that commands are asked about. */
  readonly sandbox?: 'off' | 'default';
  /** Prepares the workspace before the program starts. */
  readonly prepare?: (workspace: TemporaryFolder) => Promise<void>;
}

/** The built program in a real terminal. Killed with the test. */
export class TerminalFixture implements AsyncDisposable {
  readonly workspace: TemporaryFolder;
  readonly model: ScriptedModel;
  /** All bytes that the program wrote, as they came. */
  written = '';
  readonly pid: number;
  readonly #terminal: Terminal;
  readonly #pty: ReturnType<typeof spawn>;
  readonly #changed = new EventEmitter();
  #marks = 0;
  #seenMark: string | undefined;
  #exit: { readonly exitCode: number; readonly signal?: number } | undefined;

  private constructor(
    parts: { readonly workspace: TemporaryFolder; readonly model: ScriptedModel },
    options: TerminalFixtureOptions,
  ) {
    const { columns = 80, rows = 24, args = [], env = {}, command = [process.execPath, BIN, ...args] } = options;
    const { workspace, model } = parts;
    const sandbox = options.sandbox === 'default' ? {} : { QWEN_SANDBOX: 'off' };
    this.workspace = workspace;
    this.model = model;
    this.#terminal = new Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
    const [file, ...words] = command;
    const home = workspace.resolve('home');
    this.#pty = spawn(file, words, {
      name: env['TERM'] ?? 'xterm-256color',
      cols: columns,
      rows,
      cwd: workspace.resolve('project'),
      env: isolatedEnvironment(home, { ...model.env, ...sandbox, LANG: 'C.UTF-8', ...env }),
    });
    this.pid = this.#pty.pid;
    this.#terminal.parser.registerOscHandler(MARK, (mark) => {
      this.#seenMark = mark;
      return true;
    });
    this.#pty.onData((data) => {
      this.written += data;
      this.#terminal.write(data, () => this.#changed.emit('changed'));
    });
    // Answers of a terminal to questions of the program.
    this.#terminal.onData((data) => this.#pty.write(data));
    this.#pty.onExit((exit) => {
      this.#exit = exit;
      this.#terminal.write('', () => this.#changed.emit('changed'));
    });
  }

  static async open(options: TerminalFixtureOptions = {}): Promise<TerminalFixture> {
    const { model = [], tokensPerSecond, prepare } = options;
    const workspace = await temporaryFolder();
    await mkdir(workspace.resolve('project'), { recursive: true });
    await prepare?.(workspace);
    return new TerminalFixture({ workspace, model: await startScriptedModel(model, { tokensPerSecond }) }, options);
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  /** Types a prompt and sends it. */
  async send(prompt: string): Promise<void> {
    this.type(prompt);
    await this.until(prompt);
    this.press('enter');
  }

  press(...keys: readonly (keyof typeof KEYS)[]): void {
    for (const key of keys) this.#pty.write(KEYS[key]);
  }

  /** As a terminal sends what is pasted. */
  paste(text: string): void {
    this.#pty.write(`\u001b[200~${text}\u001b[201~`);
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  /**
   * Changes the size after all that the program wrote is on the screen, as far as a program that draws all the time ever
   * rests: it is stopped meanwhile.
   */
  async resizeAtRest(columns: number, rows: number): Promise<void> {
    this.kill('SIGSTOP');
    while (!(await this.#isStopped())) await setImmediate();
    const mark = `${++this.#marks}`;
    await appendFile(await readlink(`/proc/${this.pid}/fd/1`), `\u001b]${MARK};${mark}\u0007`);
    await this.#until(() => this.#seenMark === mark, 'what was written');
    this.resize(columns, rows);
    this.kill('SIGCONT');
  }

  async #isStopped(): Promise<boolean> {
    return /^State:\s+T/m.test(await readFile(`/proc/${this.pid}/status`, 'utf8'));
  }

  kill(signal: string): void {
    process.kill(this.pid, signal);
  }

  /** The rows that are seen, without spaces at their ends. */
  get screen(): string {
    const { viewportY } = this.#terminal.buffer.active;
    return this.#rows(viewportY, viewportY + this.#terminal.rows);
  }

  /** All rows, those that scrolled away included. */
  get scrollback(): string {
    return this.#rows(0, this.#terminal.buffer.active.length);
  }

  /** Where the cursor is, counted from the first row that is seen. */
  get cursor(): { readonly row: number; readonly column: number } {
    const { cursorX: column, cursorY: row } = this.#terminal.buffer.active;
    return { row, column };
  }

  /** Whether the program asked for pastes to be marked, which it has to take back. */
  get marksPastes(): boolean {
    return this.#terminal.modes.bracketedPasteMode;
  }

  /** Resolves with the screen once it shows this. Rejects after some seconds, with the screen. */
  async until(isShown: string | RegExp | ((screen: string) => boolean)): Promise<string> {
    await this.#until(() => holds(isShown, this.screen), String(isShown));
    return this.screen;
  }

  /** The same, for all that was ever shown. */
  async untilPrinted(isShown: string | RegExp): Promise<string> {
    await this.#until(() => holds(isShown, this.scrollback), String(isShown));
    return this.scrollback;
  }

  /** Resolves once the program has ended and all that it wrote is on the screen. */
  async exited(): Promise<{ readonly exitCode: number; readonly signal?: number }> {
    await this.#until(() => this.#exit !== undefined, 'the end of the program');
    return this.#exit ?? { exitCode: -1 };
  }

  async #until(isTrue: () => boolean, what: string): Promise<void> {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    while (!isTrue()) {
      await once(this.#changed, 'changed', { signal: patience }).catch(() => {
        throw new Error(`It never came to ${what}; the screen:\n${this.scrollback}`);
      });
    }
  }

  #rows(from: number, to: number): string {
    const { active } = this.#terminal.buffer;
    const rows = Array.from({ length: to - from }, (_, at) => active.getLine(from + at)?.translateToString(true) ?? '');
    return rows.join('\n').trimEnd();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#exit === undefined) this.#pty.kill('SIGKILL');
    await this.exited();
    this.#terminal.dispose();
    await this.model[Symbol.asyncDispose]();
    await this.workspace[Symbol.asyncDispose]();
  }
}

function holds(isShown: string | RegExp | ((screen: string) => boolean), text: string): boolean {
  if (typeof isShown === 'string') return text.includes(isShown);
  return typeof isShown === 'function' ? isShown(text) : isShown.test(text);
}

/** Opens a terminal with the built program in it. */
export function openTerminal(options?: TerminalFixtureOptions): Promise<TerminalFixture> {
  return TerminalFixture.open(options);
}
