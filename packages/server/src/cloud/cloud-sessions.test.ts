import { resourceBaseline, says, verifies } from '@qwen/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { dataOf, openCloudFixture, TOKEN } from '../../test/cloud-fixture.js';
import { framesUntil } from '../../test/event-frames.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const replies = [says('hello')];
const NOBODY = `sess_${'0'.repeat(32)}`;

describe('sessions', () => {
  test("are created with the client's values and returned with them", async () => {
    verifies('R-16', 'R-17', 'R-12', 'GAP-88', 'GAP-89');
    await using fixture = await openCloudFixture({ replies });
    const created = await fixture.ask('POST /sessions', {
      agent: { id: 'agent_x', type: 'agent', version: 3 },
      environment_id: 'env_x',
      title: 'a title',
      incremental_streaming_enabled: true,
      metadata: { mine: [1] },
      something_newer: true,
    });
    expect(created).toEqual({
      type: 'session',
      id: expect.stringMatching(/^sess_/),
      status: 'idle',
      incremental_streaming_enabled: true,
      agent: { id: 'agent_x', type: 'agent', version: 3 },
      environment_id: 'env_x',
      title: 'a title',
      metadata: { mine: [1] },
      workspace_root: fixture.folder.path,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: created['created_at'],
    });
    expect(await fixture.ask(`GET /sessions/${String(created['id'])}`)).toEqual(created);
    expect(await fixture.ask('POST /sessions', { agent: 'agent_y' })).toMatchObject({
      agent: { id: 'agent_y', version: 1 },
    });
    expect(await fixture.ask('POST /sessions', {})).toMatchObject({
      agent: { id: 'default', type: 'agent', version: 1 },
      environment_id: 'default',
      title: null,
    });
  });

  test('report whether a turn runs', async () => {
    verifies('GAP-87');
    await using fixture = await openCloudFixture({
      replies: [says('word '.repeat(3000))],
      pace: { tokensPerSecond: 50 },
    });
    const id = await fixture.newSession();
    const stream = await fixture.follow(`/sessions/${id}/events/stream`);
    await fixture.say(id, 'talk');
    await framesUntil(stream, 'session.status_running');
    expect(await fixture.ask(`GET /sessions/${id}`)).toMatchObject({ status: 'processing' });
    await fixture.ask(`POST /sessions/${id}/events`, { events: [{ type: 'user.interrupt' }] });
    await framesUntil(stream, 'session.status_idle');
    await stream.return();
    expect(await fixture.ask(`GET /sessions/${id}`)).toMatchObject({ status: 'idle' });
  });

  test('are listed newest first, page by page, and are the same as those of the chat API', async () => {
    verifies('GAP-100', 'GAP-84');
    await using fixture = await openCloudFixture({ replies });
    const ids = [await fixture.newSession(), await fixture.newSession(), await fixture.newSession()].toReversed();
    const first = await fixture.ask('GET /sessions?limit=2');
    expect(dataOf(first).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first).toMatchObject({ first_id: ids[0], last_id: ids[1], has_more: true });
    const rest = await fixture.ask(`GET /sessions?limit=2&after_id=${ids[1]}`);
    expect(rest).toMatchObject({ data: [{ id: ids[2] }], has_more: false });

    const chat = await fetch(`http://127.0.0.1:${fixture.port}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    const { sessionId } = Object(await chat.json());
    const shown = `sess_${String(sessionId).replaceAll('-', '')}`;
    expect(await fixture.ask(`GET /sessions/${shown}`)).toMatchObject({ id: shown, agent: { id: 'default' } });
  });

  test('are deleted: followers are notified, and reconnecting finds nothing', async () => {
    verifies('F139');
    await using fixture = await openCloudFixture({ replies });
    const id = await fixture.newSession();
    const stream = await fixture.follow(`/sessions/${id}/events/stream`);
    expect(await fixture.ask(`DELETE /sessions/${id}`)).toEqual({ type: 'session_deleted', id });
    const last = (await framesUntil(stream, 'session_deleted')).at(-1);
    expect(last).toMatchObject({ id: '', data: { type: 'session_deleted' } });
    expect(await stream.next()).toMatchObject({ done: true });
    for (const call of [`GET /sessions/${id}`, `GET /sessions/${id}/events/stream`, `DELETE /sessions/${id}`]) {
      expect((await fixture.request(call)).status).toBe(404);
    }
  });
});

describe('failures', () => {
  test('have the form of the public API at every layer', async () => {
    verifies('GAP-86', 'CF-59', 'R-12', 'S57');
    await using fixture = await openCloudFixture({ replies });
    const id = await fixture.newSession();
    const failure = async (call: string, body?: unknown, headers?: Readonly<Record<string, string>>) => {
      const response = await fixture.request(call, body, headers);
      const { type, error } = Object(await response.json());
      expect(type).toBe('error');
      expect(error.message).toEqual(expect.any(String));
      return `${response.status} ${error.type} ${error.code}`;
    };
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: TOKEN }]) {
      expect(await failure('GET /sessions', undefined, headers)).toBe('401 authentication_error unauthorized');
      expect(await failure(`GET /sessions/${id}/events/stream`, undefined, headers)).toContain('401 ');
      expect(await failure('POST /sessions', {}, headers)).toContain('401 ');
      expect(await failure('GET /nothing', undefined, headers)).toContain('401 ');
    }
    const bearer = { authorization: `Bearer ${TOKEN}` };
    expect(await failure('GET /sessions', undefined, { ...bearer, origin: 'https://evil.example' })).toBe(
      '403 permission_error origin_refused',
    );
    expect(await failure(`GET /sessions/${NOBODY}`)).toBe('404 not_found_error session_not_found');
    expect(await failure('GET /sessions/..%2f..%2fetc/events')).toBe('404 not_found_error session_not_found');
    expect(await failure(`GET /sessions/${id}/threads/thrd_0/events`)).toBe('404 not_found_error thread_not_found');
    expect(await failure(`GET /sessions/${id}/threads/thrd_0/stream`)).toBe('404 not_found_error thread_not_found');
    expect(await failure(`POST /sessions/${id}/approvals/appr_0`, { behavior: 'allow' })).toBe(
      '404 not_found_error approval_not_found',
    );
    expect(await failure('GET /nothing')).toBe('404 not_found_error unknown_route');
    expect(await failure('PUT /sessions', {})).toBe('405 invalid_request_error method_not_allowed');
    expect(await failure('POST /sessions', '{')).toBe('400 invalid_request_error invalid_json');
    expect(await failure('POST /sessions', { workspace_root: '/nowhere/at/all' })).toContain('400 ');
  });

  test('report the invalid member', async () => {
    verifies('GAP-90', 'GAP-85', 'GAP-84', 'F121');
    await using fixture = await openCloudFixture({ replies });
    const id = await fixture.newSession();
    const messageOf = async (call: string, body?: unknown) => {
      const response = await fixture.request(call, body);
      expect(response.status).toBe(400);
      return String(Object(await response.json()).error.message);
    };
    for (const flag of ['true', 1, null]) {
      expect(await messageOf('POST /sessions', { incremental_streaming_enabled: flag })).toContain(
        'incremental_streaming_enabled',
      );
    }
    const put = (...events: readonly unknown[]) => messageOf(`POST /sessions/${id}/events`, { events });
    expect(await put({ type: 'user.message', content: 'fine' }, { type: 'user.dance' })).toContain('events.1.type');
    expect(await put({ type: 'user.message', content: [{ type: 'tool_use' }] })).toContain('events.0.content.0.type');
    expect(await put({ type: 'user.message', content: '  ' })).toContain('empty');
    expect(await put()).toContain('events');
    const read = (query: string) => messageOf(`GET /sessions/${id}/events?${query}`);
    for (const limit of ['0', '1001', '-1', 'x', '1e2', '']) expect(await read(`limit=${limit}`)).toContain('limit');
    for (const place of ['evt_0000000000000099', 'evt_1', 'x', '-1']) {
      expect(await read(`after_id=${place}`)).not.toContain(place);
      expect(await read(`before_id=${place}`)).not.toContain(place);
    }
    expect(await read('after_id=0&before_id=1')).toContain('one of after_id and before_id');
    // Nothing of it has become a turn.
    expect(dataOf(await fixture.ask(`GET /sessions/${id}/events`))).toEqual([]);
  });
});
