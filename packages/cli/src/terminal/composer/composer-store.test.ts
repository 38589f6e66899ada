import type { HintAnswer } from '@qwen/commands';
import { AgentError, createDeferred, type PromptRecord } from '@qwen/protocol';
import { expect, test } from 'vitest';
import type { ComposedInput } from '../session/terminal-session.js';
import { TerminalStore } from '../state/terminal-store.js';
import type { ComposerPorts } from './composer-ports.js';
import { type ComposerSession, ComposerStore } from './composer-store.js';
import type { PromptHistory } from './prompt-history.js';
import { textOf } from './text-buffer.js';

const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } } as const;

class MemoryHistory implements PromptHistory {
  readonly records: PromptRecord[];

  constructor(texts: readonly string[]) {
    this.records = texts.map((text) => ({ at: '2026-01-01T00:00:00.000Z', text }));
  }

  async list(): Promise<readonly PromptRecord[]> {
    return this.records;
  }

  async add(prompt: Omit<PromptRecord, 'at'>): Promise<void> {
    this.records.push({ at: '2026-01-01T00:00:00.000Z', ...prompt });
  }
}

interface Surroundings extends Partial<ComposerPorts> {
  readonly prompts?: readonly string[];
  readonly queued?: string;
}

function createDesk({ prompts = [], queued, ...ports }: Surroundings = {}) {
  const sent: ComposedInput[] = [];
  const calls: string[] = [];
  const asked: string[] = [];
  let hear: (answer: HintAnswer) => void = () => undefined;
  const store = new TerminalStore({
    model: 'm',
    permissionMode: 'default',
    calls: [],
    draft: '',
    todos: [],
    queued: [],
  });
  const session: ComposerSession = {
    store,
    submit: (input) => void sent.push(input),
    takeQueued: () => queued,
    requestHints: ({ trigger, text }) => void asked.push(`${trigger} ${text}`),
    onHints: (listener) => {
      hear = listener;
      return () => undefined;
    },
  };
  const composer = new ComposerStore(session, {
    history: new MemoryHistory(prompts),
    readDropped: async () => undefined,
    readClipboardImage: () => Promise.reject(new AgentError('tool_failed', 'There is no picture.')),
    editText: async (text) => text,
    ...ports,
  });
  const surroundings = {
    columns: 40,
    handlers: {
      onEscape: () => void calls.push('escape'),
      onInterrupt: () => void calls.push('interrupt'),
      onLeave: () => void calls.push('leave'),
      onShortcuts: () => void calls.push('shortcuts'),
    },
    withTerminal: (work: () => Promise<void>) => work(),
  };
  return {
    composer,
    sent,
    calls,
    asked,
    store,
    type: (text: string) => composer.press({ kind: 'text', text }, surroundings),
    press: (...names: string[]) => {
      for (const name of names) composer.press({ kind: 'key', name }, surroundings);
    },
    /** Everything that was to be read is read. */
    settle: () => new Promise<void>((resolve) => setImmediate(resolve)),
    /** The text with atoms as their labels, and the cursor. */
    get text() {
      const { buffer, atoms } = composer.getState();
      return textOf(buffer).replaceAll(/\udbff[\udc00-\udfff]/g, (atom) => atoms.get(atom)?.label ?? '?');
    },
    answer: (values: readonly string[], isPerfectMatch = false) => {
      const [trigger = '', ...text] = asked.at(-1)?.split(' ') ?? [];
      hear({
        query: {
          promptId: undefined,
          trigger: trigger === 'at' ? 'at' : 'slash',
          text: text.join(' '),
          cursor: 0,
          cwd: '/w',
        },
        status: 'ok',
        suggestions: values.map((value) => ({ label: value, value })),
        isPerfectMatch,
      });
    },
  };
}

test('Enter sends what was typed, without blanks behind it; nothing is not sent', () => {
  const desk = createDesk();
  desk.press('enter');
  desk.type('fix the bug ');
  desk.press('enter', 'enter');
  expect(desk.sent).toEqual([{ text: 'fix the bug', images: [] }]);
  expect(desk.text).toBe('');
});

