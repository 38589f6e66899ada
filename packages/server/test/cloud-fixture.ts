import {
  isolatedEnvironment,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedReply,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
} from '@qwen/testkit';
import { createServer } from '../src/app/create-server.js';
import type { QwenServer } from '../src/app/running-server.js';
import type { ServerOptions } from '../src/app/server-options.js';
import { type Frame, readFrames } from './event-frames.js';

/** A whole server with real agents and a scripted model, as a client of the cloud API sees it. Close it with `await using`. */
export interface CloudFixture extends AsyncDisposable {
  /** `http://127.0.0.1:port/api/v1/cloud`. */
  readonly url: string;
  readonly port: number;
  /** The one that runs now. */
  readonly server: QwenServer;
  readonly model: ScriptedModel;
  readonly folder: TemporaryFolder;
  /** With the token, unless other headers are given. A text goes as it is. */
  request(call: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** The answer to a request that has to go well. */
  ask(call: string, body?: unknown): Promise<CloudObject>;
  newSession(more?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Sends a message. Returns the stored event. */
  say(sessionId: string, text: string): Promise<CloudObject>;
  /** Opens a stream; it is live when this resolves. */
  follow(path: string, lastEventId?: string): Promise<AsyncGenerator<Frame, void, undefined>>;
  /** The same without a socket: by the server as an app that is mounted in this process. */
  followInside(path: string, lastEventId?: string): Promise<AsyncGenerator<Frame, void, undefined>>;
  /** Ends the server and starts another one over the same store, at the same address. */
  restart(changes?: Partial<ServerOptions>): Promise<void>;
}

export type CloudObject = Readonly<Record<string, unknown>>;

export interface CloudFixtureOptions extends Partial<ServerOptions> {
  readonly replies: readonly ScriptedReply[];
  readonly pace?: ScriptedModelOptions;
}

export const TOKEN = 'pat_of-this-test';
const MOUNTED_AT = 'mounted.example';
const BEARER = { authorization: `Bearer ${TOKEN}` };

export async function openCloudFixture({ replies, pace, ...options }: CloudFixtureOptions): Promise<CloudFixture> {
  const folder = await temporaryFolder();
  const model = await startScriptedModel(replies, pace);
  const start = (changes: Partial<ServerOptions> = {}) =>
    createServer({
      store: folder.resolve('state'),
      token: TOKEN,
      workspace: folder.path,
      hosts: [MOUNTED_AT],
      launch: { env: isolatedEnvironment(folder.resolve('home'), model.env) },
      ...options,
      ...changes,
    });
  let server = await start();
  const { url: origin, port } = await server.listen({ port: 0 });
  const url = `${origin}/api/v1/cloud`;
  const request: CloudFixture['request'] = (call, body, headers = BEARER) => {
    const [method = '', path = ''] = call.split(' ');
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    return fetch(url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: sent }),
    });
  };
  const ask: CloudFixture['ask'] = async (call, body) => {
    const response = await request(call, body);
    const answer: unknown = await response.json();
    if (response.status !== 200) throw new Error(`${call}: ${response.status} ${JSON.stringify(answer)}`);
    return Object(answer);
  };
  return {
    url,
    port,
    get server() {
      return server;
    },
    model,
    folder,
    request,
    ask,
    newSession: async (more = {}) =>
      String((await ask('POST /sessions', { incremental_streaming_enabled: true, ...more }))['id']),
    say: async (sessionId, text) => {
      const events = [{ type: 'user.message', content: [{ type: 'text', text }] }];
      const [stored] = dataOf(await ask(`POST /sessions/${sessionId}/events`, { events }));
      if (stored === undefined) throw new Error('nothing was stored');
      return stored;
    },
    follow: async (path, lastEventId) => framesOf(await request(`GET ${path}`, undefined, followHeaders(lastEventId))),
    followInside: async (path, lastEventId) => {
      const headers = { ...followHeaders(lastEventId), host: MOUNTED_AT };
      return framesOf(await server.fetch(new Request(`http://${MOUNTED_AT}/api/v1/cloud${path}`, { headers })));
    },
    restart: async (changes) => {
      await server.close({ graceMs: 0 });
      server = await start(changes);
      await server.listen({ port });
    },
    async [Symbol.asyncDispose]() {
      await server.close({ graceMs: 0 });
      await model[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function followHeaders(lastEventId: string | undefined): Readonly<Record<string, string>> {
  return { ...BEARER, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) };
}

async function framesOf(response: Response): Promise<AsyncGenerator<Frame, void, undefined>> {
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return readFrames(response);
}

/** The items of a list. */
export function dataOf(answer: CloudObject): readonly CloudObject[] {
  const { data } = answer;
  if (!Array.isArray(data)) throw new Error(`no list: ${JSON.stringify(answer)}`);
  return data.map((item: unknown) => Object(item));
}

export const typesIn = (events: readonly CloudObject[]): readonly unknown[] => events.map(({ type }) => type);
