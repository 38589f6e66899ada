import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { calls, type LineProcessOptions, says, startLineProcess, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CLI, type Fixture, openFixture } from '../spine/fixture.ts';
import { startCollector } from './collector.ts';

/** Runs `qwen "Hi"`, as from a shell, to its end. */
async function run(fixture: Fixture, env: Readonly<Record<string, string>>, more: Partial<LineProcessOptions> = {}) {
  await using program = await startLineProcess({
    command: process.execPath,
    args: [CLI, 'Hi'],
    env: { ...fixture.env, ...env },
    cwd: fixture.workspace.path,
    ...more,
  });
  program.endInput();
  const { code } = await program.exited;
  return { code, said: program.lines.map(({ text }) => text), outputs: program.stderr };
}

test('an endpoint configured for other programs receives nothing', async () => {
  verifies('GAP-55', 'S112');
  await using collector = await startCollector();
  await using fixture = await openFixture([says('Hello')]);
  const inherited = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'somebody',
    TRACEPARENT: '00-1-1-01',
  };
  expect(await run(fixture, inherited)).toEqual({ code: 0, said: ['Hello'], outputs: '' });
  expect(collector.connectionCount).toBe(0);
});

test("the user's settings enable it, a project's settings do not", async () => {
  await using collector = await startCollector();
  await using fixture = await openFixture([says('Hello')]);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  await fixture.workspace.write('.qwen/settings.json', JSON.stringify({ telemetry: { enabled: true } }));
  expect(await run(fixture, env)).toMatchObject({ code: 0 });
  expect(collector.connectionCount).toBe(0);
  await fixture.workspace.write('home/.qwen/settings.json', JSON.stringify({ telemetry: { enabled: true } }));
  expect(await run(fixture, env)).toMatchObject({ code: 0, said: ['Hello'] });
  expect(collector.spans.map(({ name }) => name)).toEqual(['chat scripted', 'invoke_agent qwen', 'qwen.session']);
});

test('service, resource, headers and path follow the standard variables', async () => {
  verifies('L-11');
  await using collector = await startCollector();
  await using fixture = await openFixture([says('Hello')]);
  await run(fixture, {
    QWEN_TELEMETRY: '1',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own/path`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a',
    OTEL_SERVICE_NAME: 'my-agent',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });
  expect(collector.resource).toMatchObject({ 'service.name': 'my-agent', 'deployment.environment.name': 'test' });
  expect(collector.headers).toMatchObject([{ 'x-tenant': 'a', 'content-type': 'application/json' }]);
});

test('a sampler that drops everything sends nothing', async () => {
  await using collector = await startCollector();
  await using fixture = await openFixture([says('Hello')]);
  const env = { QWEN_TELEMETRY: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: 'always_off' };
  expect(await run(fixture, { ...env, OTEL_METRICS_EXPORTER: 'none' })).toMatchObject({ code: 0, said: ['Hello'] });
  expect(collector.connectionCount).toBe(0);
});

test('metrics have the names, units and attributes of the conventions', async () => {
  await using collector = await startCollector();
  await using fixture = await openFixture([calls({ name: 'list_directory', input: { path: '.' } }), says('Hello')]);
  await run(fixture, { QWEN_TELEMETRY: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const counts = collector.metrics.map(({ name, unit, histogram }) => [
    name,
    unit,
    histogram.dataPoints.reduce((sum, { count }) => sum + count, 0),
  ]);
  expect(counts.toSorted(([one], [other]) => String(one).localeCompare(String(other)))).toEqual([
    ['gen_ai.client.operation.duration', 's', 2],
    ['gen_ai.client.operation.time_to_first_chunk', 's', 2],
    ['gen_ai.client.token.usage', '{token}', 4],
    ['gen_ai.execute_tool.duration', 's', 1],
    ['gen_ai.invoke_agent.duration', 's', 1],
  ]);
  const tokens = collector.metrics.find(({ name }) => name === 'gen_ai.client.token.usage');
  const names = tokens?.histogram.dataPoints[0]?.attributes.map(({ key }) => key).toSorted();
  expect(names).toEqual([
    'gen_ai.operation.name',
    'gen_ai.provider.name',
    'gen_ai.request.model',
    'gen_ai.response.model',
    'gen_ai.token.type',
    'server.address',
    'server.port',
  ]);
});

test('content is sent only with its switch', async () => {
  await using collector = await startCollector();
  await using fixture = await openFixture([says('Hello')]);
  const env = { QWEN_TELEMETRY: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  await run(fixture, env);
  expect(collector.bodies.join('')).not.toContain('Hello');
  await run(fixture, { ...env, QWEN_TELEMETRY_CONTENT: '1' });
  expect(collector.bodies.join('')).toContain('gen_ai.output.messages');
  expect(collector.bodies.join('')).toContain('gen_ai.input.messages');
});

test.each([
  [{ QWEN_TELEMETRY: 'maybe' }, 'QWEN_TELEMETRY'],
  [{ QWEN_TELEMETRY: '1', OTEL_TRACES_SAMPLER: 'most' }, 'OTEL_TRACES_SAMPLER'],
  [{ QWEN_TELEMETRY: '1', QWEN_TELEMETRY_CONTENT: 'yes' }, 'QWEN_TELEMETRY_CONTENT'],
])('%j is refused by its name', async (env, name) => {
  await using fixture = await openFixture([says('never')]);
  expect(await run(fixture, env)).toMatchObject({ code: 2, outputs: expect.stringContaining(name) });
});

test('a collector that never answers does not delay the exit', async () => {
  verifies('GAP-55');
  await using collector = await startCollector({ answers: false });
  await using fixture = await openFixture([says('Hello')]);
  // Without a bound of our own the exporter would wait for ten minutes, and this test would fail by its own clock.
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_TIMEOUT: '600000', QWEN_TELEMETRY: '1' };
  expect(await run(fixture, env)).toEqual({ code: 0, said: ['Hello'], outputs: '' });
  expect(collector.bodies).toHaveLength(1);
});

test('an unreachable collector changes no result and is reported once with --debug', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  await using fixture = await openFixture([says('Hello')]);
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    // Shorter than the wait before a second attempt.
    OTEL_EXPORTER_OTLP_TIMEOUT: '300',
    QWEN_TELEMETRY: '1',
  };
  expect(await run(fixture, env)).toEqual({ code: 0, said: ['Hello'], outputs: '' });
  const debugging = await run(fixture, env, { args: [CLI, '--debug', 'Hi'] });
  expect(debugging).toMatchObject({ code: 0, said: ['Hello'] });
  expect(debugging.outputs.match(/Spans could not be sent/g)).toHaveLength(1);
});

test('an interrupted run sends its spans, each of them ended', async () => {
  verifies('GAP-55');
  const sleeps = calls({ name: 'run_shell_command', input: { command: 'touch begun; sleep 1000' } });
  await using collector = await startCollector();
  await using fixture = await openFixture([sleeps]);
  await using program = await startLineProcess({
    command: process.execPath,
    args: [CLI, '--yolo', 'Hi'],
    env: { ...fixture.env, QWEN_TELEMETRY: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    cwd: fixture.workspace.path,
  });
  program.endInput();
  await expect.poll(() => fixture.workspace.read('begun').catch(() => undefined), { timeout: 10_000 }).toBe('');
  program.kill('SIGINT');
  expect(await program.exited).toMatchObject({ code: 130 });
  const names = ['chat scripted', 'execute_tool run_shell_command', 'invoke_agent qwen', 'qwen.session'];
  expect(collector.spans.map(({ name }) => name)).toEqual(names);
});
