import { mkdir, realpath } from 'node:fs/promises';
import { calls, lastText, resourceBaseline, says, trackChildren, verifies, waitUntilGone } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { eventsUntil, ofType, serveCore, typesOf } from '../served-core.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const idle = ofType('session.status_idle');
const increments = { hasIncrements: true };
const slowly = { replies: [says('word '.repeat(2000)), says('fine')], model: { tokensPerSecond: 50 } };

test('an agent that exits during a turn ends only that turn; the next one has a new agent', async () => {
  verifies('F119', 'GAP-98', 'S78');
  const children = trackChildren();
  await using served = await serveCore(slowly);
  const { sessions } = served;
  const session = await sessions.create(increments);
  await sessions.send(session.id, { content: 'talk' });
  await eventsUntil(sessions, session.id, ofType('agent.content_block_delta'));
  const [pid] = children();
  if (pid === undefined) throw new Error('no agent');
  process.kill(pid, 'SIGKILL');
  const events = await eventsUntil(sessions, session.id, idle);
  expect(typesOf(events).slice(-7)).toEqual([
    'agent.content_block_stop',
    'agent.message_delta',
    'agent.message_stop',
    'agent.message',
    'session.error',
    'turn.ended',
    'session.status_idle',
  ]);
  const error = { code: 'process_exited', message: 'The process exited before it finished.', retryable: true };
  expect(events.at(-2)).toMatchObject({ outcome: 'error', error });

  await sessions.send(session.id, { content: 'again' });
  const next = await eventsUntil(sessions, session.id, idle, events.length);
  expect(next.at(-2)).toMatchObject({ outcome: 'success', result: 'fine' });
});

test('an agent that ignores the interrupt is stopped, and its later output is ignored', async () => {
  verifies('F127');
  const children = trackChildren();
  await using served = await serveCore({ ...slowly, cancelGraceMs: 50 });
  const { sessions } = served;
  const session = await sessions.create(increments);
  const { requestId } = await sessions.send(session.id, { content: 'talk' });
  await eventsUntil(sessions, session.id, ofType('agent.content_block_delta'));
  const [pid] = children();
  if (pid === undefined) throw new Error('no agent');
  process.kill(pid, 'SIGSTOP');
  await sessions.cancel(requestId);
  const events = await eventsUntil(sessions, session.id, idle);
  expect(events.at(-2)).toMatchObject({ outcome: 'cancelled' });
  await waitUntilGone(pid);
});

test('with one slot, an idle agent makes room; a working one is awaited', async () => {
  verifies('GAP-83');
  await using served = await serveCore({ replies: [says('one'), says('two'), says('three')], maxAgents: 1 });
  const { sessions, core } = served;
  const first = await sessions.create(increments);
  const second = await sessions.create(increments);
  await sessions.send(first.id, { content: 'a' });
  await sessions.send(second.id, { content: 'b' });
  const [, ofSecond] = await Promise.all([
    eventsUntil(sessions, first.id, idle),
    eventsUntil(sessions, second.id, idle),
  ]);
  expect(ofSecond.at(-2)).toMatchObject({ outcome: 'success' });
  expect(core.liveAgents()).toBe(1);
});

test('a turn that waits for a slot can be cancelled', async () => {
  verifies('F127');
  await using served = await serveCore({ ...slowly, maxAgents: 1 });
  const { sessions } = served;
  const first = await sessions.create(increments);
  const second = await sessions.create(increments);
  const running = await sessions.send(first.id, { content: 'a' });
  await eventsUntil(sessions, first.id, ofType('agent.content_block_delta'));
  const waiting = await sessions.send(second.id, { content: 'b' });
  await eventsUntil(sessions, second.id, ofType('turn.started'));
  await sessions.cancel(waiting.requestId);
  const events = await eventsUntil(sessions, second.id, idle);
  expect(events.at(-2)).toMatchObject({ outcome: 'cancelled' });
  await sessions.cancel(running.requestId);
  await eventsUntil(sessions, first.id, idle);
});

test('another workspace applies from the next turn, and the conversation stays', async () => {
  verifies('Q-34');
  const reply = calls({ name: 'run_shell_command', input: { command: 'pwd' } });
  await using served = await serveCore({
    replies: [says('one'), reply, (request) => says(lastText(request))],
    approvalMode: 'yolo',
  });
  const { sessions, folder, model } = served;
  const other = folder.resolve('other');
  await mkdir(other);
  const session = await sessions.create(increments);
  await sessions.send(session.id, { content: 'first' });
  const first = await eventsUntil(sessions, session.id, idle);
  const before = await sessions.history(session.id, { limit: 50, offset: 0 });
  expect(await sessions.updateWorkspace(session.id, other)).toMatchObject({ workspaceRoot: other });
  expect(await sessions.history(session.id, { limit: 50, offset: 0 })).toEqual(before);
  await sessions.send(session.id, { content: 'where' });
  const second = await eventsUntil(sessions, session.id, idle, first.length);
  expect(second.at(-2)).toMatchObject({ result: expect.stringContaining(await realpath(other)) });
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('first');
  await expect(sessions.updateWorkspace(session.id, folder.resolve('nowhere'))).rejects.toMatchObject({
    code: 'cwd_missing',
  });
});

