import { AgentError } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { createComposer, IMAGE, MemoryHistory } from '../../test/composer-fixture.js';

test('Enter submits the text without trailing blanks, and ignores empty input', () => {
  const composer = createComposer();
  composer.press('enter');
  composer.type('fix the bug ');
  composer.press('enter', 'enter');
  expect(composer.sent).toEqual([{ text: 'fix the bug', images: [] }]);
  expect(composer.text).toBe('');
});

test.each(['shift+enter', 'alt+enter', 'ctrl+j'])('%s inserts a line break', (key) => {
  const composer = createComposer();
  composer.type('one');
  composer.press(key);
  composer.type('two');
  composer.press('enter');
  expect(composer.sent).toMatchObject([{ text: 'one\ntwo' }]);
});

test('a backslash before Enter inserts a line break', () => {
  const composer = createComposer();
  composer.type('one\\');
  composer.press('enter');
  composer.type('two');
  composer.press('enter');
  expect(composer.sent).toMatchObject([{ text: 'one\ntwo' }]);
});

test('Up and Down walk the history, and an edited entry becomes the draft', async () => {
  const composer = createComposer({ prompts: ['first', 'second\nlines'] });
  composer.type('draft');
  composer.press('up');
  await composer.settle();
  expect(composer.text).toBe('second\nlines');
  composer.press('up', 'up');
  await composer.settle();
  expect(composer.text).toBe('first');
  composer.press('down');
  expect(composer.text).toBe('second\nlines');
  composer.press('down');
  expect(composer.text).toBe('draft');
  composer.press('up');
  await composer.settle();
  composer.type('X');
  composer.press('up');
  await composer.settle();
  expect(composer.text).toBe('second\nlines');
  composer.press('down', 'down');
  expect(composer.text).toBe('secondX\nlines');
});

test('prompts taken back are put before the draft with their images and can be resubmitted unchanged', () => {
  const composer = createComposer();
  composer.type('being typed');
  composer.giveBack({ text: 'first', images: [] }, { text: 'see [Image #1] here', images: [IMAGE] });
  expect(composer.text).toBe('first\nsee [Image #1] here\nbeing typed');
  composer.press('enter');
  expect(composer.sent).toEqual([{ text: 'first\nsee [Image #1] here\nbeing typed', images: [IMAGE] }]);
});

test('Up on an empty line takes back queued prompts', () => {
  const composer = createComposer({ queued: 'later', prompts: ['before'] });
  composer.press('up');
  expect(composer.text).toBe('later');
});

test('Alt-Enter queues the prompt while the agent works and inserts a line break otherwise', () => {
  const composer = createComposer();
  composer.type('one');
  composer.press('alt+enter');
  composer.type('two');
  expect(composer.text).toBe('one\ntwo');
  composer.store.update((state) => ({
    ...state,
    turn: { startedAt: 0, phase: 'thinking', outputTokens: 0, isCancelling: false },
  }));
  composer.press('alt+enter');
  expect(composer.sent).toEqual([{ text: 'later: one\ntwo', images: [] }]);
});

test('history search filters while typing, and Enter accepts the match without submitting', async () => {
  const composer = createComposer({ prompts: ['run the tests', 'fix the tests', 'run the linter', 'other'] });
  composer.type('draft');
  composer.press('ctrl+r');
  await composer.settle();
  composer.type('run');
  expect(composer.composer.getState().search).toMatchObject({ query: 'run', index: 2 });
  composer.press('ctrl+r');
  expect(composer.composer.getState().search).toMatchObject({ index: 0 });
  composer.press('ctrl+r', 'ctrl+s', 'backspace', 'backspace', 'backspace');
  composer.type('TESTS');
  expect(composer.composer.getState().search?.index).toBeUndefined();
  composer.press('backspace', 'backspace', 'backspace', 'backspace', 'backspace');
  composer.type('tests');
  composer.press('enter');
  expect(composer.text).toBe('fix the tests');
  expect(composer.sent).toEqual([]);
  composer.press('ctrl+r');
  await composer.settle();
  composer.type('linter');
  composer.press('escape');
  expect(composer.text).toBe('fix the tests');
  composer.press('ctrl+r');
  await composer.settle();
  composer.type('linter');
  composer.press('ctrl+a');
  composer.type('> ');
  expect(composer.text).toBe('> run the linter');
});

