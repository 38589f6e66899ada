import { verifies } from '@qwen/testkit';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { toChatError } from '../../src/api/http/chat-error.js';
import { errorResponse } from '../../src/http/error-response.js';
import type { SurfaceApp } from '../../src/http/surface.js';
import { openEventLog } from '../../src/log/open-event-log.js';
import { servePageApi } from '../../src/page/page-api.js';
import { ServerClient } from '../../web/src/server/server-client.js';
import { OpenConversation } from '../../web/src/session/open-conversation.js';
import type { PageClock } from '../../web/src/session/page-clock.js';
import { startCuttingProxy } from '../cutting-proxy.js';
import { startServer } from '../http-server.js';

// The part of the page that follows a session, over real HTTP and a real log.

const SESSION = '00000000-0000-4000-8000-000000000001';
const PLACE = { session_thread_id: 'thrd_1', turn_id: 'turn_1', parent_tool_use_id: null, message_id: 'asst_1' };
const WORDS = Array.from({ length: 60 }, (_, index) => `w${index} `);

const impatient: PageClock = {
  nextFrame: (callback) => queueMicrotask(callback),
  pause: async () => undefined,
  hiddenSignal: (_mayRest, signal) => signal,
  untilVisible: async () => undefined,
  random: () => 0,
};

const delta = (text: string) => ({ type: 'agent.content_block_delta', index: 0, delta: { type: 'text_delta', text } });
const start = { type: 'agent.content_block_start', index: 0, content_block: { type: 'text', text: '' } };

async function servedLog() {
  const log = await openEventLog('memory:', { retention: { maxEvents: 1000 } });
  await log.create(SESSION);
  const surface: SurfaceApp = new Hono();
  surface.onError((error) => errorResponse(error, { toBody: toChatError }));
  servePageApi(surface, {
    files: { viewedBy: () => ({ search: async () => [] }) },
    models: { of: async () => ({ models: [], current: '' }) },
    listFolders: async () => ({ path: '/', canUse: false, parent: undefined, folders: [] }),
    commandsOf: async () => ({ list: () => [], complete: async () => [] }),
    sessions: {
      log,
      getChecked: () => Promise.reject(new Error('nobody asks')),
    },
  });
  const server = await startServer((app) => void app.route('/', surface));
  return {
    port: server.port,
    closedConnections: (count: number) => server.closedConnections(count),
    log,
    async append(...bodies: readonly Record<string, unknown>[]) {
      await log.append(
        SESSION,
        bodies.map((body) => ({ type: String(body['type']), data: JSON.stringify({ ...PLACE, ...body }) })),
      );
    },
    async [Symbol.asyncDispose]() {
      await log.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

function openAt(url: string, clock = impatient) {
  const client = new ServerClient(new URL(url), { token: undefined });
  return new OpenConversation({ client, sessionId: SESSION, clock, onUnauthorized: () => undefined });
}

/** Closes it at the end of a test, however that ends. */
function closing(conversation: OpenConversation): Disposable {
  return { [Symbol.dispose]: () => conversation.close() };
}

/** Resolves once the conversation looks like that. */
async function until(conversation: OpenConversation, isSo: () => boolean): Promise<void> {
  const reached = Promise.withResolvers<void>();
  const look = () => isSo() && reached.resolve();
  const unfollow = conversation.follow(look);
  look();
  await reached.promise;
  unfollow();
}

/** The text of the answer, as far as it has come. */
function textOf({ state }: OpenConversation): string {
  return state.conversation.entries
    .flatMap((entry) => (entry.kind === 'answer' ? entry.blocks : []))
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('');
}

test('after a cut at each event, every event is shown once', async () => {
  verifies('F118');
  await using served = await servedLog();
  // The first connection asks for the past. Then each one lives for one event.
  await using proxy = await startCuttingProxy(served.port, (answer) => {
    const text = answer.toString();
    if (!text.includes('text/event-stream')) return undefined;
    const end = text.indexOf('\n\n', text.indexOf('event: agent.'));
    return text.includes('event: agent.') && end !== -1 ? end + 2 : undefined;
  });
  const conversation = openAt(proxy.url);
  using _closing = closing(conversation);
  await until(conversation, () => conversation.state.phase === 'live');
  for (const [index, body] of [start, ...WORDS.map(delta)].entries()) {
    await served.append(body);
    await until(
      conversation,
      () =>
        textOf(conversation) === WORDS.slice(0, index).join('') &&
        (index > 0 || conversation.state.conversation.entries.length > 0),
    );
  }
  expect(textOf(conversation)).toBe(WORDS.join(''));
  // What came while nothing was connected is read as the past, without a stream to cut.
  expect(proxy.connections).toBeGreaterThan(WORDS.length / 3);
});

test('events that the server no longer keeps are reported', async () => {
  verifies('F120');
  await using served = await servedLog();
  for (let index = 0; index < 12; index += 1) {
    await served.append(...Array.from({ length: 100 }, () => ({ type: 'warning', message: `number ${index}` })));
  }
  await served.log.evict(SESSION);
  const conversation = openAt(`http://127.0.0.1:${served.port}`);
  using _closing = closing(conversation);
  await until(conversation, () => conversation.state.phase === 'live');
  const [first, second] = conversation.state.conversation.entries;
  expect(first).toMatchObject({ level: 'warning', text: 'Older events were removed.' });
  expect(second).toMatchObject({ text: 'number 2' });
});

test('deleting a session ends it permanently', async () => {
  verifies('F139');
  await using served = await servedLog();
  const conversation = openAt(`http://127.0.0.1:${served.port}`);
  using _closing = closing(conversation);
  await until(conversation, () => conversation.state.phase === 'live');
  await served.log.delete(SESSION);
  await until(conversation, () => conversation.state.phase === 'over');
  expect(conversation.state.problem).toMatch(/session/);
});

test('events after it is closed change nothing', async () => {
  await using served = await servedLog();
  const conversation = openAt(`http://127.0.0.1:${served.port}`);
  using _closing = closing(conversation);
  await until(conversation, () => conversation.state.phase === 'live');
  conversation.close();
  const before = conversation.state;
  await served.append(start);
  expect(conversation.state).toBe(before);
});

test('a hidden page closes its connection and misses nothing when it is shown again', async () => {
  await using served = await servedLog();
  const nobody = new AbortController();
  const seen = Promise.withResolvers<void>();
  let times = 0;
  const conversation = openAt(`http://127.0.0.1:${served.port}`, {
    ...impatient,
    hiddenSignal: (_mayRest, signal) => {
      times += 1;
      return times === 1 ? AbortSignal.any([nobody.signal, signal]) : signal;
    },
    untilVisible: () => seen.promise,
  });
  using _closing = closing(conversation);
  await until(conversation, () => conversation.state.phase === 'live');
  await served.append(start, delta('before '));
  await until(conversation, () => textOf(conversation) === 'before ');
  nobody.abort();
  await served.closedConnections(1);
  await served.append(delta('after'));
  expect(textOf(conversation)).toBe('before ');
  seen.resolve();
  await until(conversation, () => textOf(conversation) === 'before after');
});
