import { type Query, type QueryOptions, query, type RemoteServer, type SDKUserMessage } from '@qwen/sdk';
import { createServer, type QwenServer } from '@qwen/server';
import { type ScriptedModelOptions, type ScriptedReply } from '@qwen/testkit';
import { CLI, type Fixture, openFixture } from '../spine/fixture.ts';
import { startRelay } from './relay.ts';

/** A server behind a relay, so that connections can be cut and the server be another one. */
export interface ServedFixture extends Omit<Fixture, 'query'> {
  readonly place: RemoteServer;
  query(prompt: string | AsyncIterable<SDKUserMessage>, options?: QueryOptions): Query;
  /** Cuts all connections. Returns their number. */
  cut(): number;
  /** Ends the server and starts another one at the same place. */
  restart(): Promise<void>;
}

const TOKEN = 'a-token-of-this-test';

export async function openServedFixture(
  replies: readonly ScriptedReply[],
  options?: ScriptedModelOptions,
): Promise<ServedFixture> {
  const fixture = await openFixture(replies, options);
  const { workspace, env } = fixture;
  let port = 0;
  const relay = await startRelay(() => port);
  const serve = async (): Promise<QwenServer> => {
    const server = await createServer({
      store: 'memory:',
      token: TOKEN,
      workspace: workspace.path,
      hosts: [relay.host],
      launch: { pathToQwenExecutable: CLI, env },
    });
    ({ port } = await server.listen({ port: 0 }));
    return server;
  };
  let server = await serve();
  const place = { url: `http://${relay.host}`, token: TOKEN };
  return {
    ...fixture,
    place,
    query: (prompt, own = {}) => query({ prompt, options: { server: place, ...own } }),
    cut: relay.cut,
    async restart() {
      await server.close({ graceMs: 0 });
      server = await serve();
    },
    async [Symbol.asyncDispose]() {
      await server.close({ graceMs: 0 });
      await relay[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
    },
  };
}
