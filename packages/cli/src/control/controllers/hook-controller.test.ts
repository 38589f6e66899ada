import type { HookInputOf } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { createControlFixture } from '../../../test/control-fixture.js';

const INPUT: HookInputOf<'PreToolUse'> = {
  hook_event_name: 'PreToolUse',
  session_id: 's',
  transcript_path: '',
  cwd: '/',
  permission_mode: 'default',
  tool_name: 'edit',
  tool_input: {},
  tool_use_id: 'call_1',
};
const until = { signal: new AbortController().signal };

describe('registering', () => {
  test.each([
    [
      'as a list',
      [
        { event: 'PreToolUse', callback_id: 'h1', matcher: 'Edit|Write', timeout: 5, blocking: false },
        { event: 'Stop', callback_id: 'h2' },
      ],
    ],
    [
      'as a map',
      {
        PreToolUse: [{ matcher: 'Edit|Write', hookCallbackIds: ['h1'], timeout: 5, blocking: false }],
        Stop: [{ hookCallbackIds: ['h2'] }],
        SessionEnd: null,
      },
    ],
  ])('%s', async (_how, hooks) => {
    verifies('CF-38', 'CF-39', 'M-09', 'M-71');
    const { app, service, notices } = createControlFixture();
    const answer = await app.request('initialize', { hooks });
    expect(answer).toMatchObject({ capabilities: { hooks: true, can_handle_hook_callback: true } });
    expect(service.hook.hooks).toMatchObject([
      { event: 'PreToolUse', label: 'h1', blocking: false },
      { event: 'Stop', label: 'h2', blocking: undefined },
    ]);
    expect(service.hook.hooks[0]?.match(['edit', 'Edit'])).toBe('Edit');
    expect(service.hook.hooks[0]?.match(['read_file', 'Read'])).toBeUndefined();
    expect(service.hook.hooks[1]?.match(['anything'])).toBe('anything');
    expect(notices).toEqual([]);
  });

  test('a further initialize replaces them; one without hooks keeps them', async () => {
    const { app, service } = createControlFixture();
    await app.request('initialize', { hooks: { Stop: [{ hookCallbackIds: ['a', 'b'] }] } });
    await app.request('initialize', {});
    expect(service.hook.hooks.map(({ label }) => label)).toEqual(['a', 'b']);
    await app.request('initialize', { hooks: [{ event: 'Stop', callback_id: 'c' }] });
    expect(service.hook.hooks.map(({ label }) => label)).toEqual(['c']);
    await app.request('initialize', { hooks: null });
    expect(service.hook.hooks).toEqual([]);
  });

  test('an unusable matcher is refused before anything changes', async () => {
    const { app, service, happenings } = createControlFixture();
    const hooks = { PreToolUse: [{ matcher: '(a+)+', hookCallbackIds: ['h1'] }] };
    await expect(app.request('initialize', { hooks, systemPrompt: 'x' })).rejects.toMatchObject({
      code: 'invalid_payload',
      message: expect.stringContaining('initialize.hooks.PreToolUse'),
      data: { event: 'PreToolUse', matcher: '(a+)+' },
    });
    expect(service.hook.hooks).toEqual([]);
    expect(happenings).toEqual([]);
  });

  test('an unknown hook event is accepted and reported once', async () => {
    verifies('GAP-49');
    const { app, notices } = createControlFixture();
    const hooks = {
      WorktreeCreate: [{ hookCallbackIds: ['h1'] }, { hookCallbackIds: ['h2'] }],
      PreToolUse: [{ matcher: 'deploy', hookCallbackIds: ['h3'] }],
    };
    await app.request('initialize', { hooks });
    await app.request('initialize', { hooks });
    expect(notices.map(({ code }) => code)).toEqual(['unknown_hook_event', 'unmatched_hook']);
  });

  test('the program can add and remove its own hooks', () => {
    verifies('N-17');
    const { service } = createControlFixture();
    const hook = { event: 'Stop', match: () => 'Stop', blocking: undefined, label: 'own', ask: async () => ({}) };
    const forget = service.hook.registerHookCallback(hook);
    expect(service.hook.hooks).toEqual([hook]);
    forget();
    expect(service.hook.hooks).toEqual([]);
  });
});

describe('asking', () => {
  test("sends the ID, the input and the call, and returns the app's answer", async () => {
    verifies('J-07', 'M-69');
    const asked: unknown[] = [];
    const output = { hookSpecificOutput: { permissionDecision: 'deny' as const } };
    const { app, service } = createControlFixture({
      app: {
        hook_callback: (payload) => {
          asked.push(payload);
          return output;
        },
      },
    });
    await app.request('initialize', { hooks: [{ event: 'PreToolUse', callback_id: 'h1' }] });
    expect(await service.hook.hooks[0]?.ask(INPUT, until)).toEqual(output);
    expect(asked).toMatchObject([{ callback_id: 'h1', input: INPUT, tool_use_id: 'call_1' }]);
  });

  test('reads an answer in the older form and ignores its placeholder', async () => {
    verifies('M-70', 'CF-39');
    const answers: unknown[] = [
      { result: { decision: 'block' }, callback_id: 'h1' },
      { result: null, callback_id: 'h1' },
      { result: 'Hook callback processing not yet implemented', callback_id: 'h1' },
    ];
    const { app, service } = createControlFixture({ app: { hook_callback: () => answers.shift() as never } });
    await app.request('initialize', { hooks: [{ event: 'PreToolUse', callback_id: 'h1' }] });
    const ask = () => service.hook.hooks[0]?.ask(INPUT, until);
    expect(await ask()).toEqual({ decision: 'block' });
    expect(await ask()).toEqual({});
    await expect(ask()).rejects.toMatchObject({ code: 'invalid_payload' });
  });

  test.each([
    ['a throw', () => Promise.reject(new Error('boom')), { code: 'handler_failed' }],
    ['garbage', () => ({ decision: 'perhaps' }) as never, { code: 'invalid_payload' }],
    ['silence', () => new Promise<never>(() => {}), { code: 'timeout' }],
  ])('%s rejects', async (_what, hook_callback, error) => {
    verifies('FB5');
    const { app, service } = createControlFixture({ app: { hook_callback } });
    await app.request('initialize', { hooks: [{ event: 'PreToolUse', callback_id: 'h1', timeout: 0.02 }] });
    await expect(service.hook.hooks[0]?.ask(INPUT, until)).rejects.toMatchObject(error);
  });

  test('an aborted turn withdraws the question; the end of the input ends it', async () => {
    const signals: AbortSignal[] = [];
    const { app, service } = createControlFixture({
      app: {
        hook_callback: (_payload, { signal }) => {
          signals.push(signal);
          return new Promise(() => {});
        },
      },
    });
    await app.request('initialize', { hooks: [{ event: 'PreToolUse', callback_id: 'h1' }] });
    const turn = new AbortController();
    const withdrawn = service.hook.hooks[0]?.ask(INPUT, { signal: turn.signal });
    turn.abort();
    await expect(withdrawn).rejects.toMatchObject({ code: 'cancelled' });
    const closed = service.hook.hooks[0]?.ask(INPUT, until);
    service.endInput();
    await expect(closed).rejects.toMatchObject({ code: 'channel_closed' });
  });
});
