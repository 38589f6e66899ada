import { calls, lastText, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { allOf, contentOf, nextOf, openChatFixture, readEvents, typesOf } from '../chat-fixture.js';
import { eventsUntil, ofType } from '../served-core.js';

test('a message creates its session, and the stream contains the turn from connected to stream_end', async () => {
  verifies('Q-50', 'Q-53', 'Q-55', 'Q-56', 'Q-57', 'Q-58', 'Q-61', 'Q-05', 'Q-13', 'CF-61', 'F137', 'GAP-66');
  await using fixture = await openChatFixture({ replies: [says('你好，我是一个助手。')] });
  const response = await fixture.post('/api/chat/stream', {
    message: '你好，你是谁？',
    workspaceRoot: fixture.workspace,
  });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(response.headers.get('cache-control')).toContain('no-transform');
  expect(response.headers.get('x-accel-buffering')).toBe('no');
  const events = await allOf(readEvents(response));
  const [connected] = events;
  expect(connected).toEqual({
    type: 'connected',
    requestId: expect.stringMatching(/^req_\d+_[\da-z]+$/),
    sessionId: expect.stringMatching(/^[\da-f]{8}-/),
    timestamp: expect.any(Number),
  });
  expect(contentOf(events)).toBe('你好，我是一个助手。');
  expect(events.at(-1)).toMatchObject({ type: 'stream_end', usage: { input_tokens: expect.any(Number) } });
  for (const { timestamp } of events) expect(Math.abs(Date.now() - timestamp)).toBeLessThan(60_000);
  expect(lastText(fixture.served.model.requests[0] ?? { messages: [], model: '' })).toBe('你好，你是谁？');
});

test('a named session is used, with its settings', async () => {
  verifies('Q-52', 'Q-51', 'Q-69', 'Q-70', 'Q-71', 'Q-72', 'Q-28', 'GAP-74');
  await using fixture = await openChatFixture({ replies: [says('one'), says('two')] });
  const sessionId = await fixture.newSession();
  const first = await fixture.chat({ sessionId, message: 'first', workspaceRoot: '/nowhere', model: 'other' });
  expect(first[0]).toMatchObject({ type: 'connected', sessionId });
  await fixture.chat({ sessionId, message: 'second' });
  expect(fixture.served.model.requests.map(({ model }) => model)).toEqual(['scripted', 'scripted']);
  expect(JSON.stringify(fixture.served.model.requests[1]?.messages)).toContain('first');

  expect(await fixture.ask('/api/chat/history', { sessionId })).toEqual({
    history: [
      { id: 1, type: 'user', content: 'first', timestamp: expect.any(Number) },
      { id: 2, type: 'assistant', content: 'one', timestamp: expect.any(Number) },
      { id: 3, type: 'user', content: 'second', timestamp: expect.any(Number) },
      { id: 4, type: 'assistant', content: 'two', timestamp: expect.any(Number) },
    ],
    total: 4,
    limit: 50,
    offset: 0,
  });
  expect(await fixture.ask('/api/chat/history', { sessionId, limit: 2, offset: 1 })).toMatchObject({
    history: [{ id: 2 }, { id: 3 }],
    total: 4,
    limit: 2,
    offset: 1,
  });
  expect(await fixture.ask('/api/session/get', { sessionId })).toMatchObject({ messageCount: 4 });
});

test('a message is sent once, with its attachments, which a command cannot have', async () => {
  await using fixture = await openChatFixture({ replies: [says('I see them.')] });
  const sessionId = await fixture.newSession();
  const attachments = [
    { type: 'text', name: 'notes.md', text: 'Remember this.' },
    { type: 'image', mediaType: 'image/png', data: 'UElYRUw=' },
  ];
  const send = async (message: string, key = 'one') =>
    fixture.post('/api/chat/send', { sessionId, message, attachments }, { 'idempotency-key': key });
  const sent = await (await send('look')).json();
  expect(sent).toEqual({ success: true, sessionId, requestId: expect.any(String) });
  expect(await (await send('look')).json()).toEqual(sent);
  await eventsUntil(fixture.served.sessions, sessionId, ofType('session.status_idle'));
  expect(fixture.served.model.requests).toHaveLength(1);
  const messages = JSON.stringify(fixture.served.model.requests[0]?.messages);
  expect(messages).toMatch(/look.*notes\.md.*Remember this\..*UElYRUw=/);
  for (const message of ['/help', ' ?']) expect([message, (await send(message, 'two')).status]).toEqual([message, 400]);
});

test('an unknown session ID creates a new session', async () => {
  verifies('Q-53', 'S74');
  await using fixture = await openChatFixture({ replies: [says('hello')] });
  const [connected] = await fixture.chat({ sessionId: 'xxx', message: 'hi', workspaceRoot: fixture.workspace });
  expect(connected).toMatchObject({ type: 'connected', sessionId: expect.not.stringMatching('xxx') });
  const listed = await fixture.ask('/api/sessions/list', {});
  expect(listed['total']).toBe(1);
});

test('an invalid message is refused before the stream opens', async () => {
  verifies('Q-54', 'Q-10', 'S76', 'GAP-66');
  await using fixture = await openChatFixture({ replies: [says('never')] });
  for (const [body, message] of [
    [{}, 'body.message: expected string'],
    [{ message: '' }, 'body.message: expected at least 1'],
    [{ message: ['hi'] }, 'body.message: expected string'],
    [{ message: '  \n' }, 'The message is empty.'],
    [{ message: 'hi', sessionId: { $ne: 1 } }, 'body.sessionId: expected string'],
    [{ message: 'hi', workspaceRoot: '/not/there' }, 'The workspace /not/there does not exist or is not a folder.'],
  ] as const) {
    const response = await fixture.post('/api/chat/stream', body);
    expect([body, response.status]).toEqual([body, 400]);
    expect(await response.json()).toMatchObject({ error: 'Invalid request', message });
  }
  expect(await fixture.ask('/api/sessions/list', {})).toEqual({ sessions: [], total: 0 });
});

test('tool calls, their results and thoughts are events of the stream', async () => {
  verifies('Q-59', 'Q-60', 'GAP-70', 'CF-57');
  await using fixture = await openChatFixture({
    replies: [
      {
        reasoning: '**Looking**\nThe file will tell.',
        toolCalls: [{ name: 'read_file', arguments: '{"file_path":"a.txt"}', id: 'call_7' }],
      },
      says('It says owl.'),
    ],
  });
  await fixture.served.folder.write('a.txt', 'owl');
  const events = await fixture.chat({ message: 'What is in a.txt?', workspaceRoot: fixture.workspace });
  expect(events).toContainEqual({
    type: 'Thought',
    value: { subject: 'Looking', description: 'The file will tell.' },
    timestamp: expect.any(Number),
  });
  expect(events).toContainEqual({
    type: 'ToolCallRequest',
    value: {
      callId: 'call_7',
      name: 'read_file',
      args: { file_path: 'a.txt' },
      isClientInitiated: false,
      prompt_id: expect.any(String),
    },
    timestamp: expect.any(Number),
  });
  expect(events).toContainEqual({
    type: 'ToolCallResponse',
    value: { callId: 'call_7', content: expect.anything(), isError: false },
    timestamp: expect.any(Number),
  });
  expect(contentOf(events)).toBe('It says owl.');
  const types = typesOf(events);
  expect(types.indexOf('Thought')).toBeLessThan(types.indexOf('ToolCallRequest'));
  expect(types.indexOf('ToolCallRequest')).toBeLessThan(types.indexOf('ToolCallResponse'));
});

test('a second message while a turn runs is refused, and a cancel ends the stream of the first', async () => {
  verifies('GAP-72', 'Q-65', 'Q-66', 'Q-67', 'Q-68', 'Q-63', 'Q-64', 'F127', 'F130');
  const words = 'word '.repeat(2000);
  await using fixture = await openChatFixture({ replies: [says(words), says('next')], model: { tokensPerSecond: 50 } });
  const sessionId = await fixture.newSession();
  const events = readEvents(await fixture.post('/api/chat/stream', { sessionId, message: 'talk' }));
  const { requestId } = await nextOf(events, 'connected');
  // It is shown long before its end.
  await nextOf(events, 'Content');

  const second = await fixture.post('/api/chat/stream', { sessionId, message: 'me too' });
  expect(second.status).toBe(409);
  expect(await second.json()).toMatchObject({ error: 'Session is busy', message: expect.any(String) });

  expect(await fixture.ask('/api/chat/cancel', { requestId })).toEqual({ success: true, requestId });
  const rest = await allOf(events);
  expect(rest.at(-1)).toEqual({ type: 'cancelled', requestId, timestamp: expect.any(Number) });
  expect(contentOf(rest).length).toBeLessThan(words.length);

  for (const unknown of [requestId, 'req_1234567890_abc123']) {
    const again = await fixture.post('/api/chat/cancel', { requestId: unknown });
    expect(again.status).toBe(404);
    expect(await again.json()).toMatchObject({ error: 'Request not found', message: expect.any(String) });
  }
  expect(typesOf(await fixture.chat({ sessionId, message: 'go on' })).at(-1)).toBe('stream_end');
}, 30_000);

test('a model failure is an error event of an open stream', async () => {
  verifies('Q-62');
  await using fixture = await openChatFixture({ replies: [{ error: { message: 'no such key' }, status: 401 }] });
  const events = await fixture.chat({ message: 'hi', workspaceRoot: fixture.workspace });
  expect(events.at(-1)).toEqual({
    type: 'error',
    error: expect.any(String),
    message: expect.any(String),
    code: 'auth_failed',
    timestamp: expect.any(Number),
  });
});

test('a tool that needs approval waits for it over HTTP', async () => {
  verifies('GAP-71', 'S79');
  await using fixture = await openChatFixture({
    replies: [calls({ name: 'run_shell_command', input: { command: 'echo ran > ran.txt' } }), says('Done.')],
  });
  const response = await fixture.post('/api/chat/stream', { message: 'run', workspaceRoot: fixture.workspace });
  const events = readEvents(response);
  const { requestId } = await nextOf(events, 'connected');
  const { value } = await nextOf(events, 'ToolCallConfirmation');
  expect(value).toMatchObject({ callId: 'call_1', name: 'run_shell_command', args: { command: 'echo ran > ran.txt' } });
  const wrong = await fixture.post('/api/chat/approve', { requestId, callId: 'call_9', behavior: 'allow' });
  expect(wrong.status).toBe(404);
  const answer = { requestId, callId: value.callId, behavior: 'allow' };
  expect(await fixture.ask('/api/chat/approve', answer)).toEqual({ success: true, requestId, callId: 'call_1' });
  expect(await nextOf(events, 'ToolCallConfirmed')).toMatchObject({ value: { behavior: 'allow', by: 'client' } });
  expect(await nextOf(events, 'ToolCallResponse')).toMatchObject({ value: { isError: false } });
  await nextOf(events, 'stream_end');
  expect(await fixture.served.folder.read('ran.txt')).toBe('ran\n');
  // The first answer counts.
  expect((await fixture.post('/api/chat/approve', answer)).status).toBe(404);
});

test('a denial and a missing answer prevent the call', async () => {
  verifies('GAP-71');
  const call = calls({ name: 'run_shell_command', input: { command: 'echo ran > ran.txt' } });
  await using fixture = await openChatFixture({
    replies: [call, says('Then not.'), call, says('Nobody answered.')],
    approvalTimeoutMs: 300,
  });
  const sessionId = await fixture.newSession();
  const events = readEvents(await fixture.post('/api/chat/stream', { sessionId, message: 'run' }));
  const { requestId } = await nextOf(events, 'connected');
  const { value } = await nextOf(events, 'ToolCallConfirmation');
  await fixture.ask('/api/chat/approve', { requestId, callId: value.callId, behavior: 'deny', message: 'Not today.' });
  expect(await nextOf(events, 'ToolCallConfirmed')).toMatchObject({ value: { behavior: 'deny', by: 'client' } });
  await nextOf(events, 'stream_end');
  expect(JSON.stringify(fixture.served.model.requests[1]?.messages)).toContain('Not today.');

  const unanswered = await fixture.chat({ sessionId, message: 'run' });
  expect(unanswered).toContainEqual(
    expect.objectContaining({ type: 'ToolCallConfirmed', value: expect.objectContaining({ by: 'deadline' }) }),
  );
  const told = JSON.stringify(fixture.served.model.requests.at(-1)?.messages);
  expect(told).toContain('No one answered the approval request in time');
  await expect(fixture.served.folder.read('ran.txt')).rejects.toThrow('ENOENT');
});

test('an approval can last for the rest of the session', async () => {
  verifies('GAP-71');
  const run = calls({ name: 'run_shell_command', input: { command: 'touch ran.txt' } });
  await using fixture = await openChatFixture({ replies: [run, says('Once.'), run, says('Twice.')] });
  const sessionId = await fixture.newSession();
  const events = readEvents(await fixture.post('/api/chat/stream', { sessionId, message: 'run' }));
  const { requestId } = await nextOf(events, 'connected');
  const { value } = await nextOf(events, 'ToolCallConfirmation');
  const suggestions = value.suggestions ?? [];
  const suggestion = suggestions.findIndex(({ type, rules = [] }) => type === 'allow' && rules.length > 0);
  expect(suggestions[suggestion]).toMatchObject({ destination: 'session', label: expect.any(String) });
  const answer = { requestId, callId: value.callId, behavior: 'allow' };
  for (const wrong of [99, -1, 'first']) {
    const refused = await fixture.post('/api/chat/approve', { ...answer, suggestion: wrong });
    expect(refused.status).toBe(400);
  }
  await fixture.ask('/api/chat/approve', { ...answer, suggestion });
  await allOf(events);
  expect(typesOf(await fixture.chat({ sessionId, message: 'again' }))).not.toContain('ToolCallConfirmation');
  expect(await fixture.served.folder.read('ran.txt')).toBe('');
});

test('approvalMode selects what runs without asking', async () => {
  verifies('GAP-71');
  await using fixture = await openChatFixture({
    replies: [calls({ name: 'run_shell_command', input: { command: 'echo ran > ran.txt' } }), says('Done.')],
  });
  const sessionId = await fixture.newSession({ approvalMode: 'yolo' });
  expect(typesOf(await fixture.chat({ sessionId, message: 'run' }))).not.toContain('ToolCallConfirmation');
  expect(await fixture.served.folder.read('ran.txt')).toBe('ran\n');
});

test('a session cannot select a looser sandbox than the server, or another one later', async () => {
  verifies('S119');
  await using fixture = await openChatFixture({ replies: [], sandboxLimit: 'workspace-write' });
  expect((await fixture.post('/api/session', { sandbox: 'off' })).status).toBe(403);
  expect((await fixture.post('/api/session', { sandbox: 'none' })).status).toBe(400);
  const sessionId = await fixture.newSession({ sandbox: 'read-only' });
  expect(await fixture.ask('/api/session/get', { sessionId })).toMatchObject({ sandbox: 'read-only' });
  const later = { sessionId, message: 'go', sandbox: 'workspace-write' };
  expect((await fixture.post('/api/chat/stream', later)).status).toBe(400);
});

test('referenced files are added to the message and listed before the answer', async () => {
  verifies('Q-86', 'Q-87', 'Q-88', 'Q-89', 'Q-90');
  await using fixture = await openChatFixture({ replies: [says('Read.')] });
  const { folder, model } = fixture.served;
  await folder.write('README.md', '# Owls');
  await folder.write('src/index.ts', 'export const one = 1;');
  await folder.write('src/deep/app.ts', 'export const two = 2;');
  await folder.write('src/secret.ts', 'export const key = 3;');
  await folder.write('.gitignore', 'secret.ts\n');
  const events = await fixture.chat({
    message: '请对比 @README.md 和 @src/**/*.ts 中的代码',
    workspaceRoot: fixture.workspace,
  });
  const references = events.find(({ type }) => type === 'file_references');
  expect(references).toEqual({
    type: 'file_references',
    files: [
      { path: 'README.md', size: 6 },
      { path: 'src/deep/app.ts', size: 21 },
      { path: 'src/index.ts', size: 21 },
    ],
    timestamp: expect.any(Number),
  });
  const types = typesOf(events);
  expect(types.indexOf('file_references')).toBeLessThan(types.indexOf('Content'));
  const asked = JSON.stringify(model.requests[0]?.messages);
  expect(asked).toContain('# Owls');
  expect(asked).toContain('export const two');
  expect(asked).not.toContain('export const key');
  const { sessionId } = (events[0] ?? {}) as { sessionId?: string };
  expect(await fixture.ask('/api/chat/history', { sessionId })).toMatchObject({
    history: [{ content: '请对比 @README.md 和 @src/**/*.ts 中的代码' }, {}],
  });
});

test('a missing file is a warning, and the turn continues', async () => {
  verifies('Q-91');
  await using fixture = await openChatFixture({ replies: [says('Fine.')] });
  const events = await fixture.chat({ message: 'see @src/none.ts', workspaceRoot: fixture.workspace });
  expect(events).toContainEqual({
    type: 'warning',
    message: expect.stringMatching(/^Failed to process file references: .*src\/none\.ts/),
    timestamp: expect.any(Number),
  });
  expect(contentOf(events)).toBe('Fine.');
  expect(events.at(-1)).toMatchObject({ type: 'stream_end' });
});

test('the turn continues after its client disconnects, and the same idempotency key finds it again', async () => {
  verifies('F126', 'F129');
  await using fixture = await openChatFixture({ replies: [says('one two three')], model: { tokensPerSecond: 20 } });
  const sessionId = await fixture.newSession();
  const body = { sessionId, message: 'count' };
  const headers = { 'idempotency-key': 'try-1' };
  const left = readEvents(await fixture.post('/api/chat/stream', body, headers));
  const { requestId } = await nextOf(left, 'connected');
  await left.return();
  const again = await allOf(readEvents(await fixture.post('/api/chat/stream', body, headers)));
  expect(again[0]).toMatchObject({ type: 'connected', requestId, sessionId });
  expect(contentOf(again)).toBe('one two three');
  expect(fixture.served.model.requests).toHaveLength(1);
  const bad = await fixture.post('/api/chat/stream', body, { 'idempotency-key': 'ü' });
  expect(bad.status).toBe(400);
});

test('silence is filled with comments that clients ignore', async () => {
  verifies('GAP-73');
  await using fixture = await openChatFixture({ replies: [says('late but there')], model: { tokensPerSecond: 4 } });
  const response = await fixture.post('/api/chat/stream', { message: 'hi', workspaceRoot: fixture.workspace });
  const text = await response.text();
  expect(text).toMatch(/^: ?$/m);
  expect(text).not.toMatch(/^data:(?! \{)/m);
});