test('pressing Escape twice in an empty input rewinds', () => {
  const composer = createComposer();
  composer.press('escape');
  expect(composer.composer.getState().notice).toContain('rewind');
  composer.press('left', 'escape');
  expect(composer.calls).toEqual([]);
  composer.press('escape');
  expect(composer.calls).toEqual(['rewind']);
});

test('pressing Escape twice clears the text, and undo restores it', () => {
  const composer = createComposer();
  composer.type('long thought');
  composer.press('escape');
  expect(composer.composer.getState().notice).toContain('again');
  composer.press('left', 'escape');
  expect(composer.text).toBe('long thought');
  composer.press('escape');
  expect(composer.text).toBe('');
  composer.press('ctrl+_');
  expect(composer.text).toBe('long thought');
});

test('Escape and Ctrl-C reach a running agent and keep the text', () => {
  const composer = createComposer();
  composer.store.update((state) => ({
    ...state,
    turn: { startedAt: 0, phase: 'thinking', outputTokens: 0, isCancelling: false },
  }));
  composer.type('next');
  composer.press('escape', 'escape', 'ctrl+c');
  expect(composer.calls).toEqual(['escape', 'escape', 'interrupt']);
  expect(composer.text).toBe('next');
});

test('Ctrl-C clears the text first; on empty input Ctrl-C, Ctrl-D and ? reach the screen', () => {
  const composer = createComposer();
  composer.type('text');
  composer.press('ctrl+c');
  expect([composer.text, composer.calls]).toEqual(['', []]);
  composer.press('ctrl+c', 'ctrl+d');
  composer.type('?');
  expect([composer.text, composer.calls]).toEqual(['', ['interrupt', 'leave', 'shortcuts']]);
  composer.type('why');
  composer.type('?');
  composer.press('ctrl+a', 'ctrl+d');
  expect(composer.text).toBe('hy?');
});

test('recognizes shell lines and memory notes', () => {
  const composer = createComposer();
  composer.type('!ls');
  expect(composer.composer.getState().mode).toBe('shell');
  composer.press('enter');
  composer.type('# use tabs');
  expect(composer.composer.getState().mode).toBe('memory');
  composer.press('enter');
  composer.type('#12 is broken');
  expect(composer.composer.getState().mode).toBe('prompt');
  composer.press('enter');
  expect(composer.sent.map(({ text }) => text)).toEqual(['!ls', '/memory add use tabs', '#12 is broken']);
});

test('Tab accepts a completion; Enter accepts it while the name is incomplete', () => {
  const composer = createComposer();
  composer.type('/mo');
  composer.answer(['model', 'more']);
  composer.press('enter');
  expect([composer.text, composer.sent]).toEqual(['/model ', []]);
  composer.answer(['qwen-max', 'qwen-plus']);
  composer.press('enter');
  expect(composer.sent).toMatchObject([{ text: '/model' }]);
  composer.type('/model q');
  composer.answer(['qwen-max', 'qwen-plus']);
  composer.press('down', 'tab');
  expect(composer.text).toBe('/model qwen-plus ');
});

test('Enter submits a complete command and never replaces an argument', () => {
  const composer = createComposer();
  composer.type('/help');
  composer.answer(['help', 'helpers'], true);
  composer.press('enter');
  composer.type('/chat save my');
  composer.answer(['my-older-one']);
  composer.press('enter');
  expect(composer.sent.map(({ text }) => text)).toEqual(['/help', '/chat save my']);
});

