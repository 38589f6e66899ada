import { verifies } from '@qwen/testkit';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createControlFixture } from '../../../test/control-fixture.js';
import { createFixtureAgent, onlyAgent } from '../../../test/fixture-agent.js';

describe('initialize', () => {
  test('returns what this CLI is and supports', async () => {
    verifies('M-08', 'M-13', 'M-14', 'M-15', 'M-16', 'M-17', 'M-18', 'M-19', 'M-20', 'N-14', 'CF-40', 'CF-41');
    const { app, service } = createControlFixture();
    const answer = await app.request('initialize', { hooks: null });
    expect(answer).toEqual({
      subtype: 'initialize',
      session_id: '6b0d34d6-5c1f-4a52-8b0f-6b1c1f6c0a11',
      protocol_version: 1,
      commands: ['clear'],
      output_style: 'stream-json',
      output_format: 'stream-json',
      model: 'first',
      permissionMode: 'default',
      account: { provider: 'openai', host: 'localhost' },
      agents: [],
      capabilities: {
        tools: ['read_file', 'edit'],
        mcpServers: true,
        hooks: true,
        permissionControl: true,
        outputFlow: true,
        mcpNotifications: true,
        can_handle_can_use_tool: true,
        can_handle_hook_callback: true,
        can_set_permission_mode: true,
        can_set_model: true,
        can_handle_mcp_message: true,
        can_set_effort: true,
        can_get_context_usage: true,
        can_get_available_models: true,
        can_get_usage_info: true,
      },
    });
    expect(answer).toMatchObject(service.system.getControlCapabilities());
  });

  test('may be repeated, and is optional', async () => {
    verifies('F23', 'GAP-42');
    const { app, happenings } = createControlFixture();
    await app.request('set_model', { model: 'second' });
    await app.request('initialize', { appendSystemPrompt: 'one' });
    expect(await app.request('initialize', { systemPrompt: 'two' })).toMatchObject({ model: 'second' });
    expect(happenings).toEqual(['overrides {"appendSystemPrompt":"one"}', 'overrides {"systemPrompt":"two"}']);
  });

  test('reports the changes of other controllers', async () => {
    verifies('N-05');
    const { app } = createControlFixture();
    await app.request('set_permission_mode', { mode: 'yolo' });
    expect(await app.request('initialize', {})).toMatchObject({ permissionMode: 'yolo' });
  });

  test.each([0, 2, 99])(
    'protocol version %d is a typed error with both versions, and the CLI exits',
    async (version) => {
      verifies('F24');
      const { app, happenings } = createControlFixture();
      await expect(app.request('initialize', { protocol_version: version, systemPrompt: 'x' })).rejects.toMatchObject({
        code: 'unsupported_protocol',
        message: `Protocol version ${version} is not supported. This qwen supports version 1.`,
      });
      expect(happenings).toEqual([expect.stringMatching(/^leave /)]);
    },
  );

  test('system prompts that arrive after the session has started are reported as ignored', async () => {
    const agent = { ...createFixtureAgent([]), setOverrides: () => false };
    const { app, notices } = createControlFixture({ agents: onlyAgent(agent) });
    await app.request('initialize', { systemPrompt: 'late' });
    expect(notices.map(({ code }) => code)).toEqual(['prompts_too_late']);
  });

  test('the budget and the fallback model of a prompt reach the agent', async () => {
    const { app, happenings } = createControlFixture();
    await app.request('initialize', { budget: { turns: 3 }, fallbackModels: ['b', 'c'] });
    expect(happenings).toEqual(['overrides {"budget":{"turns":3},"fallbackModels":["b","c"]}']);
  });

  test.each([0, -1])('a budget of %d is refused with its location, and nothing changes', async (turns) => {
    const { app, happenings } = createControlFixture();
    await expect(app.request('initialize', { budget: { turns }, systemPrompt: 'x' })).rejects.toMatchObject({
      code: 'invalid_payload',
      message: `initialize.budget.turns: expected a number above 0, not ${turns}`,
    });
    expect(happenings).toEqual([]);
  });

  test('an invalid schema fails the request', async () => {
    const { app, happenings } = createControlFixture();
    await expect(app.request('initialize', { outputSchema: { type: 'not a schema' } })).rejects.toMatchObject({
      code: 'invalid_payload',
      message: 'outputSchema: /type is wrong',
    });
    expect(await app.request('initialize', { outputSchema: { type: 'object' } })).toMatchObject({ model: 'first' });
    expect(happenings).toEqual(['output schema']);
  });
});

test('the rest of the program can see that a turn was stopped, and reset it', async () => {
  verifies('M-26');
  const { app, service } = createControlFixture();
  expect(service.system.isInterrupted()).toBe(false);
  await app.request('interrupt', {});
  expect(service.system.isInterrupted()).toBe(true);
  service.system.resetInterrupt();
  expect(service.system.isInterrupted()).toBe(false);
});

