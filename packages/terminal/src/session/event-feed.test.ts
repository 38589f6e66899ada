import { Writable } from 'node:stream';
import type { AgentEvent } from '@qwen/agent';
import { expect, test, vi } from 'vitest';
import { plainText } from '../lines/styled-line.js';
import { firstState } from '../state/terminal-state.js';
import { TerminalStore } from '../state/terminal-store.js';
import { Transcript } from '../transcript/transcript.js';
import { EventFeed } from './event-feed.js';

function openFeed(output = new Writable({ write: (_chunk, _encoding, done) => done() })) {
  const store = new TerminalStore(firstState({ model: 'm', permissionMode: 'default' }));
  const transcript = new Transcript({ columns: () => 80, isScreenReader: false, folder: '/work' });
  const printed: string[] = [];
  const feed = new EventFeed({ store, transcript, output, print: (lines) => printed.push(...lines.map(plainText)) });
  let changes = 0;
  store.subscribe(() => {
    changes += 1;
  });
  return { store, feed, printed, changes: () => changes };
}

const notice = (message: string): AgentEvent => ({ type: 'notice', code: 'x', message, parentToolUseId: null });
const model = (name: string): AgentEvent => ({ type: 'model_changed', model: name });

test('shows the first event immediately and batches the rest into the next frame', async () => {
  vi.useFakeTimers();
  try {
    const { store, feed, printed, changes } = openFeed();
    await feed.take(model('a'));
    expect(store.getState().model).toBe('a');
    for (const name of ['b', 'c', 'd']) await feed.take(model(name));
    await feed.take(notice('behind'));
    expect(store.getState().model).toBe('a');
    await vi.advanceTimersByTimeAsync(33);
    expect(store.getState().model).toBe('d');
    expect(changes()).toBe(2);
    expect(printed.at(-1)).toBe('! behind');
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('prints other output after that of earlier events', async () => {
  const { feed, printed } = openFeed();
  await feed.take(notice('one'));
  await feed.take(notice('two'));
  feed.print([[{ text: 'three' }]]);
  expect(printed).toEqual(['! one', '! two', 'three']);
});

test('pauses the agent while the terminal is blocked', async () => {
  let release = (): void => undefined;
  const output = new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, done) => {
      release = done;
    },
  });
  output.write('full');
  const { feed } = openFeed(output);
  let hasRoom = false;
  const taken = Promise.resolve(feed.take(notice('one'))).then(() => {
    hasRoom = true;
  });
  await Promise.resolve();
  expect(hasRoom).toBe(false);
  release();
  await taken;
  expect(hasRoom).toBe(true);
});

test('limits events per frame so that keys are handled in between', async () => {
  vi.useFakeTimers();
  try {
    const { store, feed } = openFeed();
    await feed.take(model('first'));
    const takes = Array.from({ length: 400 }, (_event, number) => feed.take(model(`m${number}`)));
    expect(takes.slice(0, -1).every((taken) => taken === undefined)).toBe(true);
    expect(store.getState().model).toBe('first');
    await vi.advanceTimersByTimeAsync(33);
    await takes.at(-1);
    expect(store.getState().model).toBe('m399');
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
