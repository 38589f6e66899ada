import { FileIndex } from '@qwen/commands/node';
import { PAGE_API } from '@qwen/protocol/server';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { startServer } from '../../test/http-server.js';
import { toChatError } from '../api/http/chat-error.js';
import { WorkspaceFolders } from '../core/workspace-folders.js';
import { errorResponse } from '../http/error-response.js';
import type { SurfaceApp } from '../http/surface.js';
import { openEventLog } from '../log/open-event-log.js';
import { servePageApi } from './page-api.js';

const SESSION = '00000000-0000-4000-8000-000000000001';
const PLACE = { session_thread_id: 'thrd_1', turn_id: 'turn_1', parent_tool_use_id: null };

/** The API over a log in memory and a folder with one file. */
async function servedApi() {
  const folder = await temporaryFolder();
  await folder.write('src/answer.ts', '');
  const log = await openEventLog('memory:');
  await log.create(SESSION);
  const files = new FileIndex();
  const surface: SurfaceApp = new Hono();
  surface.onError((error) => errorResponse(error, { toBody: toChatError }));
  servePageApi(surface, {
    files,
    models: { of: async () => ({ models: [{ id: 'a' }], current: 'a' }) },
    listFolders: (path = folder.path) => new WorkspaceFolders().list(path, folder.path),
    commandsOf: async () => ({
      list: () => [{ name: 'review', description: 'Looks closely', completes: false }],
      complete: async () => [],
    }),
    sessions: {
      log,
      getChecked: async (id) => ({
        id,
        createdAt: 0,
        lastActivityAt: 0,
        workspaceRoot: folder.path,
        directories: [],
        approvalMode: 'default',
        hasIncrements: true,
        metadata: {},
        details: {},
        isResumable: false,
      }),
    },
  });
  const server = await startServer((app) => void app.route('/', surface));
  return {
    log,
    url: server.url,
    post: (path: string, body: unknown) =>
      fetch(server.url + path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
    async append(...bodies: readonly Record<string, unknown>[]) {
      await log.append(
        SESSION,
        bodies.map((body) => ({ type: String(body['type']), data: JSON.stringify({ ...PLACE, ...body }) })),
      );
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await files.close();
      await log.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const delta = (message_id: string, text: string) => ({
  type: 'agent.content_block_delta',
  message_id,
  index: 0,
  delta: { type: 'text_delta', text },
});
const whole = (message_id: string, text: string) => ({
  type: 'agent.message',
  message_id,
  model: 'm',
  content: [{ type: 'text', text }],
  stop_reason: null,
});

test('a page omits only the increments of answers that it contains completely', async () => {
  await using api = await servedApi();
  await api.append(delta('asst_1', 'a'), delta('asst_1', 'b'), whole('asst_1', 'ab'), delta('asst_2', 'c'));
  const response = await api.post('/api/chat/events', { sessionId: SESSION });
  const page = PAGE_API['/api/chat/events'].response.parse(await response.json());
  expect(page.events.map(({ seq, type }) => [seq, type])).toEqual([
    [3, 'agent.message'],
    [4, 'agent.content_block_delta'],
  ]);
  expect(page).toMatchObject({ throughSeq: 4, firstSeq: 1, lastSeq: 4 });
});

test('a page that ends within an answer keeps its increments', async () => {
  await using api = await servedApi();
  await api.append(delta('asst_1', 'a'), delta('asst_1', 'b'), whole('asst_1', 'ab'));
  const ask = async (body: object) =>
    PAGE_API['/api/chat/events'].response.parse(
      await (await api.post('/api/chat/events', { sessionId: SESSION, ...body })).json(),
    );
  const first = await ask({ limit: 2 });
  expect(first.events.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(first).toMatchObject({ throughSeq: 2, lastSeq: 3 });
  const second = await ask({ afterSeq: first.throughSeq });
  expect(second.events.map(({ seq }) => seq)).toEqual([3]);
});

test('hints are commands after a slash and files after an at sign', async () => {
  await using api = await servedApi();
  const ask = async (trigger: string, text: string) =>
    (await api.post('/api/hints', { sessionId: SESSION, trigger, text, cursor: text.length })).json();
  expect(await ask('slash', '/rev')).toEqual({
    suggestions: [{ label: 'review', value: 'review', description: 'Looks closely' }],
    isPerfectMatch: false,
  });
  expect(await ask('at', 'see @answ')).toEqual({
    suggestions: [{ label: 'src/answer.ts', value: 'src/answer.ts' }],
    isPerfectMatch: false,
  });
});

test('an invalid request is described, in the form of the chat API', async () => {
  verifies('Q-08', 'Q-10', 'GAP-62');
  await using api = await servedApi();
  const problem = async (path: string, body: unknown) => {
    const response = await api.post(path, body);
    return { status: response.status, ...Object(await response.json()) };
  };
  expect(await problem('/api/chat/events', '{')).toMatchObject({ status: 400, code: 'invalid_json' });
  expect(await problem('/api/hints', { sessionId: SESSION })).toMatchObject({
    status: 400,
    message: expect.stringContaining('body.trigger'),
  });
  expect(await problem('/api/chat/follow', { sessionId: 'nobody' })).toMatchObject({
    status: 404,
    error: 'Session not found',
  });
  expect(await problem('/api/chat/follow', { sessionId: SESSION, afterSeq: 7 })).toMatchObject({
    status: 400,
    code: 'invalid_cursor',
  });
  expect((await fetch(`${api.url}/api/hints`)).status).toBe(405);
});

test('folders are listed to choose a workspace, without hidden ones', async () => {
  await using api = await servedApi();
  const folders = async (path?: string) => (await api.post('/api/folders', { path })).json();
  const top: unknown = await folders();
  expect(top).toMatchObject({ canUse: true, folders: ['src'] });
  const { path } = Object(top);
  expect(await folders(`${path}/src`)).toMatchObject({ parent: path, folders: [] });
  expect(await folders(`${path}/.git`)).toMatchObject({ code: 'cwd_missing' });
  expect(await folders('/root/.ssh')).toMatchObject({ code: 'cwd_missing' });
});
