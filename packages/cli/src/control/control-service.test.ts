import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createControlFixture, QUESTION } from '../../test/control-fixture.js';

test('each request of the app reaches its controller and is answered with its ID', async () => {
  verifies('N-01', 'N-02', 'N-03', 'N-04', 'N-06', 'J-02');
  const { app } = createControlFixture();
  const answers = await Promise.all([
    app.request('supported_commands', {}),
    app.request('set_permission_mode', { mode: 'plan' }),
    app.request('mcp_server_status', {}),
    app.request('set_model', { model: 'second' }),
    app.request('interrupt', {}),
  ]);
  expect(answers).toEqual([
    { commands: ['clear'] },
    { status: 'updated', mode: 'plan' },
    { subtype: 'mcp_server_status', status: {}, servers: {}, errors: {} },
    { subtype: 'set_model', model: 'second' },
    null,
  ]);
});

test('an unknown subtype is answered with an error and the same ID', async () => {
  verifies('M-07', 'F13', 'M-06');
  const { wire, sent, app } = createControlFixture();
  wire.send({ type: 'control_request', request_id: 'r-1', request: { subtype: 'nope' } });
  await app.request('supported_commands', {});
  expect(sent[0]).toMatchObject({
    type: 'control_response',
    response: { subtype: 'error', request_id: 'r-1', error: { code: 'unknown_subtype', retryable: false } },
  });
});

test('an invalid payload is an error that names the member and changes nothing', async () => {
  verifies('M-06', 'M-56', 'S27');
  const { app, happenings } = createControlFixture();
  await expect(app.request('set_permission_mode', { mode: 'root' } as never)).rejects.toMatchObject({
    code: 'invalid_payload',
    message: expect.stringContaining('mode'),
  });
  expect(happenings).toEqual([]);
});

test('both sides send requests at the same time, and a pending one blocks no other', async () => {
  verifies('N-08', 'N-09', 'T2', 'FB3', 'J-01');
  const answer = Promise.withResolvers<{ behavior: 'allow' }>();
  const asked = Promise.withResolvers<void>();
  const { service, app, happenings } = createControlFixture({
    app: {
      can_use_tool: () => {
        asked.resolve();
        return answer.promise;
      },
    },
  });
  const verdict = service.permission.ask(QUESTION, { signal: new AbortController().signal });
  await asked.promise;
  await app.request('interrupt', {});
  await app.request('set_model', { model: 'second' });
  expect(happenings).toEqual(['interrupt']);
  answer.resolve({ behavior: 'allow' });
  expect(await verdict).toEqual({ behavior: 'allow' });
});

test('a repeated request runs once', async () => {
  verifies('F18');
  const { app, wire, sent, happenings } = createControlFixture();
  const line = { type: 'control_request', request_id: 'r-1', request: { subtype: 'interrupt' } };
  wire.send(line);
  wire.send(line);
  await app.request('supported_commands', {});
  expect(happenings).toEqual(['interrupt']);
  const errors = sent.filter((one) => one.type === 'control_response' && one.response.subtype === 'error');
  expect(errors).toMatchObject([{ response: { request_id: 'r-1', error: { code: 'duplicate_request' } } }]);
});

test('unrelated answers and cancels are reported and change nothing', async () => {
  verifies('F19', 'F22', 'S85', 'GAP-35');
  const { app, wire, problems } = createControlFixture();
  wire.send({
    type: 'control_response',
    response: { subtype: 'success', request_id: 'zzz', response: { behavior: 'allow' } },
  });
  wire.send({ type: 'control_cancel_request', request_id: 'zzz' });
  expect(await app.request('supported_commands', {})).toEqual({ commands: ['clear'] });
  expect(problems.map(({ code }) => code)).toEqual(['unexpected_response']);
});

test('the end of input fails pending and later requests to the app, and its requests are still answered', async () => {
  verifies('F25', 'GAP-10', 'J-09');
  const asked = Promise.withResolvers<void>();
  const { service, app, sent } = createControlFixture({
    app: {
      can_use_tool: () => {
        asked.resolve();
        return new Promise(() => {});
      },
    },
  });
  const waiting = service.permission.ask(QUESTION, { signal: new AbortController().signal });
  await asked.promise;
  service.endInput();
  const denied = { behavior: 'deny', message: 'Input closed' };
  expect(await waiting).toEqual(denied);
  const lines = sent.length;
  expect(await service.permission.ask(QUESTION, { signal: new AbortController().signal })).toEqual(denied);
  expect(sent).toHaveLength(lines);
  expect(await app.request('supported_commands', {})).toEqual({ commands: ['clear'] });
});

test('closing ends the channel in both directions', async () => {
  verifies('T5', 'J-10');
  const asked = Promise.withResolvers<void>();
  const { service } = createControlFixture({
    app: {
      can_use_tool: () => {
        asked.resolve();
        return new Promise(() => {});
      },
    },
  });
  const waiting = service.permission.ask(QUESTION, { signal: new AbortController().signal });
  await asked.promise;
  await service.close();
  expect(await waiting).toEqual({ behavior: 'deny', message: 'The session has ended.' });
});
