import { fileURLToPath } from 'node:url';
import { REMOTE_PATH } from '@qwen/protocol/server';
import { type DecodedLine, HttpTransport, type HttpTransportOptions, type TransportExit } from '@qwen/sdk';
import { WorkspaceFolders } from '../src/core/workspace-folders.js';
import { RemoteAgentRegistry, type RemoteAgentRegistryOptions } from '../src/remote/remote-agent-registry.js';
import { remoteRoutes } from '../src/remote/remote-routes.js';
import { startServer, type TestServer } from './http-server.js';

/** A CLI that repeats lines and does what some of them say; see the file. */
export const ECHO = fileURLToPath(new URL('programs/echo-lines.js', import.meta.url));

export interface RemoteFixture extends AsyncDisposable {
  readonly registry: RemoteAgentRegistry;
  readonly server: TestServer;
  /** How often a client has said what it has. */
  receipts(): number;
  readonly url: string;
  readonly port: number;
}

/** A registry over real HTTP whose CLIs are the echo program. Close it with `await using`. */
export async function openRemoteFixture(
  options: Partial<RemoteAgentRegistryOptions> & { readonly heartbeatMs?: number } = {},
): Promise<RemoteFixture> {
  const { heartbeatMs, ...rest } = options;
  const registry = new RemoteAgentRegistry({
    workspaceRoot: process.cwd(),
    folders: new WorkspaceFolders(),
    launch: { pathToQwenExecutable: ECHO },
    ...rest,
  });
  let receipts = 0;
  const server = await startServer((app) => {
    app.use(async (context, next) => {
      if (context.req.path.endsWith('/received')) receipts += 1;
      await next();
    });
    app.route(REMOTE_PATH, remoteRoutes({ registry, heartbeatMs }));
  });
  return {
    registry,
    server,
    receipts: () => receipts,
    url: server.url,
    port: server.port,
    async [Symbol.asyncDispose]() {
      await registry.close({ graceMs: 0 });
      await server[Symbol.asyncDispose]();
    },
  };
}

/** A remote CLI and what it has said so far. Close it with `await using`. */
export class RemoteCli implements AsyncDisposable {
  readonly transport: HttpTransport;
  readonly lines: DecodedLine[] = [];
  readonly texts: string[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(options: Partial<HttpTransportOptions> & { readonly url: string }) {
    this.transport = new HttpTransport({ args: [], ...options });
  }

  async start(): Promise<this> {
    await this.transport.start((line) => {
      this.lines.push(line);
      if (line.ok) this.texts.push(line.text);
      for (const look of this.#waiting) look();
    });
    return this;
  }

  /** Resolves with the first line that fits. */
  line(fits: (text: string) => boolean): Promise<string> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.texts.find(fits);
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  async say(...lines: readonly string[]): Promise<void> {
    await Promise.all(lines.map((line) => this.transport.send(`${line}\n`)));
  }

  /** Ends the input and waits until it is gone. */
  finish(): Promise<TransportExit> {
    this.transport.endInput();
    return this.transport.closed;
  }

  /** What the echo program reports about itself. */
  async who(): Promise<{ pid: number; cwd: string; args: string[]; env: Record<string, string> }> {
    await this.say('who');
    return JSON.parse(await this.line((text) => text.startsWith('{"pid"')));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.transport.close({ graceMs: 0 });
  }
}