test('reports which directories were added and why others were not, and the agent may use them', async () => {
  verifies('Q-37', 'Q-38', 'Q-39', 'Q-40', 'Q-42', 'Q-43', 'Q-46', 'GAP-65');
  await using outside = await serveCore({ replies: [says('unused')] });
  await outside.folder.write('far/note.txt', 'from afar');
  const read = calls({ name: 'read_file', input: { path: outside.folder.resolve('far/note.txt') } });
  await using served = await serveCore({ replies: [read, (request) => says(lastText(request))] });
  const { sessions, folder } = served;
  await mkdir(folder.resolve('near'));
  const session = await sessions.create(increments);
  const asked = [outside.folder.resolve('far'), './near', './nowhere', 'near'];
  expect(await sessions.addDirectories(session.id, asked)).toEqual({
    added: [outside.folder.resolve('far'), './near', 'near'],
    errors: ["Error adding './nowhere': Directory not found"],
  });
  expect(await sessions.directories(session.id)).toEqual([
    folder.path,
    outside.folder.resolve('far'),
    folder.resolve('near'),
  ]);
  await sessions.send(session.id, { content: 'read it' });
  const events = await eventsUntil(sessions, session.id, idle);
  // No approval was needed: it is part of the workspace.
  expect(events.at(-2)).toMatchObject({ result: expect.stringContaining('from afar') });
});

test('a subagent has a separate thread in the list and in the events', async () => {
  verifies('GAP-97');
  const task = calls({
    name: 'task',
    input: { description: 'look', prompt: 'look around', subagent_type: 'general-purpose' },
  });
  await using served = await serveCore({ replies: [task, says('seen from below'), says('done')] });
  const { sessions } = served;
  const session = await sessions.create(increments);
  await sessions.send(session.id, { content: 'delegate' });
  const events = await eventsUntil(sessions, session.id, idle);
  const threads = await sessions.threads(session.id);
  expect(threads).toMatchObject([{ parentToolUseId: null }, { parentToolUseId: 'call_1' }]);
  const below = events.filter(({ session_thread_id: id }) => id === threads[1]?.id);
  expect(typesOf(below)).toContain('agent.message');
  expect(below.every(({ parent_tool_use_id: parent }) => parent === 'call_1')).toBe(true);
  using thread = await sessions.log.attach(session.id, threads[1] === undefined ? {} : { threadId: threads[1].id });
  const items = await thread.take();
  const own = items.flatMap((item) => (item.kind === 'event' ? [item.event.seq] : []));
  expect(own).toEqual(below.map(({ seq }) => seq).slice(0, own.length));
});

test('a session deleted during a turn is removed with everything stored for it', async () => {
  verifies('Q-30', 'F139');
  await using served = await serveCore(slowly);
  const { sessions, core, folder } = served;
  const session = await sessions.create(increments);
  await sessions.send(session.id, { content: 'talk' });
  await eventsUntil(sessions, session.id, ofType('agent.content_block_delta'));
  const conversation = `home/.qwen/sessions/${session.id}.jsonl`;
  expect(await folder.read(conversation)).toContain('talk');
  using follower = await sessions.log.attach(session.id);
  await sessions.delete(session.id);
  let last: unknown;
  for (let items = await follower.take(); items.length > 0; items = await follower.take()) last = items.at(-1);
  expect(last).toMatchObject({ kind: 'end', reason: 'deleted' });
  const gone = { code: 'session_not_found' };
  await expect(sessions.get(session.id)).rejects.toMatchObject(gone);
  await expect(sessions.send(session.id, { content: 'hello?' })).rejects.toMatchObject(gone);
  await expect(sessions.log.read(session.id)).rejects.toMatchObject(gone);
  expect(core.liveAgents()).toBe(0);
  await expect(folder.read(conversation)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('invalid input is refused with the reason', async () => {
  await using served = await serveCore({ replies: [says('unused')] });
  const { sessions, folder } = served;
  await expect(sessions.create({ ...increments, workspaceRoot: folder.resolve('nowhere') })).rejects.toMatchObject({
    code: 'cwd_missing',
  });
  const session = await sessions.create(increments);
  for (const content of ['', ' \n', []]) {
    await expect(sessions.send(session.id, { content })).rejects.toMatchObject({ code: 'invalid_payload' });
  }
  await expect(sessions.send(session.id, { content: 'x', clientKey: 'a b' })).rejects.toMatchObject({
    code: 'invalid_payload',
  });
  expect(await sessions.status(session.id)).toBe('idle');
});
