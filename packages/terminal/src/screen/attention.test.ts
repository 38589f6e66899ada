import { expect, test } from 'vitest';
import { firstState, type RunningTurn } from '../state/terminal-state.js';
import { TerminalStore } from '../state/terminal-store.js';
import { Attention, type AttentionOptions } from './attention.js';

const LONG_AGO = 0;

function openAttention(options: Partial<AttentionOptions> = {}) {
  const store = new TerminalStore(firstState({ model: 'm', permissionMode: 'default' }));
  const written: string[] = [];
  const write = (text: string) => void written.push(text);
  const attention = new Attention({
    store,
    write,
    folder: '/w/app',
    hasTitle: true,
    notifies: true,
    isTmux: false,
    ...options,
  });
  const work = (turn: Partial<RunningTurn>): void => {
    store.update((state) => ({
      ...state,
      turn: { startedAt: LONG_AGO, phase: 'tools', outputTokens: 0, isCancelling: false, ...turn },
    }));
  };
  const rest = (): void => store.update(({ turn: _over, ...state }) => state);
  return { store, attention, written, work, rest };
}

const question = {
  kind: 'confirmation',
  id: '1',
  confirmation: { prompt: '' },
  waiting: 0,
  answer: () => undefined,
} as never;

test('the title follows the state and is restored at the end', () => {
  const { attention, written, work, rest } = openAttention({ notifies: false });
  work({});
  work({ outputTokens: 9 });
  rest();
  attention.close();
  work({});
  expect(written).toEqual([
    '\u001b[22;2t',
    '\u001b]2;app - qwen\u0007',
    '\u001b]2;… app - qwen\u0007',
    '\u001b]2;app - qwen\u0007',
    '\u001b[23;2t',
  ]);
});

test('the name of a folder cannot contain a terminal sequence', () => {
  const { written } = openAttention({ folder: '/w/a\u001b]0;x\u0007b\nc\u009bd' });
  // oxlint-disable-next-line no-control-regex -- looks for control characters.
  expect(written[1]).toMatch(/^\u001b\]2;[^\u0000-\u001f\u007f-\u009f]+\u0007$/);
});

test('long work notifies once when it asks and once when it ends', () => {
  const { store, written, work, rest } = openAttention({ hasTitle: false });
  work({});
  store.update((state) => ({ ...state, question }));
  store.update((state) => ({ ...state }));
  store.update(({ question: _answered, ...state }) => state);
  rest();
  expect(written).toEqual([
    '\u0007\u001b]9;qwen (app): A question is waiting for your answer.\u0007',
    '\u0007\u001b]9;qwen (app): The turn has ended.\u0007',
  ]);
});

test('short work, work that the user stops, and the setting stay quiet', () => {
  const short = openAttention({ hasTitle: false });
  short.work({ startedAt: Date.now() });
  short.store.update((state) => ({ ...state, question }));
  short.rest();
  const stopped = openAttention({ hasTitle: false });
  stopped.work({ isCancelling: true });
  stopped.rest();
  const off = openAttention({ hasTitle: false, notifies: false });
  off.work({});
  off.rest();
  expect([...short.written, ...stopped.written, ...off.written]).toEqual([]);
});

test('tmux passes the notification to its terminal', () => {
  const { written, work, rest } = openAttention({ hasTitle: false, isTmux: true });
  work({});
  rest();
  expect(written).toEqual(['\u0007\u001bPtmux;\u001b\u001b]9;qwen (app): The turn has ended.\u0007\u001b\\']);
});
