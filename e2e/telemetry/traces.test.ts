import { context, propagation, trace } from '@opentelemetry/api';
import { openSession, query, startup } from '@qwen/sdk';
import { createServer } from '@qwen/server';
import { calls, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CLI, collect, openFixture, results, userMessage } from '../spine/fixture.ts';
import { traceApp } from './app-tracing.ts';
import { startCollector } from './collector.ts';
import { joinSpans, pathsOf } from './span-tree.ts';

const SECRET = 'the-plan-for-tomorrow';
const write = calls({ name: 'write_file', input: { file_path: 'a.txt', content: SECRET } });

test('an app and the program produce one trace: query, session, turn, model call, tool call, question, callback', async () => {
  verifies('L-11', 'GAP-55');
  await using app = traceApp();
  await using collector = await startCollector();
  await using fixture = await openFixture([write, says(`It says ${SECRET}.`)]);
  const env = { ...fixture.env, QWEN_TELEMETRY: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const messages = await app.within('request', () =>
    collect(
      fixture.query(`Write ${SECRET}`, {
        env,
        canUseTool: (_name, updatedInput) =>
          app.within('ask a person', async () => ({ behavior: 'allow', updatedInput })),
      }),
    ),
  );
  expect(results(messages)).toMatchObject([{ is_error: false }]);
  const spans = joinSpans(app.spans, collector.spans);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  const turn = 'app: request > app: qwen.query > cli: qwen.session > cli: invoke_agent qwen';
  expect(pathsOf(spans, 'cli: chat scripted')).toEqual([
    `${turn} > cli: chat scripted`,
    `${turn} > cli: chat scripted`,
  ]);
  expect(pathsOf(spans, 'app: ask a person')).toEqual([
    `${turn} > cli: execute_tool write_file > cli: control can_use_tool > app: control can_use_tool > app: ask a person`,
  ]);
  expect(pathsOf(spans, 'cli: control initialize')).toEqual([
    'app: request > app: qwen.query > app: control initialize > cli: control initialize',
  ]);
  const [, key] = Object.entries(fixture.model.env).find(([name]) => name.endsWith('_KEY')) ?? [];
  for (const secret of [SECRET, key ?? 'no key', fixture.workspace.path]) {
    expect(collector.bodies.join('\n')).not.toContain(secret);
    expect(JSON.stringify(app.spans.map(({ attributes, events }) => [attributes, events]))).not.toContain(secret);
  }
});

test('the call of an MCP server is the parent of the spans of that server', async () => {
  await using collector = await startCollector();
  await using fixture = await openFixture([
    calls({ name: 'mcp__inner__run', input: { prompt: 'help' } }),
    says('help is here'),
    says('done'),
  ]);
  const env = { ...fixture.env, QWEN_TELEMETRY: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const inner = { command: process.execPath, args: [CLI, 'mcp', 'serve'], env };
  const messages = await collect(
    fixture.query('delegate', { env, mcpServers: { inner }, allowedTools: ['mcp__inner__run'] }),
  );
  expect(results(messages)).toMatchObject([{ result: 'done' }]);
  expect(pathsOf(joinSpans([], collector.spans), 'cli: invoke_agent qwen')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^cli: qwen\.session > .*> cli: execute_tool mcp__inner__run > cli: invoke_agent qwen$/),
    ]),
  );
});