test.each(['shift+enter', 'alt+enter', 'ctrl+j'])('%s makes a new line', (key) => {
  const desk = createDesk();
  desk.type('one');
  desk.press(key);
  desk.type('two');
  desk.press('enter');
  expect(desk.sent).toMatchObject([{ text: 'one\ntwo' }]);
});

test('a backslash in front of Enter becomes a new line', () => {
  const desk = createDesk();
  desk.type('one\\');
  desk.press('enter');
  desk.type('two');
  desk.press('enter');
  expect(desk.sent).toMatchObject([{ text: 'one\ntwo' }]);
});

test('a paste sends nothing, and holds nothing that steers a terminal', async () => {
  const desk = createDesk();
  desk.composer.paste('\u001b[31mone\u001b[0m\r\ntwo\u0007\r\n');
  await desk.settle();
  expect(desk.sent).toEqual([]);
  expect(desk.text).toBe('one\ntwo\n');
});

test('a long paste is one mark, which is whole again when it is sent, edited elsewhere, or called back', async () => {
  const long = Array.from({ length: 120 }, (_, index) => `line ${index}`).join('\n');
  const edited: string[] = [];
  const desk = createDesk({
    editText: async (text) => {
      edited.push(text);
      return text;
    },
  });
  desk.type('see ');
  desk.composer.paste(long);
  desk.type('!');
  await desk.settle();
  expect(desk.text).toBe('see [Pasted text #1 +120 lines]!');
  desk.press('ctrl+g');
  await desk.settle();
  expect(edited).toEqual([`see ${long}!`]);
  desk.press('enter');
  expect(desk.sent).toEqual([{ text: `see ${long}!`, images: [] }]);
  desk.press('up');
  await desk.settle();
  expect(desk.text).toBe('see [Pasted text #1 +120 lines]!');
  desk.press('enter');
  expect(desk.sent[1]).toEqual(desk.sent[0]);
});

test('a long text that is not told as a paste is folded too', () => {
  const desk = createDesk();
  desk.type('x'.repeat(3_000));
  desk.type('one\ntwo');
  expect(desk.text).toBe('[Pasted text #1 +3000 characters]one\ntwo');
});

test('keys that come while a dropped file is read have their effect behind it', async () => {
  const reading = createDeferred<undefined>();
  const desk = createDesk({ readDropped: () => reading.promise });
  desk.composer.paste('/tmp/slow');
  desk.type(' is');
  desk.press('enter');
  expect(desk.composer.getState().isBusy).toBe(true);
  expect(desk.sent).toEqual([]);
  reading.resolve(undefined);
  await desk.settle();
  expect(desk.sent).toEqual([{ text: '/tmp/slow is', images: [] }]);
});

test('Escape gives up what is being read, and keeps the words', async () => {
  const desk = createDesk({
    readDropped: (_text, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(undefined));
      }),
  });
  desk.composer.paste('/tmp/slow');
  desk.press('escape');
  await desk.settle();
  desk.type('!');
  expect(desk.text).toBe('/tmp/slow!');
});

test('dropped pictures go along in the order in which they stand in the text', async () => {
  const other = { ...IMAGE, source: { ...IMAGE.source, data: 'BB==' } };
  const images = [IMAGE, other];
  const desk = createDesk({
    readDropped: async () => {
      const image = images.shift();
      return image && [{ kind: 'image', image }];
    },
  });
  desk.composer.paste('/a.png');
  await desk.settle();
  desk.press('home');
  desk.composer.paste('/b.png');
  await desk.settle();
  expect(desk.text).toBe('[Image #2] [Image #1] ');
  desk.press('enter');
  expect(desk.sent).toEqual([{ text: '[Image #2] [Image #1]', images: [other, IMAGE] }]);
});

test('files that are no pictures become references, and a picture that is too large is told', async () => {
  const desk = createDesk({
    readDropped: async () => [
      { kind: 'reference', path: 'src/a.ts' },
      { kind: 'refused', path: 'big.png', message: 'The picture has 9.0 MB.' },
    ],
  });
  desk.type('see');
  desk.composer.paste('x');
  await desk.settle();
  expect(desk.text).toBe('see @src/a.ts @big.png ');
  expect(desk.composer.getState().notice).toBe('The picture has 9.0 MB.');
});

