import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type InputStep, SessionInputs } from './session-inputs.js';

/** Inputs that are taken in when the test says so. */
function openInputs() {
  const inputs = new SessionInputs();
  const happenings: string[] = [];
  const open = new Map<string, PromiseWithResolvers<void>>();
  const begun = new Map<string, PromiseWithResolvers<void>>();
  const whenBegun = (name: string): PromiseWithResolvers<void> => {
    const known = begun.get(name) ?? Promise.withResolvers<void>();
    begun.set(name, known);
    return known;
  };
  const step = (name: string): InputStep => ({
    promptId: () => name,
    take: (signal) => {
      happenings.push(`take ${name}`);
      const taken = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => taken.reject(signal.reason), { once: true });
      open.set(name, taken);
      whenBegun(name).resolve();
      return taken.promise;
    },
    refuse: ({ code }) => happenings.push(`refuse ${name}: ${code}`),
  });
  const idle = () => new Promise<void>((resolve) => inputs.whenIdle(resolve));
  const until = (name: string) => whenBegun(name).promise;
  return { inputs, happenings, step, idle, until, finish: (name: string) => open.get(name)?.resolve() };
}

test('each input waits until the previous one was accepted', async () => {
  verifies('GAP-09');
  const { inputs, happenings, step, idle, until, finish } = openInputs();
  for (const name of ['a', 'b']) inputs.add(step(name));
  expect(happenings).toEqual(['take a']);
  expect([inputs.current, inputs.isIdle]).toEqual(['a', false]);
  const done = idle();
  finish('a');
  await until('b');
  expect(happenings).toEqual(['take a', 'take b']);
  finish('b');
  await done;
  expect([inputs.current, inputs.isIdle]).toEqual([undefined, true]);
});

test('the 33rd queued input is refused, and no other is lost', () => {
  verifies('GAP-09');
  const { inputs, step } = openInputs();
  for (let count = 0; count < 33; count += 1) inputs.add(step(`${count}`));
  expect(() => inputs.add(step('one more'))).toThrow(expect.objectContaining({ code: 'overloaded' }));
});

test('a cancel drops the input being read and nothing after it', async () => {
  verifies('I-06');
  const { inputs, happenings, step, idle, until, finish } = openInputs();
  expect(inputs.cancel()).toBe(false);
  for (const name of ['a', 'b']) inputs.add(step(name));
  expect(inputs.cancel()).toBe(true);
  await until('b');
  expect(happenings).toEqual(['take a', 'refuse a: cancelled', 'take b']);
  finish('b');
  await idle();
  expect(happenings).toHaveLength(3);
});

test('an input that is forwarded immediately does not delay the next one', () => {
  verifies('F-01', 'CF-23');
  const { inputs, happenings, step } = openInputs();
  const passed = (name: string): InputStep => ({ ...step(name), take: () => void happenings.push(name) });
  inputs.add(passed('a'));
  inputs.add(passed('b'));
  inputs.whenIdle(() => happenings.push('idle'));
  expect(happenings).toEqual(['a', 'b', 'idle']);
});

test('inputs stay in order while one is being read, and a refusal affects only that one', async () => {
  verifies('F-01', 'CF-23');
  const { inputs, happenings, step, idle } = openInputs();
  const reading = Promise.withResolvers<void>();
  inputs.add({ ...step('a'), take: () => reading.promise });
  inputs.add({
    ...step('b'),
    take: () => {
      throw new AgentError('invalid_message', 'b');
    },
  });
  inputs.add({ ...step('c'), take: () => void happenings.push('c') });
  expect(happenings).toEqual([]);
  reading.reject(new AgentError('overloaded', 'full'));
  await idle();
  expect(happenings).toEqual(['refuse a: overloaded', 'refuse b: invalid_message', 'c']);
});

test('the next input follows even if a refusal cannot be reported', async () => {
  const { inputs, happenings, step, idle } = openInputs();
  const refuse = () => {
    throw new Error('closed');
  };
  const fail = () => {
    throw new AgentError('invalid_message', 'b');
  };
  inputs.add({ ...step('a'), take: () => Promise.reject(new AgentError('overloaded', 'full')), refuse });
  inputs.add({ ...step('b'), take: fail, refuse });
  inputs.add({ ...step('c'), take: () => void happenings.push('c') });
  await idle();
  inputs.add({ ...step('d'), take: fail, refuse });
  inputs.add({ ...step('e'), take: () => void happenings.push('e') });
  expect(happenings).toEqual(['c', 'e']);
  expect(inputs.isIdle).toBe(true);
});
