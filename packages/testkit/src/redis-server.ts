import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.js';

/** Redis tests are skipped without it; `.ci/run` installs it. */
export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0;

/** A `redis-server` on a free port with its own files. Close it with `await using`. */
export class RedisServer implements AsyncDisposable {
  readonly #folder: TemporaryFolder;
  readonly #port: number;
  readonly #settings: readonly string[];
  #child: ChildProcess | undefined;

  private constructor(folder: TemporaryFolder, port: number, settings: readonly string[]) {
    this.#folder = folder;
    this.#port = port;
    this.#settings = settings;
  }

  /** `settings`: further flags, such as those of a replica. */
  static async start(settings: readonly string[] = []): Promise<RedisServer> {
    const server = new RedisServer(await temporaryFolder(), await freePort(), settings);
    await server.restart();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  /** Restarts it with the same files and waits until it answers. */
  async restart(): Promise<void> {
    const settings = ['--port', String(this.#port), '--bind', '127.0.0.1', '--dir', this.#folder.path];
    const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
    const child = spawn('redis-server', [...settings, ...durable, ...this.#settings], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    let said = '';
    for await (const text of child.stdout.setEncoding('utf8')) {
      said += String(text);
      if (said.includes('Ready to accept connections')) break;
    }
    if (!said.includes('Ready to accept connections')) throw new Error(`redis-server did not start: ${said}`);
  }

  /** Freezes it, or lets it continue. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal);
  }

  /** The output of `redis-cli` with these words. */
  cli(...words: readonly string[]): string {
    return spawnSync('redis-cli', ['-p', String(this.#port), ...words], { encoding: 'utf8' }).stdout;
  }

  async kill(): Promise<void> {
    if (this.#child === undefined) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
    this.#child = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.#folder[Symbol.asyncDispose]();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
