import { Box, Text } from 'ink';
import { type ReactElement, useSyncExternalStore } from 'react';
import { expect, test } from 'vitest';
import { ComponentFixture, type ComponentFixtureOptions, KEYS } from '../../test/component-fixture.js';
import { TerminalStore } from '../state/terminal-store.js';
import { Composer } from './composer.js';
import { type ComposerSession, ComposerStore } from './composer-store.js';

const PASTE = { start: '\u001b[200~', end: '\u001b[201~' };

/** Lines above the box; they change without a redraw of the box. */
class Above {
  readonly #listeners = new Set<() => void>();
  #lines: readonly string[] = ['above'];

  readonly get = (): readonly string[] => this.#lines;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(lines: readonly string[]): void {
    this.#lines = lines;
    for (const listener of this.#listeners) listener();
  }
}

function AboveLines({ above }: { readonly above: Above }): ReactElement {
  return <Text>{useSyncExternalStore(above.subscribe, above.get).join('\n')}</Text>;
}

function openFixture({ columns = 40, rows = 20, ...options }: ComponentFixtureOptions = {}) {
  const sent: string[] = [];
  const store = new TerminalStore({
    model: 'm',
    permissionMode: 'default',
    calls: [],
    draft: '',
    todos: [],
    queued: [],
  });
  let answer: Parameters<ComposerSession['onHints']>[0] = () => undefined;
  const session: ComposerSession = {
    store,
    submit: ({ text }) => void sent.push(text),
    returnQueued: () => false,
    onReturned: () => () => undefined,
    requestHints: (query) =>
      answer({
        query: { promptId: undefined, cwd: '/w', ...query },
        status: 'ok',
        isPerfectMatch: false,
        suggestions: [
          { label: 'model', value: 'model', description: 'Chooses the model.' },
          { label: 'memory', value: 'memory', description: 'What the model shall keep in mind.' },
        ],
      }),
    onHints: (listener) => {
      answer = listener;
      return () => undefined;
    },
  };
  const composer = new ComposerStore(session, {
    history: { list: async () => [], add: async () => undefined },
    readDropped: async () => undefined,
    readClipboardImage: () => Promise.reject(new Error('none')),
    editText: async (text) => text,
  });
  const above = new Above();
  const nothing = (): void => undefined;
  const fixture = new ComponentFixture(
    <Box flexDirection="column">
      <AboveLines above={above} />
      <Composer
        composer={composer}
        columns={columns}
        maxRows={10}
        onEscape={nothing}
        onRewind={nothing}
        onInterrupt={nothing}
        onLeave={nothing}
        onBackground={() => false}
        onShortcuts={nothing}
      />
      <Text>below</Text>
    </Box>,
    { columns, rows, ...options },
  );
  return { fixture, sent, above, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() };
}

test('places the cursor after the text, including wide characters', async () => {
  await using opened = openFixture();
  await opened.fixture.until('Type a prompt');
  opened.fixture.type('你好 world');
  await opened.fixture.until('> 你好 world');
  expect(opened.fixture.cursor).toEqual({ row: 2, column: 2 + 4 + 6 });
  opened.fixture.type('\u0001');
  await opened.fixture.until(() => opened.fixture.cursor.column === 2);
  opened.fixture.type('x\n');
  await opened.fixture.until('  你好 world');
  expect(opened.fixture.cursor).toEqual({ row: 3, column: 2 });
});

test('moves the cursor when the area above grows', async () => {
  await using opened = openFixture();
  opened.fixture.type('ab');
  await opened.fixture.until('> ab');
  opened.above.set(['one', 'two', 'three']);
  await opened.fixture.until('three');
  expect(opened.fixture.cursor).toEqual({ row: 4, column: 4 });
  opened.above.set(['one']);
  await opened.fixture.until((screen) => !screen.includes('three'));
  expect(opened.fixture.cursor).toEqual({ row: 2, column: 4 });
});

test('scrolls a tall text around the cursor', async () => {
  await using opened = openFixture();
  opened.fixture.type(Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n'));
  const screen = await opened.fixture.until('[Pasted text');
  expect(screen).toContain('[Pasted text #1 +30 lines]');
  opened.fixture.type('\u0017');
  for (let index = 0; index < 30; index += 1) opened.fixture.type(`row ${index}\u001b\r`);
  opened.fixture.type('end');
  const long = await opened.fixture.until((shown) => shown.includes('  end') && shown.includes('more above'));
  expect(long).not.toContain('row 20\n');
  expect(long).toContain('row 29');
  expect(long.split('\n').filter((line) => line.startsWith('──'))).toHaveLength(2);
});

test('lists completions with descriptions and selects them by keyboard', async () => {
  await using opened = openFixture();
  opened.fixture.type('/m');
  const screen = await opened.fixture.until('› model');
  expect(screen).toContain('› model   Chooses the model.');
  expect(screen).toContain('  memory  What the model shall keep');
  opened.fixture.type(KEYS.down);
  await opened.fixture.until('› memory');
  opened.fixture.type('\t');
  await opened.fixture.until('> /memory');
});

test('inserts pasted text without submitting it', async () => {
  await using opened = openFixture();
  await opened.fixture.until('Type a prompt');
  opened.fixture.type(`${PASTE.start}one\rtwo\r${PASTE.end}`);
  await opened.fixture.until('  two');
  expect(opened.sent).toEqual([]);
  opened.fixture.type('three\r');
  await opened.fixture.until('Type a prompt');
  expect(opened.sent).toEqual(['one\ntwo\nthree']);
});

test.each([
  ['a pause', 'wo'],
  ['Ctrl+C', '\u0003'],
])('ends a paste without an end at %s, and keeps its text', async (_name, next) => {
  await using opened = openFixture();
  opened.fixture.type(`${PASTE.start}one\rt`);
  await opened.fixture.until('Type a prompt');
  opened.fixture.type(next);
  await opened.fixture.until('  t');
  expect(opened.sent).toEqual([]);
  opened.fixture.type('!\r');
  await opened.fixture.until('Type a prompt');
  expect(opened.sent).toEqual([next === 'wo' ? 'one\ntwo!' : 'one\nt!']);
});

test('gives screen readers words and numbers instead of borders', async () => {
  await using opened = openFixture({ isScreenReader: true });
  opened.fixture.type('/m');
  const screen = await opened.fixture.until('2. memory');
  expect(screen).toContain('1. model (selected): Chooses the model.');
  expect(screen).not.toMatch(/[─›]/);
});

test('fits into a small screen', async () => {
  await using opened = openFixture({ columns: 12, rows: 8 });
  opened.fixture.type('some words that are long');
  const screen = await opened.fixture.until('  long');
  expect(Math.max(...screen.split('\n').map((line) => line.length))).toBeLessThanOrEqual(12);
});
