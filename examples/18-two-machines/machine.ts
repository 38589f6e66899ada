import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A `qwen serve` with a separate home folder, to simulate a separate machine. */
export class Machine {
  readonly #process: ChildProcess;
  readonly #url: string;

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.#url = url;
  }

  static async start({ home, redisUrl }: { readonly home: string; readonly redisUrl: string }): Promise<Machine> {
    const env = { ...process.env, QWEN_HOME: home, QWEN_SERVER_STORE: redisUrl };
    const child = spawn('qwen', ['serve', '--port', '0'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    // The first line contains the address.
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
    return new Machine(child, String(line).trim());
  }

  async newSession(): Promise<string> {
    const { sessionId } = JSON.parse(await this.#ask('/api/session', {}));
    return String(sessionId);
  }

  /** Sends a message and returns the answer after the turn. */
  async say(sessionId: string, message: string): Promise<string> {
    const stream = await this.#ask('/api/chat/stream', { sessionId, message });
    const events = stream.split('\n').filter((line) => line.startsWith('data: '));
    return events
      .map((line) => JSON.parse(line.slice('data: '.length)))
      .map(({ type, value }) => (type === 'Content' ? String(value) : ''))
      .join('');
  }

  /** Shuts down as an operator would. */
  async stop(): Promise<void> {
    const gone = once(this.#process, 'exit');
    this.#process.kill();
    await gone;
  }

  async #ask(path: string, body: unknown): Promise<string> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(this.#url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text;
  }
}
