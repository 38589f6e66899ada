import { realpathSync } from 'node:fs';
import { type ChatEvent, type ChatPath, chatEventSchema } from '@qwen/protocol/server';
import { createChatApi } from '../src/api/chat-surface.js';
import { ShareLinks } from '../src/guard/share-links.js';
import { startServer, type TestServer } from './http-server.js';
import { type ServedCore, type ServedCoreOptions, serveCore } from './served-core.js';

/** The chat API over real HTTP, with real agents and a scripted model. Close it with `await using`. */
export interface ChatFixture extends AsyncDisposable {
  readonly served: ServedCore;
  readonly url: string;
  readonly workspace: string;
  /** Sends a body; a text goes as it is. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Sends a body and reads the answer, which has to go well. */
  ask(path: ChatPath, body: unknown): Promise<Record<string, unknown>>;
  /** A new session in the workspace. */
  newSession(more?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Sends a message and reads all events of its stream. */
  chat(body: unknown): Promise<readonly ChatEvent[]>;
}

export async function openChatFixture(options: ServedCoreOptions): Promise<ChatFixture> {
  const served = await serveCore(options);
  const workspace = realpathSync(served.folder.path);
  const server: TestServer = await startServer((app) => {
    app.route(
      '/',
      createChatApi({
        sessions: served.sessions,
        links: new ShareLinks({ token: 'a-token-of-this-test', findSession: (id) => served.sessions.get(id) }),
        userFolder: served.folder.resolve('home', '.qwen', 'commands'),
        stream: { heartbeatMs: 50 },
      }),
    );
  });
  const post: ChatFixture['post'] = (path, body, headers = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const ask: ChatFixture['ask'] = async (path, body) => {
    const response = await post(path, body);
    const answer: unknown = await response.json();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    return Object(answer);
  };
  return {
    served,
    url: server.url,
    workspace,
    post,
    ask,
    newSession: async (more = {}) =>
      String((await ask('/api/session', { workspaceRoot: workspace, ...more }))['sessionId']),
    chat: async (body) => allOf(readEvents(await post('/api/chat/stream', body))),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await served[Symbol.asyncDispose]();
    },
  };
}

/** The events of a chat stream as they come, by the one rule that the document's client has: lines with `data: `. */
export async function* readEvents(response: Response): AsyncGenerator<ChatEvent, void, undefined> {
  if (response.body === null) return;
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) yield chatEventSchema.parse(JSON.parse(line.slice(6)));
  }
}

/** What is left of a stream. */
export async function allOf(events: AsyncGenerator<ChatEvent, void, undefined>): Promise<readonly ChatEvent[]> {
  const all: ChatEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Reads up to the first event of this type and returns it. */
export async function nextOf<Type extends ChatEvent['type']>(
  events: AsyncGenerator<ChatEvent, void, undefined>,
  type: Type,
): Promise<Extract<ChatEvent, { type: Type }>> {
  for (;;) {
    const { value, done } = await events.next();
    if (done === true) throw new Error(`the stream ended before ${type}`);
    if (isOf(value, type)) return value;
  }
}

function isOf<Type extends ChatEvent['type']>(
  event: ChatEvent,
  type: Type,
): event is Extract<ChatEvent, { type: Type }> {
  return event.type === type;
}

/** The text of the answer. */
export function contentOf(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.type === 'Content' ? event.value : '')).join('');
}

export const typesOf = (events: readonly ChatEvent[]): readonly string[] => events.map(({ type }) => type);
