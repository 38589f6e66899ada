import { createWriteStream, type WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { AgentError, encodeLine, RECORDING_VERSION, type RecordingEntry, systemCodeOf } from '@qwen/protocol';
import type { Recording } from './recording.js';

export interface RecorderOptions {
  readonly path: string;
  readonly version: string;
  /** Called once if the file cannot be written; the session continues. Must not throw. */
  readonly onLost: (error: AgentError) => void;
}

export class Recorder implements Recording {
  readonly #startedAtMs = performance.now();
  readonly #stream: WriteStream;
  readonly #path: string;
  #isLost = false;

  private constructor(stream: WriteStream, { path, version, onLost }: RecorderOptions) {
    this.#stream = stream;
    this.#path = path;
    stream.on('error', (error) => {
      if (this.#isLost) return;
      this.#isLost = true;
      onLost(this.#unwritable(error));
    });
    const head = { recording: RECORDING_VERSION, started_at: new Date().toISOString(), qwen_version: version };
    stream.write(encodeLine(head));
  }

  /** Rejects with `usage` if the file exists and `storage_unwritable` if it cannot be created. */
  static async open(options: RecorderOptions): Promise<Recorder> {
    const { path } = options;
    try {
      const handle = await open(path, 'wx', 0o600);
      await handle.close();
    } catch (thrown) {
      if (systemCodeOf(thrown) === 'EEXIST') {
        throw new AgentError('usage', `--record: ${path} already exists; recordings are never overwritten`);
      }
      throw new AgentError('storage_unwritable', `--record: ${path} cannot be written.`, { cause: thrown });
    }
    return new Recorder(createWriteStream(path, { flags: 'a' }), options);
  }

  input(line: string): void {
    this.#add({ t: this.#now(), in: line });
  }

  output(text: string): void {
    for (const line of text.split('\n')) {
      if (line !== '') this.#add({ t: this.#now(), out: line });
    }
  }

  /** Writes the exit code and flushes. Never rejects. */
  close(exitCode: number): Promise<void> {
    this.#add({ t: this.#now(), exit: exitCode });
    return new Promise((resolve) => {
      if (this.#isLost) resolve();
      else this.#stream.once('close', resolve).end();
    });
  }

  #add(entry: RecordingEntry): void {
    if (!this.#isLost) this.#stream.write(encodeLine(entry));
  }

  #now(): number {
    return Math.round(performance.now() - this.#startedAtMs);
  }

  #unwritable(cause: Error): AgentError {
    return new AgentError('storage_unwritable', `The recording ${this.#path} can no longer be written.`, { cause });
  }
}
