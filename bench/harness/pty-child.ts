import { setTimeout as pause } from 'node:timers/promises';
import { type IPty, spawn } from '@lydell/node-pty';
import type { Program } from './child.ts';

/** Ink enables bracketed paste when it starts to read keys. */
const READS_KEYS = '\u001b[?2004h';

interface Awaited {
  readonly text: string;
  readonly resolve: (at: number) => void;
  readonly reject: (error: Error) => void;
  /** The last part of the output. */
  seen: string;
}

/** Scans the output as it arrives and does not keep it. */
export class PtyChild implements AsyncDisposable {
  readonly startedAt = performance.now();
  readonly #pty: IPty;
  readonly #gone: Promise<void>;
  readonly #awaited = new Set<Awaited>();

  constructor({ command = process.execPath, args, cwd, env }: Program) {
    this.#pty = spawn(command, [...args], {
      cols: 100,
      rows: 30,
      name: 'xterm-256color',
      ...(cwd !== undefined && { cwd }),
      ...(env !== undefined && { env: { ...env } }),
    });
    this.#pty.onData((data) => this.#look(data));
    this.#gone = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode }) => {
        for (const { reject, seen } of this.#awaited) {
          reject(new Error(`${args.join(' ')} exited with ${exitCode}: ${seen.slice(-2_000)}`));
        }
        resolve();
      });
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  write(keys: string): void {
    this.#pty.write(keys);
  }

  /** Time of the next occurrence, as of `performance.now()`. */
  whenWritten(text: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#awaited.add({ text, resolve, reject, seen: '' });
    });
  }

  whenReadingKeys(): Promise<number> {
    return this.whenWritten(READS_KEYS);
  }

  /** Presses Ctrl-C for a clean exit, which saves the compile cache. */
  async leave(): Promise<void> {
    const gone = this.#gone.then(() => 'gone' as const);
    do this.write('\u0003');
    while ((await Promise.race([gone, pause(50)])) !== 'gone');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#awaited.clear();
    this.#pty.kill('SIGKILL');
    await this.#gone;
  }

  #look(data: string): void {
    for (const awaited of this.#awaited) {
      // The text may span two chunks.
      awaited.seen = awaited.seen.slice(-4_096) + data;
      if (!awaited.seen.includes(awaited.text)) continue;
      this.#awaited.delete(awaited);
      awaited.resolve(performance.now());
    }
  }
}
