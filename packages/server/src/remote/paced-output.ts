import { spawn } from 'node:child_process';
import type { SpawnedProcess, SpawnProcess, SpawnRequest } from '@qwen/sdk';

/**
 * Starts a program and stops reading what it says while its client is too far behind: then the pipe is full, and the
 * program waits, as it would for a slow reader on the same machine (P8).
 */
export class PacedOutput {
  readonly #windowBytes: number;
  readonly #spawnProcess: SpawnProcess;
  /** What is on the way: the number of each line, and the bytes of all lines up to its end. */
  #onTheWay: { readonly seq: number; readonly endBytes: number }[] = [];
  #toldBytes = 0;
  #receivedBytes = 0;
  #child: SpawnedProcess | undefined;

  constructor(windowBytes: number, spawnProcess: SpawnProcess = spawnChild) {
    this.#windowBytes = windowBytes;
    this.#spawnProcess = spawnProcess;
  }

  /** For the option `spawnProcess`. */
  readonly spawn = (request: SpawnRequest): SpawnedProcess => {
    const child = this.#spawnProcess(request);
    // Its pipe is read for a moment only after its exit, and holds little.
    child.once('exit', () => {
      this.#child = undefined;
      child.stdout.resume();
    });
    this.#child = child;
    return child;
  };

  /** Lines on the way, in bytes. */
  get onTheWayBytes(): number {
    return this.#toldBytes - this.#receivedBytes;
  }

  told(seq: number, bytes: number): void {
    this.#toldBytes += bytes;
    this.#onTheWay.push({ seq, endBytes: this.#toldBytes });
    if (this.onTheWayBytes > this.#windowBytes) this.#child?.stdout.pause();
  }

  received(seq: number): void {
    const kept = this.#onTheWay.findIndex((line) => line.seq > seq);
    const gone = this.#onTheWay.splice(0, kept === -1 ? this.#onTheWay.length : kept);
    this.#receivedBytes = gone.at(-1)?.endBytes ?? this.#receivedBytes;
    if (this.onTheWayBytes <= this.#windowBytes) this.#child?.stdout.resume();
  }
}

const spawnChild: SpawnProcess = ({ command, args, env, cwd }) =>
  spawn(command, [...args], { env: { ...env }, cwd, stdio: 'pipe', windowsHide: true });
