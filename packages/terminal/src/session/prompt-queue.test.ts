import { expect, test } from 'vitest';
import { firstState } from '../state/terminal-state.js';
import { TerminalStore } from '../state/terminal-store.js';
import { PromptQueue } from './prompt-queue.js';

const PICTURE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } } as const;

function openQueue() {
  const store = new TerminalStore(firstState({ model: 'm', permissionMode: 'default' }));
  return { store, queue: new PromptQueue(store) };
}

test('queues prompts in order and shows them', () => {
  const { store, queue } = openQueue();
  queue.add({ text: 'one', images: [] });
  queue.add({ text: 'two', images: [] });
  expect(store.getState().queued.map(({ text }) => text)).toEqual(['one', 'two']);
  expect(queue.next()?.text).toBe('one');
  expect(queue.next()?.text).toBe('two');
  expect(queue.next()).toBeUndefined();
  expect(store.getState().queued).toEqual([]);
});

test('takes back all prompts with their images', () => {
  const { store, queue } = openQueue();
  queue.add({ text: 'one', images: [] });
  queue.add({ text: 'look', images: [PICTURE] });
  expect(queue.takeAll(() => true)).toEqual([
    { text: 'one', images: [] },
    { text: 'look', images: [PICTURE] },
  ]);
  expect(queue.takeAll(() => true)).toEqual([]);
  expect(store.getState().queued).toEqual([]);
});

test('prompts for the running turn come first and stay when the agent has them', () => {
  const { store, queue } = openQueue();
  queue.add({ text: 'after', images: [] });
  const first = queue.addSteering({ text: 'first', images: [] });
  const second = queue.addSteering({ text: 'second', images: [PICTURE] });
  expect(store.getState().queued.map(({ text }) => text)).toEqual(['first', 'second', 'after']);
  expect(queue.steering).toBe(first);
  expect(queue.takeAll((id) => id === second).map(({ text }) => text)).toEqual(['second', 'after']);
  expect(store.getState().queued.map(({ text }) => text)).toEqual(['first']);
  expect(queue.next()).toBeUndefined();
  expect(queue.take(first)?.text).toBe('first');
});
