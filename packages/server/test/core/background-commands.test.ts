import { calls, hasRedisServer, RedisServer, resourceBaseline, says } from '@qwen/testkit';
import { afterAll, expect, test, vi } from 'vitest';
import { openChatFixture } from '../chat-fixture.js';
import { eventsUntil, ofType, serveCore } from '../served-core.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const idle = ofType('session.status_idle');
const command = 'echo ready; while [ ! -e go ]; do sleep 0.05; done; exit 3';
const replies = [calls({ name: 'run_shell_command', input: { command, is_background: true } }), says('started')];

test('an agent with a background command outlives its idle time; clients list, read and stop the command', async () => {
  await using fixture = await openChatFixture({ replies, approvalMode: 'yolo', idleMs: 1 });
  const { served, workspace } = fixture;
  const sessionId = await fixture.newSession();
  const list = async () => Object(await fixture.ask('/api/tasks/list', { sessionId }))['tasks'];
  expect(await list()).toEqual([]);
  await fixture.chat({ sessionId, message: 'start it' });
  await vi.waitFor(async () => expect(await list()).toMatchObject([{ status: 'running', outputBytes: 6 }]));
  const [task] = await list();
  expect(task).toEqual({
    taskId: expect.any(String),
    callId: expect.any(String),
    command,
    status: 'running',
    durationMs: expect.any(Number),
    outputBytes: 6,
  });
  expect(JSON.stringify(task)).not.toContain(workspace);
  const { taskId } = task;
  expect(await fixture.ask('/api/tasks/output', { sessionId, taskId })).toEqual({ taskId, output: 'ready\n' });
  expect(await fixture.ask('/api/tasks/stop', { sessionId, taskId })).toEqual({ success: true, taskId });
  // Nothing is left that keeps the agent.
  await vi.waitFor(() => expect(served.core.liveAgents()).toBe(0), { timeout: 10_000 });
  expect(await list()).toEqual([]);
  const gone = await fixture.post('/api/tasks/output', { sessionId, taskId });
  expect([gone.status, await gone.json()]).toMatchObject([404, { code: 'task_not_found' }]);
  const unknown = await fixture.post('/api/tasks/list', { sessionId: '550e8400-e29b-41d4-a716-446655440000' });
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { code: 'session_not_found' }]);
});

test('with one slot, an idle agent makes room and ends its background command', async () => {
  const more = [...replies, says('fine')];
  await using served = await serveCore({ replies: more, approvalMode: 'yolo', maxAgents: 1 });
  const { sessions } = served;
  const first = await sessions.create({ hasIncrements: false });
  await sessions.send(first.id, { content: 'start it' });
  await eventsUntil(sessions, first.id, idle);
  expect(await sessions.tasks(first.id)).toMatchObject([{ status: 'running' }]);
  const second = await sessions.create({ hasIncrements: false });
  await sessions.send(second.id, { content: 'hello' });
  await eventsUntil(sessions, second.id, idle);
  expect(await sessions.tasks(first.id)).toEqual([]);
});

test.runIf(hasRedisServer)("a front end reads and stops a worker's background command", async () => {
  await using redis = await RedisServer.start();
  const at = { place: redis.url, approvalMode: 'yolo' } as const;
  await using front = await serveCore({ ...at, role: 'front', replies: [] });
  await using _worker = await serveCore({ ...at, role: 'worker', replies });
  const { id } = await front.sessions.create({ hasIncrements: false });
  await front.sessions.send(id, { content: 'start it' });
  await eventsUntil(front.sessions, id, idle);
  await vi.waitFor(async () => expect(await front.sessions.tasks(id)).toMatchObject([{ output_bytes: 6 }]));
  const [task] = await front.sessions.tasks(id);
  const taskId = task?.task_id ?? '';
  expect(await front.sessions.taskOutput(id, taskId)).toBe('ready\n');
  await front.sessions.stopTask(id, taskId);
  expect(await front.sessions.tasks(id)).toMatchObject([{ status: 'stopped' }]);
  await expect(front.sessions.stopTask(id, 'task_9')).rejects.toMatchObject({ code: 'task_not_found' });
});
