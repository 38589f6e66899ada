import { verifies } from '@qwen/testkit';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createControlFixture, QUESTION } from '../../../test/control-fixture.js';

afterEach(() => vi.useRealTimers());

const live = () => ({ signal: new AbortController().signal });

test('the question contains everything that the app needs', async () => {
  verifies('M-38', 'M-39', 'M-40', 'M-49');
  let asked: unknown;
  const { service } = createControlFixture({
    app: {
      can_use_tool: (payload) => {
        asked = payload;
        return { behavior: 'allow' };
      },
    },
  });
  expect(await service.permission.ask(QUESTION, live())).toEqual({ behavior: 'allow' });
  expect(asked).toEqual({
    tool_name: 'edit',
    tool_use_id: 'call_1',
    input: { file_path: 'a.txt' },
    permission_suggestions: [{ type: 'allow', label: 'Allow edit' }],
    blocked_path: '/outside/a.txt',
    reason: 'It is outside of the workspace.',
  });
});

test('suggestions are omitted for readers that reject them', async () => {
  let suggestions: unknown;
  const { service } = createControlFixture({
    sendsSuggestions: false,
    app: {
      can_use_tool: ({ permission_suggestions }) => {
        suggestions = permission_suggestions;
        return { behavior: 'allow' };
      },
    },
  });
  await service.permission.ask(QUESTION, live());
  expect(suggestions).toEqual([]);
});

test('no one is asked in the mode dontAsk, until the mode changes', async () => {
  const { service, app } = createControlFixture({
    asksNoOne: true,
    app: { can_use_tool: () => ({ behavior: 'allow' }) },
  });
  const denied = { behavior: 'deny', message: 'Denied: this permission mode does not ask for approval.' };
  await app.request('initialize', { canUseTool: true });
  expect(await service.permission.ask(QUESTION, live())).toEqual(denied);
  expect(service.permission.answersQuestions).toBe(false);
  await app.request('set_permission_mode', { mode: 'plan' });
  expect(await service.permission.ask(QUESTION, live())).toEqual({ behavior: 'allow' });
  await app.request('set_permission_mode', { mode: 'dontAsk' as 'default' });
  expect(await service.permission.ask(QUESTION, live())).toEqual(denied);
});

test('the mode dontAsk silences one session only', async () => {
  const { service, app } = createControlFixture({ app: { can_use_tool: () => ({ behavior: 'allow' }) } });
  await app.request('set_permission_mode', { mode: 'default', asks: false });
  const another = service.permission.about(() => ({ sessionId: 'another' }));
  expect(await another.ask(QUESTION, live())).toEqual({ behavior: 'allow' });
  expect(await service.permission.ask(QUESTION, live())).toMatchObject({ behavior: 'deny' });
});

test.each([
  [{ answersQuestions: true }, {}, true],
  [{ answersQuestions: true }, { canUseTool: false }, false],
  [{}, {}, false],
  [{}, { canUseTool: true }, true],
])('with the options %j and initialize %j, questions are answered: %j', async (options, initialize, expected) => {
  const { service, app } = createControlFixture(options);
  await app.request('initialize', initialize);
  expect(service.permission.answersQuestions).toBe(expected);
});