test("a later prompt belongs to the app's current span and is linked to its session", async () => {
  await using app = traceApp();
  await using collector = await startCollector();
  await using fixture = await openFixture([says('one'), says('two')]);
  const env = { ...fixture.env, QWEN_TELEMETRY: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  async function* first() {
    yield userMessage('one');
  }
  async function* second() {
    yield userMessage('two');
  }
  const running = await app.within('first request', async () => fixture.query(first(), { env }));
  await running.next();
  await app.within('second request', () => running.streamInput(second()));
  running.endInput();
  await collect(running);
  const spans = joinSpans(app.spans, collector.spans);
  expect(pathsOf(spans, 'cli: invoke_agent qwen').toSorted()).toEqual([
    'app: first request > app: qwen.query > cli: qwen.session > cli: invoke_agent qwen',
    'app: second request > cli: invoke_agent qwen',
  ]);
  const session = collector.spans.find(({ name }) => name === 'qwen.session');
  const links = collector.spans.flatMap((span) => span.links.map(({ spanId }) => spanId));
  expect(links).toEqual([session?.spanId]);
});

test('at a server, the CLI belongs to the span of its client', async () => {
  verifies('L-11');
  await using app = traceApp();
  await using collector = await startCollector();
  await using fixture = await openFixture([says('far away')]);
  const env = { ...fixture.env, QWEN_TELEMETRY: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const server = await createServer({
    store: 'memory:',
    token: 'token',
    workspace: fixture.workspace.path,
    launch: { pathToQwenExecutable: CLI, env },
  });
  const { url } = await server.listen({ port: 0 });
  const remote = query({ prompt: 'Hi', options: { server: { url, token: 'token' } } });
  expect(results(await collect(remote))).toMatchObject([{ result: 'far away' }]);
  await server.close({ graceMs: 0 });
  expect(pathsOf(joinSpans(app.spans, collector.spans), 'cli: invoke_agent qwen')).toEqual([
    'app: qwen.query > cli: qwen.session > cli: invoke_agent qwen',
  ]);
});

test('a message to a server is one trace: client, request, turn, agent', async () => {
  await using app = traceApp();
  await using collector = await startCollector();
  await using fixture = await openFixture([says(SECRET), says('two')]);
  const env = { ...fixture.env, QWEN_TELEMETRY: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const server = await createServer({
    store: 'memory:',
    token: 'token',
    workspace: fixture.workspace.path,
    launch: { pathToQwenExecutable: CLI, env },
  });
  const { url } = await server.listen({ port: 0 });
  const say = (message: string, more: object = {}) =>
    app.within('client', async (span) => {
      const headers: Record<string, string> = { 'content-type': 'application/json' };
      propagation.inject(trace.setSpan(context.active(), span), headers);
      const body = JSON.stringify({ message, ...more });
      return (await fetch(`${url}/api/chat/stream`, { method: 'POST', headers, body })).text();
    });
  const [, sessionId] = /"sessionId":"([^"]+)"/.exec(await say(SECRET)) ?? [];
  expect(await say('again', { sessionId })).toContain('stream_end');
  await server.close({ graceMs: 0 });
  const turn = 'app: client > app: POST /api/chat/stream > app: qwen.turn';
  const agent = `${turn} > cli: invoke_agent qwen`;
  const spans = joinSpans(app.spans, collector.spans);
  expect(pathsOf(spans, 'cli: invoke_agent qwen')).toEqual([agent, agent]);
  expect(pathsOf(spans, 'app: qwen.query')).toEqual([`${turn} > app: qwen.query`]);
  const attributes = app.spans.map((span) => span.attributes);
  expect(attributes).toContainEqual(expect.objectContaining({ 'qwen.turn.outcome': 'success' }));
  expect(attributes).toContainEqual(
    expect.objectContaining({ 'http.response.status_code': 200, 'gen_ai.conversation.id': sessionId }),
  );
  for (const secret of [SECRET, fixture.workspace.path]) expect(JSON.stringify(attributes)).not.toContain(secret);
});

test('a session of many turns is one span with the turns below it', async () => {
  await using app = traceApp();
  await using collector = await startCollector();
  await using fixture = await openFixture([says('one'), says('two')]);
  const env = { ...fixture.env, QWEN_TELEMETRY: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  await app.within('request', async () => {
    const session = await openSession({ pathToQwenExecutable: CLI, cwd: fixture.workspace.path, env });
    await session.prompt('first').result;
    await session.prompt('second').result;
    await session.close();
  });
  const turn = 'app: request > app: qwen.session > cli: qwen.session > cli: invoke_agent qwen';
  expect(pathsOf(joinSpans(app.spans, collector.spans), 'cli: invoke_agent qwen')).toEqual([turn, turn]);
});

test('the query of a warm CLI starts when its prompt is sent', async () => {
  await using app = traceApp();
  await using collector = await startCollector();
  await using fixture = await openFixture([says('warm')]);
  const env = { ...fixture.env, QWEN_TELEMETRY: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const warm = await app.within('boot', () => startup({ pathToQwenExecutable: CLI, cwd: fixture.workspace.path, env }));
  await app.within('request', () => collect(warm.query('Hi')));
  const spans = joinSpans(app.spans, collector.spans);
  expect(pathsOf(spans, 'cli: invoke_agent qwen')).toEqual(['app: request > app: qwen.query > cli: invoke_agent qwen']);
  expect(pathsOf(spans, 'cli: qwen.session')).toEqual(['app: boot > cli: qwen.session']);
});

test('a question of a session also carries its span in the other line format', async () => {
  await using app = traceApp();
  await using collector = await startCollector();
  await using fixture = await openFixture([write, says('done')]);
  const env = { ...fixture.env, QWEN_TELEMETRY: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  await using session = await openSession({
    pathToQwenExecutable: CLI,
    cwd: fixture.workspace.path,
    env,
    canUseTool: () => app.within('ask a person', async () => ({ behavior: 'deny', message: 'no' })),
  });
  await session.prompt('Write').result;
  await session.close();
  const turn = 'app: qwen.session > cli: qwen.session > cli: invoke_agent qwen';
  expect(pathsOf(joinSpans(app.spans, collector.spans), 'app: ask a person')).toEqual([
    `${turn} > cli: execute_tool write_file > cli: control can_use_tool > app: control can_use_tool > app: ask a person`,
  ]);
});

test.each([
  { how: 'aborted', outcome: 'aborted', error: undefined },
  { how: 'killed', outcome: 'failed', error: 'process_exited' },
])('a query that is $how ends its spans with the reason', async ({ how, outcome, error }) => {
  verifies('GAP-55');
  await using app = traceApp();
  await using fixture = await openFixture([write]);
  const abortController = new AbortController();
  const running = fixture.query('Write', {
    abortController,
    canUseTool: async () => {
      if (how === 'aborted') abortController.abort();
      else if (running.pid !== undefined) process.kill(running.pid, 'SIGKILL');
      return new Promise(() => undefined);
    },
  });
  await expect(collect(running)).rejects.toMatchObject({ code: error ?? 'aborted' });
  const ended = app.spans.map(({ name }) => name);
  expect(ended.toSorted()).toEqual(['control can_use_tool', 'control initialize', 'control interrupt', 'qwen.query']);
  const { attributes, status } = app.spans.find(({ name }) => name === 'qwen.query') ?? {};
  expect(attributes).toMatchObject({ 'qwen.query.outcome': outcome, 'gen_ai.conversation.id': running.sessionId });
  expect([attributes?.['error.type'], status?.message]).toEqual([error, error]);
});

test('if only the app traces, callback spans are below the query', async () => {
  await using app = traceApp();
  await using fixture = await openFixture([write, says('done')]);
  await collect(
    fixture.query('Write', {
      canUseTool: () => app.within('ask a person', async () => ({ behavior: 'deny', message: 'no' })),
    }),
  );
  expect(pathsOf(joinSpans(app.spans, []), 'app: ask a person')).toEqual([
    'app: qwen.query > app: control can_use_tool > app: ask a person',
  ]);
});
