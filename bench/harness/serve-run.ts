import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { LineChild } from './child.ts';
import { residentMemoryBytes } from './process-facts.ts';
import type { Workspace } from './workspace.ts';

const CLI = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'bin', 'qwen.js');
const TOKEN = 'pat_of-the-bench-of-the-server';
const sessionSchema = z.object({ id: z.string() });

export interface Subscriber {
  /** Latency of each delta in milliseconds, in order of arrival. */
  readonly latenciesMs: readonly number[];
  /** Resolves with the time of the next idle event. */
  readonly idle: Promise<number>;
}

/** A separate process. Use `await using`. */
export class ServeRun implements AsyncDisposable {
  readonly #child: LineChild;
  readonly #url: URL;
  readonly #sockets = new Set<Socket>();

  private constructor(child: LineChild, url: URL) {
    this.#child = child;
    this.#url = url;
  }

  static async start(workspace: Workspace, baseUrl: string): Promise<ServeRun> {
    const args = [CLI, 'serve', '--port', '0', '--token', TOKEN];
    const child = new LineChild({ args, cwd: workspace.cwd, env: workspace.env(baseUrl) });
    return new ServeRun(child, new URL(await child.line()));
  }

  memoryBytes(): Promise<number> {
    return residentMemoryBytes(this.#child.pid);
  }

  async newSession(): Promise<string> {
    return sessionSchema.parse(await this.#post('/sessions', { incremental_streaming_enabled: true })).id;
  }

  async say(sessionId: string, content: string): Promise<void> {
    await this.#post(`/sessions/${sessionId}/events`, { events: [{ type: 'user.message', content }] });
  }

  /** Resolves once the subscription is live. Scans raw bytes, to keep the client cheap. */
  async follow(sessionId: string): Promise<Subscriber> {
    const socket = connect(Number(this.#url.port), this.#url.hostname).setEncoding('latin1');
    this.#sockets.add(socket);
    const latenciesMs: number[] = [];
    let markIdle: (at: number) => void = () => undefined;
    const idle = new Promise<number>((resolve) => {
      markIdle = resolve;
    });
    const begun = new Promise<void>((resolve, reject) => {
      let rest = '';
      socket.on('error', reject).on('data', (text: string) => {
        resolve();
        const now = Date.now();
        const frames = (rest + text).split('\n\n');
        rest = frames.pop() ?? '';
        for (const frame of frames) {
          if (frame.includes('event: agent.content_block_delta')) latenciesMs.push(now - createdAt(frame));
          if (frame.includes('event: session.status_idle')) markIdle(performance.now());
        }
      });
    });
    socket.write(
      `GET /api/v1/cloud/sessions/${sessionId}/events/stream HTTP/1.1\r\n` +
        `Host: ${this.#url.host}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
    );
    await begun;
    return { latenciesMs, idle };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    process.kill(this.#child.pid, 'SIGTERM');
    await this.#child.end();
  }

  async #post(path: string, body: unknown): Promise<unknown> {
    const response = await fetch(new URL(`/api/v1/cloud${path}`, this.#url), {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }
}

function createdAt(frame: string): number {
  return Number(/"created_at":(\d+)/.exec(frame)?.[1]);
}
