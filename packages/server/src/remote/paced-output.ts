import { spawn } from 'node:child_process';
import type { SpawnedProcess, SpawnProcess, SpawnRequest } from '@qwen/sdk';

/**
 * Pauses the stdout of a program while the client is too far behind, so that the program waits as for a local
 * reader.
 */
export class PacedOutput {
  readonly #windowBytes: number;
  readonly #spawnProcess: SpawnProcess;
  #unacknowledged: { readonly seq: number; readonly endBytes: number }[] = [];
  #sentBytes = 0;
  #acknowledgedBytes = 0;
  #child: SpawnedProcess | undefined;

  constructor(windowBytes: number, spawnProcess: SpawnProcess = spawnChild) {
    this.#windowBytes = windowBytes;
    this.#spawnProcess = spawnProcess;
  }

  /** For the option `spawnProcess`. */
  readonly spawn = (request: SpawnRequest): SpawnedProcess => {
    const child = this.#spawnProcess(request);
    // The rest must not stay paused.
    child.once('exit', () => {
      this.#child = undefined;
      child.stdout.resume();
    });
    this.#child = child;
    return child;
  };

  get pendingBytes(): number {
    return this.#sentBytes - this.#acknowledgedBytes;
  }

  sent(seq: number, bytes: number): void {
    this.#sentBytes += bytes;
    this.#unacknowledged.push({ seq, endBytes: this.#sentBytes });
    if (this.pendingBytes > this.#windowBytes) this.#child?.stdout.pause();
  }

  acknowledged(seq: number): void {
    const kept = this.#unacknowledged.findIndex((line) => line.seq > seq);
    const gone = this.#unacknowledged.splice(0, kept === -1 ? this.#unacknowledged.length : kept);
    this.#acknowledgedBytes = gone.at(-1)?.endBytes ?? this.#acknowledgedBytes;
    if (this.pendingBytes <= this.#windowBytes) this.#child?.stdout.resume();
  }
}

const spawnChild: SpawnProcess = ({ command, args, env, cwd }) =>
  spawn(command, [...args], { env: { ...env }, cwd, stdio: 'pipe', windowsHide: true });