test('completes paths after @, continues into folders, and stays closed after Escape until the next word', () => {
  const composer = createComposer();
  composer.type('see @s');
  composer.answer(['src/', 'a\\ b.ts']);
  composer.press('tab');
  expect([composer.text, composer.asked.at(-1)]).toEqual(['see @src/', 'at see @src/']);
  composer.answer(['src/main.ts']);
  composer.press('enter');
  expect(composer.text).toBe('see @src/main.ts ');
  composer.type('and @');
  composer.answer(['x']);
  composer.press('escape');
  expect(composer.composer.getState().popup).toBeUndefined();
  const count = composer.asked.length;
  composer.type('y');
  expect([composer.asked.length, composer.text]).toEqual([count, 'see @src/main.ts and @y']);
  composer.press('tab');
  expect(composer.asked.at(-1)).toBe('at see @src/main.ts and @y');
  composer.type(' @z');
  expect(composer.asked.at(-1)).toBe('at see @src/main.ts and @y @z');
});

test('ignores answers to outdated completion queries', () => {
  const composer = createComposer();
  composer.type('/c');
  composer.answer(['chat', 'clear', 'copy']);
  composer.type('l');
  expect(composer.composer.getState().popup?.suggestions.map(({ value }) => value)).toEqual(['clear']);
  composer.asked.push('slash /c');
  composer.answer(['chat', 'clear', 'copy']);
  expect(composer.composer.getState().popup?.suggestions.map(({ value }) => value)).toEqual(['clear']);
  composer.press('left');
  expect(composer.composer.getState().popup).toBeUndefined();
});

test('reports a history file that cannot be written', async () => {
  const history = new MemoryHistory([]);
  history.add = () => Promise.reject(new AgentError('storage_unwritable', 'The history cannot be written.'));
  const composer = createComposer({ history });
  composer.type('x');
  composer.press('enter');
  await composer.settle();
  expect(composer.composer.getState().notice).toBe('The history cannot be written.');
});

test('a closed composer ignores input', () => {
  const composer = createComposer();
  let changes = 0;
  composer.composer.subscribe(() => {
    changes += 1;
  });
  composer.composer.close();
  composer.type('x');
  expect(changes).toBe(0);
});

test('Ctrl-B moves the running command to the background, or else the cursor', () => {
  const composer = createComposer();
  composer.type('ab');
  composer.press('ctrl+b');
  composer.type('x');
  expect(composer.text).toBe('axb');
  const turn = { startedAt: 0, phase: 'tools', outputTokens: 0, isCancelling: false } as const;
  composer.store.update((state) => ({ ...state, turn }));
  expect(composer.calls).toEqual([]);
  composer.press('ctrl+b');
  composer.type('y');
  expect(composer.calls).toEqual(['background']);
  expect(composer.text).toBe('axyb');
});

test('with the keys of vi, the composer gets what they leave, and the next prompt begins in insert mode', async () => {
  const composer = createComposer({ prompts: ['before'] });
  composer.store.update((state) => ({ ...state, isVim: true }));
  composer.type('helo wrld');
  await import('./vim/vim-mode.js');
  await composer.settle();
  composer.press('escape');
  expect(composer.composer.getState().vim).toEqual({ label: 'NORMAL' });
  composer.type('bcwworld');
  composer.press('escape');
  composer.type('0v');
  expect(composer.composer.getState().vim?.selection).toEqual({
    from: { line: 0, offset: 0 },
    to: { line: 0, offset: 1 },
  });
  composer.press('escape', 'enter');
  expect(composer.sent).toMatchObject([{ text: 'helo world' }]);
  composer.type('x');
  expect(composer.text).toBe('x');
  composer.press('escape');
  composer.type('k');
  await composer.settle();
  expect(composer.text).toBe('helo world');
  composer.press('escape', 'escape');
  expect(composer.text).toBe('');
});

test('a recalled prompt that ends with a long paste is folded again', async () => {
  const composer = createComposer();
  composer.composer.paste('row\n'.repeat(20));
  composer.press('enter', 'up');
  await composer.settle();
  expect(composer.text).toBe('[Pasted text #1 +20 lines]');
});