test('pictures survive an editor that leaves their labels', async () => {
  const desk = createDesk({
    readDropped: async () => [{ kind: 'image', image: IMAGE }],
    editText: async (text) => `Look:\n${text}`,
  });
  desk.composer.paste('/a.png');
  await desk.settle();
  desk.press('ctrl+x', 'ctrl+e');
  await desk.settle();
  desk.press('enter');
  expect(desk.sent).toEqual([{ text: 'Look:\n[Image #1]', images: [IMAGE] }]);
});

test('an editor that fails is told, and the text stays', async () => {
  const desk = createDesk({ editText: () => Promise.reject(new AgentError('tool_failed', 'It ended with 1.')) });
  desk.type('mine');
  desk.press('ctrl+g');
  await desk.settle();
  expect(desk.composer.getState().notice).toBe('It ended with 1.');
  expect(desk.text).toBe('mine');
});

test('up goes back through what was sent, down to the draft, and an edit in between is the new draft', async () => {
  const desk = createDesk({ prompts: ['first', 'second\nlines'] });
  desk.type('draft');
  desk.press('up');
  await desk.settle();
  expect(desk.text).toBe('second\nlines');
  desk.press('up', 'up');
  await desk.settle();
  expect(desk.text).toBe('first');
  desk.press('down');
  expect(desk.text).toBe('second\nlines');
  desk.press('down');
  expect(desk.text).toBe('draft');
  desk.press('up');
  await desk.settle();
  desk.type('X');
  desk.press('up');
  await desk.settle();
  expect(desk.text).toBe('second\nlines');
  desk.press('down', 'down');
  expect(desk.text).toBe('secondX\nlines');
});

test('up on an empty line takes back what waits for the agent', () => {
  const desk = createDesk({ queued: 'later', prompts: ['before'] });
  desk.press('up');
  expect(desk.text).toBe('later');
});

test('a search goes back by what is typed; Enter takes what it found and sends nothing', async () => {
  const desk = createDesk({ prompts: ['run the tests', 'fix the tests', 'run the linter', 'other'] });
  desk.type('draft');
  desk.press('ctrl+r');
  await desk.settle();
  desk.type('run');
  expect(desk.composer.getState().search).toMatchObject({ query: 'run', index: 2 });
  desk.press('ctrl+r');
  expect(desk.composer.getState().search).toMatchObject({ index: 0 });
  desk.press('ctrl+r', 'ctrl+s', 'backspace', 'backspace', 'backspace');
  desk.type('TESTS');
  expect(desk.composer.getState().search?.index).toBeUndefined();
  desk.press('backspace', 'backspace', 'backspace', 'backspace', 'backspace');
  desk.type('tests');
  desk.press('enter');
  expect(desk.text).toBe('fix the tests');
  expect(desk.sent).toEqual([]);
  desk.press('ctrl+r');
  await desk.settle();
  desk.type('linter');
  desk.press('escape');
  expect(desk.text).toBe('fix the tests');
  desk.press('ctrl+r');
  await desk.settle();
  desk.type('linter');
  desk.press('ctrl+a');
  desk.type('> ');
  expect(desk.text).toBe('> run the linter');
});

test('Escape twice clears the text, and undo has it again', () => {
  const desk = createDesk();
  desk.type('long thought');
  desk.press('escape');
  expect(desk.composer.getState().notice).toContain('again');
  desk.press('left', 'escape');
  expect(desk.text).toBe('long thought');
  desk.press('escape');
  expect(desk.text).toBe('');
  desk.press('ctrl+_');
  expect(desk.text).toBe('long thought');
});

test('while the agent works Escape and Ctrl-C are for it, and the text stays', () => {
  const desk = createDesk();
  desk.store.update((state) => ({
    ...state,
    turn: { startedAt: 0, phase: 'thinking', outputTokens: 0, isCancelling: false },
  }));
  desk.type('next');
  desk.press('escape', 'escape', 'ctrl+c');
  expect(desk.calls).toEqual(['escape', 'escape', 'interrupt']);
  expect(desk.text).toBe('next');
});

