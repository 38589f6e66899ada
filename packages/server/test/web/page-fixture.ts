import { once } from 'node:events';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import {
  isolatedEnvironment,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedReply,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
} from '@qwen/testkit';
import { createServer } from '../../src/app/create-server.js';
import type { QwenServer } from '../../src/app/running-server.js';
import type { ServerOptions } from '../../src/app/server-options.js';

/** A whole server with real agents and a scripted model, behind a wire that can be cut. Close it with `await using`. */
export interface PageFixture extends AsyncDisposable {
  /** Of the page. */
  readonly url: string;
  readonly folder: TemporaryFolder;
  readonly model: ScriptedModel;
  readonly wire: Wire;
  /** Ends the server and starts another over the same files; the address stays. */
  restart(): Promise<void>;
}

/** The one way between browser and server. */
export interface Wire {
  /** Cuts everything that is connected. */
  cut(): void;
  /** While it is down, who connects is cut at once. */
  isDown: boolean;
}

export interface PageFixtureOptions extends Partial<ServerOptions> {
  readonly replies: readonly ScriptedReply[];
  readonly pace?: ScriptedModelOptions;
}

export async function openPageFixture({ replies, pace, ...options }: PageFixtureOptions): Promise<PageFixture> {
  const folder = await temporaryFolder();
  const model = await startScriptedModel(replies, pace);
  let targetPort = 0;
  const proxy = await startWire(() => targetPort);
  const host = `127.0.0.1:${proxy.port}`;
  const start = async (): Promise<QwenServer> => {
    const server = await createServer({
      store: folder.resolve('state'),
      token: 'a-token-of-this-test',
      workspace: folder.resolve('work'),
      launch: { env: isolatedEnvironment(folder.resolve('home'), model.env) },
      hosts: [host],
      ...options,
    });
    targetPort = (await server.listen({ port: 0 })).port;
    return server;
  };
  await folder.write('work/README.md', '# Work\n');
  let server = await start();
  return {
    url: `http://${host}/`,
    folder,
    model,
    wire: proxy.wire,
    restart: async () => {
      await server.close({ graceMs: 0 });
      proxy.wire.cut();
      server = await start();
    },
    async [Symbol.asyncDispose]() {
      await server.close({ graceMs: 0 });
      await proxy.close();
      await model[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function startWire(targetPort: () => number) {
  const sockets = new Set<Socket>();
  const wire: Wire = {
    isDown: false,
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
  const server = createTcpServer((client) => {
    if (wire.isDown) return client.destroy();
    const target = connect(targetPort(), '127.0.0.1');
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(target).pipe(client);
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    wire,
    port: address.port,
    async close() {
      wire.cut();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
