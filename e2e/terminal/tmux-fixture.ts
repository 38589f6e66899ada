import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  isolatedEnvironment,
  programOnPath,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
} from '@qwen/testkit';
import { expect } from 'vitest';

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

/** What the shell in the pane shows while it waits. */
export const SHELL = 'shell>';

const CLI = fileURLToPath(new URL('../../packages/cli/bin/qwen.js', import.meta.url));
const PATIENCE_MS = 15_000;
const run = promisify(execFile);

export interface TmuxOptions {
  readonly model: readonly ScriptedReply[];
  readonly tokensPerSecond?: number;
  /** Prepares the workspace, in whose folder `project` the shell starts. */
  readonly prepare?: (workspace: TemporaryFolder) => Promise<void>;
}

/** A shell in a pane of a tmux that belongs to the test, with `qwen` on its path. */
export class TmuxPane implements AsyncDisposable {
  readonly workspace: TemporaryFolder;
  readonly model: ScriptedModel;
  readonly #environment: Readonly<Record<string, string>>;

  private constructor(
    workspace: TemporaryFolder,
    { model, environment }: { readonly model: ScriptedModel; readonly environment: Readonly<Record<string, string>> },
  ) {
    this.workspace = workspace;
    this.model = model;
    this.#environment = environment;
  }

  static async open({ model: replies, tokensPerSecond, prepare }: TmuxOptions): Promise<TmuxPane> {
    const workspace = await temporaryFolder();
    await workspace.write('project/README.md', '# A project\n');
    await prepare?.(workspace);
    const model = await startScriptedModel(replies, { tokensPerSecond });
    const environment = isolatedEnvironment(workspace.resolve('home'), {
      ...model.env,
      LANG: 'C.UTF-8',
      PATH: await programOnPath(workspace, 'qwen', CLI),
      TERM: 'xterm-256color',
    });
    const pane = new TmuxPane(workspace, { model, environment });
    const size = ['-x', '80', '-y', '24'];
    const shell = ['env', `PS1=${SHELL} `, 'bash', '--norc', '-i'];
    await pane.#tmux('new-session', '-d', ...size, '-c', workspace.resolve('project'), ...shell);
    await pane.until(SHELL);
    return pane;
  }

  /** Types as a person does, the keys of tmux by their names: `Enter`, `Escape`, `C-z`. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.#tmux('send-keys', ...keys);
  }

  async type(text: string): Promise<void> {
    await this.#tmux('send-keys', '-l', '--', text);
  }

  /** Types a line, and sends it once it is seen. */
  async send(line: string): Promise<void> {
    await this.type(line);
    await this.until(line);
    await this.press('Enter');
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** Scrolls to the first row and back. Returns the number of rows above the screen. */
  async scrollBack(): Promise<number> {
    await this.#tmux('copy-mode');
    await this.#tmux('send-keys', '-X', 'history-top');
    const rows = Number(await this.facts('#{scroll_position}'));
    await this.#tmux('send-keys', '-X', 'cancel');
    return rows;
  }

  /** What tmux knows of the pane, in its own words. */
  async facts(format: string): Promise<string> {
    return (await this.#tmux('display-message', '-p', format)).trim();
  }

  /** The rows that are seen. */
  async screen(): Promise<string> {
    return (await this.#tmux('capture-pane', '-p')).trimEnd();
  }

  /** All rows, including those that scrolled away; wrapped lines are joined. */
  async history(): Promise<string> {
    return (await this.#tmux('capture-pane', '-p', '-J', '-S', '-')).trimEnd();
  }

  /** Resolves with the screen once it shows this. */
  async until(shown: string | RegExp): Promise<string> {
    let screen = '';
    const look = async (): Promise<string> => {
      screen = await this.screen();
      return screen;
    };
    await expect.poll(look, { timeout: PATIENCE_MS }).toMatch(shown);
    return screen;
  }

  async #tmux(...words: readonly string[]): Promise<string> {
    const socket = this.workspace.resolve('tmux');
    const { stdout } = await run('tmux', ['-S', socket, '-f', '/dev/null', ...words], { env: this.#environment });
    return stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tmux('kill-server');
    await this.model[Symbol.asyncDispose]();
    await this.workspace[Symbol.asyncDispose]();
  }
}