test('continue_last_turn returns the reason for a refusal', async () => {
  const { app } = createControlFixture();
  expect(await app.request('continue_last_turn', {})).toEqual({
    accepted: false,
    reason: 'This session has no messages yet.',
  });
});

describe('set_model', () => {
  test('returns the current model; null selects the initial one', async () => {
    verifies('M-27', 'M-28', 'CF-43');
    const { app } = createControlFixture();
    expect(await app.request('set_model', { model: 'second' })).toEqual({ subtype: 'set_model', model: 'second' });
    expect(await app.request('set_model', { model: null })).toEqual({ subtype: 'set_model', model: 'first' });
    expect(await app.request('set_model', {})).toEqual({ subtype: 'set_model', model: 'first' });
  });

  test.each(['', '  ', 'a\nb', 'x'.repeat(257), 5])('%j is refused, and the old model stays', async (model) => {
    verifies('M-29', 'M-30');
    const { app } = createControlFixture();
    await expect(app.request('set_model', { model } as never)).rejects.toMatchObject({ code: 'invalid_payload' });
    expect(await app.request('initialize', {})).toMatchObject({ model: 'first' });
  });

  test('an unavailable model is the error of the switch', async () => {
    verifies('M-33', 'M-30');
    const { app } = createControlFixture();
    await expect(app.request('set_model', { model: 'broken' })).rejects.toMatchObject({ code: 'model_not_found' });
    expect(await app.request('initialize', {})).toMatchObject({ model: 'first' });
  });
});

test('interrupt acts, then answers null', async () => {
  verifies('M-22', 'M-23', 'CF-42');
  const { app, happenings } = createControlFixture();
  const asked = app.request('interrupt', {}).then((answer) => happenings.push(`answer ${String(answer)}`));
  await asked;
  expect(happenings).toEqual(['interrupt', 'answer null']);
});

test('supported_commands reads the names each time', async () => {
  verifies('M-35', 'M-36');
  const names = ['clear'];
  const { app } = createControlFixture({ commandNames: () => names });
  expect(await app.request('supported_commands', {})).toEqual({ commands: ['clear'] });
  names.push('help');
  expect(await app.request('supported_commands', {})).toEqual({ commands: ['clear', 'help'] });
});

test('set_output_flow opens and closes the gate', async () => {
  const { app, happenings } = createControlFixture();
  expect(await app.request('set_output_flow', { paused: true })).toEqual({ paused: true });
  expect(await app.request('set_output_flow', { paused: false })).toEqual({ paused: false });
  expect(happenings).toEqual(['pause', 'resume']);
});

describe('renew_lease', () => {
  afterEach(() => vi.useRealTimers());

  test('ends the process at the deadline unless it is renewed', async () => {
    vi.useFakeTimers();
    const { app, happenings } = createControlFixture();
    const renew = (ttlMs: number) => app.request('renew_lease', { ttl_ms: ttlMs, expires_at: Date.now() + ttlMs });
    await renew(1000);
    await vi.advanceTimersByTimeAsync(900);
    await renew(1000);
    await vi.advanceTimersByTimeAsync(900);
    expect(happenings).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(happenings).toEqual(['exit']);
  });

  test('a request that was delayed extends nothing, and an expired lease cannot be renewed', async () => {
    vi.useFakeTimers();
    const { app, happenings } = createControlFixture();
    await app.request('renew_lease', { ttl_ms: 1000, expires_at: Date.now() + 200 });
    await vi.advanceTimersByTimeAsync(200);
    expect(happenings).toEqual(['exit']);
    await app.request('renew_lease', { ttl_ms: 1000, expires_at: Date.now() + 1000 });
    expect(happenings).toEqual(['exit', 'exit']);
    const late = createControlFixture();
    await late.app.request('renew_lease', { ttl_ms: 1000, expires_at: Date.now() - 1 });
    expect(late.happenings).toEqual(['exit']);
  });
});

test('rewind_files previews and restores; a message without copies is an error, or a reason in a dry run', async () => {
  const { app, happenings } = createControlFixture();
  expect(await app.request('rewind_files', { user_message_id: 'm', dry_run: true })).toEqual({
    canRewind: true,
    filesChanged: ['/work/a.txt'],
    insertions: 2,
    deletions: 1,
    files: [
      { path: '/work/a.txt', action: 'restore', changed_since: true, copy: '/copies/1' },
      { path: '/work/b.txt', action: 'delete', refused: 'It is a link now.' },
    ],
  });
  expect(happenings).toEqual([]);
  for (const user_message_id of ['unknown', 'unkept']) {
    expect(await app.request('rewind_files', { user_message_id, dry_run: true })).toMatchObject({ canRewind: false });
  }
  expect(await app.request('rewind_files', { user_message_id: 'm' })).toMatchObject({ canRewind: true });
  expect(await app.request('rewind_conversation', { user_message_id: 'm' })).toEqual({ prompt: 'the prompt' });
  expect(happenings).toEqual(['rewind m', 'rewind conversation m']);
});