describe('answers', () => {
  test.each([
    [{ behavior: 'allow' }, { behavior: 'allow' }],
    [{ behavior: 'allow', updatedInput: null }, { behavior: 'allow' }],
    [
      { behavior: 'allow', updatedInput: { a: 1 } },
      { behavior: 'allow', updatedInput: { a: 1 } },
    ],
    [{ behavior: 'deny' }, { behavior: 'deny', message: 'Denied', interrupt: false }],
    [
      { behavior: 'allow', updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] },
      { behavior: 'allow', updatedPermissions: [{ type: 'setMode', mode: 'auto-edit', destination: 'session' }] },
    ],
    [
      {
        behavior: 'allow',
        updatedPermissions: [
          { type: 'allow', label: 'Allow' },
          { type: 'deny', label: 'Deny' },
          { type: 'allow', label: 'Always', rules: ['Bash(npm test)'] },
        ],
      },
      {
        behavior: 'allow',
        updatedPermissions: [
          { type: 'addRules', behavior: 'allow', rules: ['Bash(npm test)'], destination: 'session' },
        ],
      },
    ],
    [
      { behavior: 'deny', message: 'not now', interrupt: true },
      { behavior: 'deny', message: 'not now', interrupt: true },
    ],
  ])('%j is %j', async (answer, expected) => {
    verifies('M-41', 'M-42', 'M-43');
    const { service } = createControlFixture({ app: { can_use_tool: () => answer as never } });
    expect(await service.permission.ask(QUESTION, live())).toEqual(expected);
  });

  test.each([
    [
      { type: 'addDirectories', directories: ['/x'], destination: 'session' },
      '0.type: addDirectories is not supported',
    ],
    [{ type: 'setMode', mode: 'dontAsk', destination: 'session' }, '0.mode'],
    [{ type: 'addRules', rules: ['Edit'], behavior: 'allow', destination: 'cliArg' }, '0.destination'],
    [{ type: 'addRules', rules: 'Edit', behavior: 'allow', destination: 'session' }, '0.rules'],
    [{ type: 'forgetRules' }, '0.type'],
  ])('the update %j is refused by name', async (update, place) => {
    const answer = { behavior: 'allow', updatedPermissions: [update] };
    const { service, notices } = createControlFixture({ app: { can_use_tool: () => answer as never } });
    const reason = expect.stringContaining(`updatedPermissions.${place}`);
    expect(await service.permission.ask(QUESTION, live())).toMatchObject({ behavior: 'deny', reason });
    expect(notices).toMatchObject([{ code: 'invalid_permission_answer', message: reason }]);
  });

  test('an app with the names of Claude Code gets suggestions as updates', async () => {
    let suggestions: unknown;
    const { app, service } = createControlFixture({
      app: {
        can_use_tool: (payload) => {
          suggestions = payload.permission_suggestions;
          return { behavior: 'allow', updatedPermissions: payload.permission_suggestions ?? [] };
        },
      },
    });
    await app.request('initialize', { toolNames: 'claude' });
    const always = { type: 'allow' as const, label: 'Always', rules: ['Bash(npm (x) test)', 'Edit'] };
    const asked = { ...QUESTION, suggestions: [...QUESTION.suggestions, always] };
    const rules = [{ toolName: 'Bash', ruleContent: 'npm (x) test' }, { toolName: 'Edit' }];
    const updates = [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }];
    expect(await service.permission.ask(asked, live())).toEqual({ behavior: 'allow', updatedPermissions: updates });
    expect(suggestions).toEqual(updates);
  });

  test.each([
    { behavior: 'Allow' },
    { behavior: true },
    { behavior: 1 },
    {},
    { behavior: ['allow'] },
    { behavior: 'allow', updatedInput: 'rm' },
  ])('%j is a deny and a notice', async (answer) => {
    verifies('S87', 'M-50');
    const { app, wire, service, notices, sent } = createControlFixture({
      app: { can_use_tool: () => new Promise(() => {}) },
    });
    const verdict = service.permission.ask(QUESTION, live());
    await app.request('supported_commands', {});
    const [question] = sent;
    const requestId = question?.type === 'control_request' ? question.request_id : '';
    wire.send({
      type: 'control_response',
      response: { subtype: 'success', request_id: requestId, response: answer },
    });
    expect(await verdict).toMatchObject({ behavior: 'deny' });
    expect(notices).toMatchObject([{ code: 'invalid_permission_answer' }]);
  });

  test('a callback that throws denies with its message', async () => {
    verifies('S28', 'M-50', 'J-10');
    const { service } = createControlFixture({
      app: {
        can_use_tool: () => {
          throw new Error('policy service is down');
        },
      },
    });
    expect(await service.permission.ask(QUESTION, live())).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('policy service is down'),
      reason: expect.stringContaining('policy service is down'),
    });
  });

  test('without an answer, the deadline of initialize denies and cancels the question; a late answer changes nothing', async () => {
    verifies('M-05', 'M-50', 'F21', 'S28', 'J-04', 'FB4', 'T10');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const late = Promise.withResolvers<{ behavior: 'allow' }>();
    const withdrawn = Promise.withResolvers<void>();
    const { app, service, wire, sent, problems } = createControlFixture({
      app: {
        can_use_tool: (_payload, { signal }) => {
          signal.addEventListener('abort', () => withdrawn.resolve());
          return late.promise;
        },
      },
    });
    await app.request('initialize', { timeout: { canUseTool: 5_000 } });
    const verdict = service.permission.ask(QUESTION, live());
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await verdict).toMatchObject({ behavior: 'deny' });
    await withdrawn.promise;
    const question = sent.find((line) => line.type === 'control_request');
    const requestId = question?.request_id ?? '';
    expect(sent.at(-1)).toEqual({ type: 'control_cancel_request', request_id: requestId });
    wire.send({
      type: 'control_response',
      response: { subtype: 'success', request_id: requestId, response: { behavior: 'allow' } },
    });
    await app.request('supported_commands', {});
    expect(problems).toMatchObject([{ code: 'late_response' }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('the deadline defaults to 60 s, and 0 disables it', async () => {
    verifies('M-05', 'M-82');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { app, service } = createControlFixture({ app: { can_use_tool: () => new Promise(() => {}) } });
    let verdicts = 0;
    const count = () => {
      verdicts += 1;
    };
    void service.permission.ask(QUESTION, live()).then(count);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(verdicts).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(verdicts).toBe(1);
    await app.request('initialize', { timeout: { canUseTool: 0 } });
    void service.permission.ask(QUESTION, live()).then(count);
    await vi.advanceTimersByTimeAsync(24 * 60 * 60 * 1000);
    expect(verdicts).toBe(1);
  });

  test('the second answer to one question changes nothing', async () => {
    verifies('F20');
    const { app, wire, service, sent, problems } = createControlFixture({
      app: { can_use_tool: () => new Promise(() => {}) },
    });
    const verdict = service.permission.ask(QUESTION, live());
    await app.request('supported_commands', {});
    const [question] = sent;
    const request_id = question?.type === 'control_request' ? question.request_id : '';
    const answer = (behavior: string) => ({
      type: 'control_response',
      response: { subtype: 'success', request_id, response: { behavior } },
    });
    wire.send(answer('deny'));
    wire.send(answer('allow'));
    expect(await verdict).toMatchObject({ behavior: 'deny' });
    await app.request('supported_commands', {});
    expect(problems).toHaveLength(1);
  });
});

test('an interrupted turn withdraws its question', async () => {
  verifies('F49', 'N-08', 'J-23');
  const asked = Promise.withResolvers<void>();
  const withdrawn = Promise.withResolvers<void>();
  const { service } = createControlFixture({
    app: {
      can_use_tool: (_payload, { signal }) => {
        signal.addEventListener('abort', () => withdrawn.resolve());
        asked.resolve();
        return new Promise(() => {});
      },
    },
  });
  const turn = new AbortController();
  const verdict = service.permission.ask(QUESTION, { signal: turn.signal });
  await asked.promise;
  turn.abort();
  expect(await verdict).toMatchObject({ behavior: 'deny' });
  await withdrawn.promise;
});

test('an app that answers no questions is not asked', async () => {
  verifies('S28', 'J-09');
  const { app, service, sent } = createControlFixture();
  await app.request('initialize', { canUseTool: false });
  expect(await service.permission.ask(QUESTION, live())).toMatchObject({
    behavior: 'deny',
    message: expect.stringContaining('Permission denied: edit needs an approval'),
    reason: expect.stringMatching(/canUseTool.*permissionMode.*allowedTools to \["edit"\]/),
  });
  expect(sent.filter(({ type }) => type === 'control_request')).toEqual([]);
});

test.each(['default', 'plan', 'auto-edit', 'yolo'] as const)('set_permission_mode %s', async (mode) => {
  verifies('M-54', 'M-55', 'CF-44');
  const { app, happenings } = createControlFixture();
  expect(await app.request('set_permission_mode', { mode })).toEqual({ status: 'updated', mode });
  expect(happenings).toEqual([`mode ${mode}`]);
});
