import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Receives the agent's lines, numbered from 1, and the end. Must not throw. */
export interface LineReader {
  line(id: number, text: string): void;
  end(exitCode: number): void;
}

export interface AgentLinesOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** History that is kept for pages that connect later or reconnect. Default 16 MiB. */
  readonly keptBytes?: number;
}

const FLAGS = ['--input-format', 'stream-json', '--output-format', 'stream-chunk-json', '--dialect', 'openai'];
/** Announces that this client answers control requests, including questions of commands. */
const HELLO = { type: 'control_request', request_id: 'hello', request: { subtype: 'initialize' } };
const GRACE_MS = 5_000;

/** One agent process with its lines. The creator disposes it. */
export class AgentLines implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #readers = new Set<LineReader>();
  readonly #keptBytes: number;
  #kept: string[] = [];
  #keptSize = 0;
  #dropped = 0;
  #rest: Buffer[] = [];
  #exitCode: number | undefined;

  constructor({ cwd, env, keptBytes = 16 * 1024 * 1024 }: AgentLinesOptions) {
    this.#keptBytes = keptBytes;
    this.#child = spawn('qwen', FLAGS, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#split(chunk));
    // The agent may exit while a line is being sent; the `close` event reports that.
    this.#child.stdin?.on('error', () => {});
    this.#child.on('error', () => this.#finish(127));
    this.#child.on('close', (code) => this.#finish(code ?? 1));
    this.#closed = once(this.#child, 'close').catch(() => undefined);
    this.send(HELLO);
  }

  /** Sends the reader the lines after `after`, then new ones. Synchronous, so no line is lost or repeated. */
  attach(after: number, reader: LineReader): () => void {
    for (const [at, text] of this.#kept.entries()) {
      const id = this.#dropped + at + 1;
      if (id > after) reader.line(id, text);
    }
    if (this.#exitCode !== undefined) reader.end(this.#exitCode);
    else this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  send(line: object): void {
    this.#child.stdin?.write(`${JSON.stringify(line)}\n`);
  }

  /** Closes stdin, which ends the agent; kills it if it does not exit. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), GRACE_MS);
    await this.#closed;
    clearTimeout(timer);
  }

  /** Lines end with the byte 0x0A only. */
  #split(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      this.#tell(Buffer.concat([...this.#rest, chunk.subarray(from, at)]).toString());
      this.#rest = [];
      from = at + 1;
    }
    if (from < chunk.length) this.#rest.push(chunk.subarray(from));
  }

  #tell(text: string): void {
    this.#kept.push(text);
    this.#keptSize += text.length;
    const id = this.#dropped + this.#kept.length;
    if (this.#keptSize > this.#keptBytes) this.#forget();
    for (const reader of this.#readers) reader.line(id, text);
  }

  /** Drops the older half, so that this does not run for each line. */
  #forget(): void {
    const gone = Math.ceil(this.#kept.length / 2);
    this.#dropped += gone;
    this.#kept = this.#kept.slice(gone);
    this.#keptSize = this.#kept.reduce((sum, text) => sum + text.length, 0);
  }

  #finish(exitCode: number): void {
    if (this.#exitCode !== undefined) return;
    this.#exitCode = exitCode;
    for (const reader of this.#readers) reader.end(exitCode);
    this.#readers.clear();
  }
}
