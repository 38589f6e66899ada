import { once } from 'node:events';
import { request } from 'node:http';
import { calls, isolatedEnvironment, says, startScriptedModel, temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createServer } from '../src/app/create-server.js';
import { createLogger } from '../src/logging/server-logger.js';
import { eventsUntil, ofType } from './served-core.js';

const token = 'a-token-of-at-least-16-characters';

const runsCommand = calls({ name: 'run_shell_command', input: { command: 'touch hush-file' } });

test('turns, approvals and requests are counted and logged without their texts', async () => {
  await using folder = await temporaryFolder();
  await using model = await startScriptedModel([runsCommand, says('a secret answer')]);
  const lines: string[] = [];
  const logger = await createLogger({ format: 'json', write: (line) => lines.push(line) });
  await using server = await createServer({
    store: folder.resolve('state'),
    token,
    workspace: folder.path,
    launch: { env: isolatedEnvironment(folder.resolve('home'), model.env) },
    logger,
    metrics: true,
  });
  const { url } = await server.listen({ port: 0 });
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    'x-request-id': 'req-of-a-client',
  };
  const post = (path: string, body: object) =>
    fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const { sessions } = server.core;
  const { id } = await sessions.create({ hasIncrements: true });
  const sent = await post(`/api/v1/cloud/sessions/sess_${id.replaceAll('-', '')}/events?token=in-the-query`, {
    events: [{ type: 'user.message', content: [{ type: 'text', text: 'a secret prompt' }] }],
  });
  expect([sent.status, sent.headers.get('x-request-id')]).toEqual([200, 'req-of-a-client']);
  const asked = (await eventsUntil(sessions, id, ofType('approval.requested'))).at(-1);
  const waiting = await (await fetch(`${url}/metrics`)).text();
  expect(waiting).toContain('qwen_approvals_waiting 1');
  expect(waiting).toContain('qwen_turns_active 1');
  if (asked?.type !== 'approval.requested') throw new Error('not asked');
  await sessions.approve({ sessionId: id, approvalId: asked.approval_id }, { behavior: 'deny' });
  await eventsUntil(sessions, id, ofType('session.status_idle'));
  await post('/nothing/here', {});

  const answer = await fetch(`${url}/metrics`);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  const text = await answer.text();
  for (const line of [
    'qwen_turns_total{outcome="success"} 1',
    'qwen_turns_active 0',
    'qwen_turn_seconds_count{outcome="success"} 1',
    'qwen_model_first_answer_seconds_count 1',
    'qwen_approvals_waiting 0',
    'qwen_approvals_total{behavior="deny",by="client"} 1',
    'qwen_queue_age_seconds 0',
    'qwen_sessions 1',
    'qwen_agents 1',
    'qwen_event_readers 0',
    'route="/api/v1/cloud/sessions/:session_id/events",status="200"} 1',
    'route="unknown",status="404"} 1',
    'process_cpu_seconds_total',
  ]) {
    expect(text).toContain(line);
  }
  expect(text).toMatch(/qwen_model_tokens_total\{model="[^"]+",kind="output"\} [1-9]/);
  for (const secret of [id, token, 'secret', 'hush-file']) expect(text).not.toContain(secret);

  const log = lines.map((line): Record<string, unknown> => Object(JSON.parse(line)));
  const session = { session_id: id };
  expect(log.find(({ msg }) => msg === 'message accepted')).toMatchObject({
    ...session,
    http_request_id: 'req-of-a-client',
    turn_id: expect.any(String),
  });
  expect(log.find(({ msg }) => msg === 'approval settled')).toMatchObject({
    ...session,
    behavior: 'deny',
    by: 'client',
  });
  expect(log.find(({ msg }) => msg === 'turn ended')).toMatchObject({ ...session, outcome: 'success', level: 'info' });
  expect(log.find(({ msg, method }) => msg === 'request' && method === 'POST')).toMatchObject({
    http_request_id: 'req-of-a-client',
    path: expect.stringMatching(/events$/),
    status: 200,
  });
  for (const secret of ['secret', token, 'in-the-query', 'hush-file']) expect(lines.join('\n')).not.toContain(secret);
});

test('a separate port serves only metrics, and not to web pages', async () => {
  await using server = await createServer({
    store: 'memory:',
    token,
    requireAuth: true,
    metrics: true,
    hosts: ['metrics.test'],
  });
  const { url } = await server.listenMetrics({ port: 0 });
  expect((await fetch(`${url}/metrics`)).status).toBe(200);
  expect((await fetch(`${url}/api/sessions/list`, { method: 'POST' })).status).toBe(404);
  expect((await fetch(`${url}/metrics`, { headers: { origin: 'https://evil.test' } })).status).toBe(403);
  const forHost = async (...hosts: string[]) => {
    const headers = hosts.flatMap((host) => ['host', host]);
    const [{ statusCode }] = await once(request(`${url}/metrics`, { headers, setHost: false }).end(), 'response');
    return statusCode;
  };
  for (const host of ['127.0.0.1', '10.0.0.7:9464', '[::1]:9464', 'LOCALHOST:1', 'metrics.test:9464']) {
    expect(await forHost(host), host).toBe(200);
  }
  for (const host of ['evil.test', 'evil.test:9464', '127.0.0.1.evil.test']) {
    expect(await forHost(host), host).toBe(403);
  }
  for (const invalid of ['', 'localhost@evil.test']) expect(await forHost(invalid), invalid).toBe(400);
  expect(await forHost('localhost', 'evil.test')).not.toBe(200);
  const main = await server.listen({ port: 0 });
  expect((await fetch(`${main.url}/metrics`)).status).toBe(401);
  await using without = await createServer({ store: 'memory:', token });
  await expect(without.listenMetrics({ port: 0 })).rejects.toMatchObject({ code: 'usage' });
});

test.each(['json', 'text'] as const)('a log in %s hides secrets and forges no line', async (format) => {
  const lines: string[] = [];
  const logger = await createLogger({ format, level: 'info', write: (line) => lines.push(line) });
  logger.debug({}, 'left out');
  logger.warn(
    { token: 'hush', note: 'redis://user:hush@host/0\nforged' },
    'Authorization: Bearer hush ?ticket=hush sk-hush-hush-hush',
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('hush');
  expect(lines[0]).not.toContain('\n');
  expect(lines[0]).toContain('warn');
});
