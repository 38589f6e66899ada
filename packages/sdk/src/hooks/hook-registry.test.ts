import type { HookInput } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createHookCallbackHandler, HookRegistry } from './hook-registry.js';

const common = { session_id: 's', transcript_path: '', cwd: '/', permission_mode: 'default' };
const stop: HookInput = { ...common, hook_event_name: 'Stop', stop_hook_active: false };
const call = { toolUseId: undefined, context: { signal: new AbortController().signal } };

test('each callback gets a separate id and is registered with its settings', () => {
  verifies('CF-38', 'M-22');
  const registry = new HookRegistry({
    PreToolUse: [
      { matcher: 'edit', hooks: [() => undefined, () => undefined], timeout: 5, blocking: false },
      { hooks: [() => undefined] },
    ],
    Stop: [
      { hooks: [() => undefined], timeout: Infinity },
      { hooks: [() => undefined], onFailure: 'block' },
      { hooks: [() => undefined], onFailure: 'continue' },
    ],
  });
  expect(registry.registrations).toEqual({
    PreToolUse: [
      { matcher: 'edit', hookCallbackIds: ['hook_0', 'hook_1'], timeout: 5, blocking: false },
      { hookCallbackIds: ['hook_2'] },
    ],
    Stop: [
      { hookCallbackIds: ['hook_3'], timeout: 0 },
      { hookCallbackIds: ['hook_4'], blocking: true },
      { hookCallbackIds: ['hook_5'], blocking: false },
    ],
  });
});

test('an app without hooks sends null', () => {
  expect(new HookRegistry().registrations).toBeNull();
  expect(new HookRegistry({ Stop: [] }).registrations).toBeNull();
});

test('a call reaches its callback with input, id of the call and signal', () => {
  const seen: unknown[] = [];
  const registry = new HookRegistry({
    Stop: [{ hooks: [(...args) => void seen.push(args)] }],
  });
  registry.call('hook_0', { ...call, toolUseId: 'toolu_1', input: stop });
  expect(seen).toEqual([[stop, 'toolu_1', call.context]]);
});

test.each([
  ['an id that was never given', 'hook_9', stop, 'has no hook with the id hook_9'],
  ['an input that lacks a member', 'hook_0', { ...stop, stop_hook_active: undefined }, 'stop_hook_active'],
  [
    'the input of another event',
    'hook_0',
    { ...common, hook_event_name: 'UserPromptSubmit', prompt: '' },
    'of Stop was',
  ],
])('%s is refused before any callback', (_name, callbackId, input, message) => {
  let calls = 0;
  const registry = new HookRegistry({ Stop: [{ hooks: [() => void (calls += 1)] }] });
  expect(() => registry.call(callbackId, { ...call, input })).toThrow(
    expect.objectContaining({ code: 'invalid_payload', message: expect.stringContaining(message) }),
  );
  expect(calls).toBe(0);
});

test.each<[kind: string, answer: unknown]>([
  ['an Error that was not thrown', new Error('no')],
  ['a Map', new Map([['decision', 'block']])],
  ['a Date', new Date(0)],
])('%s is a failure, not an approval', async (_kind, answer) => {
  const registry = new HookRegistry({ Stop: [{ hooks: [() => Object(answer)] }] });
  const problems: unknown[] = [];
  const handler = createHookCallbackHandler(registry, (error) => problems.push(error));
  const { signal } = call.context;
  await expect(handler({ callback_id: 'hook_0', input: stop }, { requestId: 'r', signal })).rejects.toMatchObject({
    code: 'hook_failed',
    message: expect.stringContaining('plain object'),
  });
  expect(problems).toHaveLength(1);
});

test('members of a class are an output', async () => {
  const denied = new (class {
    get decision() {
      return 'block' as const;
    }
  })();
  const registry = new HookRegistry({ Stop: [{ hooks: [() => denied] }] });
  const handler = createHookCallbackHandler(registry, () => undefined);
  const { signal } = call.context;
  expect(await handler({ callback_id: 'hook_0', input: stop }, { requestId: 'r', signal })).toEqual({
    decision: 'block',
  });
});