test('Ctrl-C clears a text first; Ctrl-C, Ctrl-D and ? on nothing are for the screen', () => {
  const desk = createDesk();
  desk.type('text');
  desk.press('ctrl+c');
  expect([desk.text, desk.calls]).toEqual(['', []]);
  desk.press('ctrl+c', 'ctrl+d');
  desk.type('?');
  expect([desk.text, desk.calls]).toEqual(['', ['interrupt', 'leave', 'shortcuts']]);
  desk.type('why');
  desk.type('?');
  desk.press('ctrl+a', 'ctrl+d');
  expect(desk.text).toBe('hy?');
});

test('a line for the shell and a note for the memory', () => {
  const desk = createDesk();
  desk.type('!ls');
  expect(desk.composer.getState().mode).toBe('shell');
  desk.press('enter');
  desk.type('# use tabs');
  expect(desk.composer.getState().mode).toBe('memory');
  desk.press('enter');
  desk.type('#12 is broken');
  expect(desk.composer.getState().mode).toBe('prompt');
  desk.press('enter');
  expect(desk.sent.map(({ text }) => text)).toEqual(['!ls', '/memory add use tabs', '#12 is broken']);
});

test('Tab takes a completion; Enter takes one of a name that is not whole', () => {
  const desk = createDesk();
  desk.type('/mo');
  desk.answer(['model', 'more']);
  desk.press('enter');
  expect([desk.text, desk.sent]).toEqual(['/model ', []]);
  desk.answer(['qwen-max', 'qwen-plus']);
  desk.press('enter');
  expect(desk.sent).toMatchObject([{ text: '/model' }]);
  desk.type('/model q');
  desk.answer(['qwen-max', 'qwen-plus']);
  desk.press('down', 'tab');
  expect(desk.text).toBe('/model qwen-plus ');
});

test('Enter sends what is whole already, and never puts something else in the place of an argument', () => {
  const desk = createDesk();
  desk.type('/help');
  desk.answer(['help', 'helpers'], true);
  desk.press('enter');
  desk.type('/chat save my');
  desk.answer(['my-older-one']);
  desk.press('enter');
  expect(desk.sent.map(({ text }) => text)).toEqual(['/help', '/chat save my']);
});

test('paths are completed behind an at sign, folders go on, and Escape closes until the word is over', () => {
  const desk = createDesk();
  desk.type('see @s');
  desk.answer(['src/', 'a\\ b.ts']);
  desk.press('tab');
  expect([desk.text, desk.asked.at(-1)]).toEqual(['see @src/', 'at see @src/']);
  desk.answer(['src/main.ts']);
  desk.press('enter');
  expect(desk.text).toBe('see @src/main.ts ');
  desk.type('and @');
  desk.answer(['x']);
  desk.press('escape');
  expect(desk.composer.getState().popup).toBeUndefined();
  const count = desk.asked.length;
  desk.type('y');
  expect([desk.asked.length, desk.text]).toEqual([count, 'see @src/main.ts and @y']);
  desk.press('tab');
  expect(desk.asked.at(-1)).toBe('at see @src/main.ts and @y');
  desk.type(' @z');
  expect(desk.asked.at(-1)).toBe('at see @src/main.ts and @y @z');
});

test('no answer to an earlier question is shown', () => {
  const desk = createDesk();
  desk.type('/c');
  desk.answer(['chat', 'clear', 'copy']);
  desk.type('l');
  expect(desk.composer.getState().popup?.suggestions.map(({ value }) => value)).toEqual(['clear']);
  desk.asked.push('slash /c');
  desk.answer(['chat', 'clear', 'copy']);
  expect(desk.composer.getState().popup?.suggestions.map(({ value }) => value)).toEqual(['clear']);
  desk.press('left');
  expect(desk.composer.getState().popup).toBeUndefined();
});

test('a history that cannot be written is told', async () => {
  const history = new MemoryHistory([]);
  history.add = () => Promise.reject(new AgentError('storage_unwritable', 'The history cannot be written.'));
  const desk = createDesk({ history });
  desk.type('x');
  desk.press('enter');
  await desk.settle();
  expect(desk.composer.getState().notice).toBe('The history cannot be written.');
});

test('a closed composer hears nothing more', () => {
  const desk = createDesk();
  let changes = 0;
  desk.composer.subscribe(() => {
    changes += 1;
  });
  desk.composer.close();
  desk.type('x');
  expect(changes).toBe(0);
});
