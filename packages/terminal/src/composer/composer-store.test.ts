import { AgentError } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { createDesk, IMAGE, MemoryHistory } from '../../test/composer-desk.js';

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

test('prompts that come back stand in front of what is being typed, with their pictures, and are sent again as they were', () => {
  const desk = createDesk();
  desk.type('being typed');
  desk.giveBack({ text: 'first', images: [] }, { text: 'see [Image #1] here', images: [IMAGE] });
  expect(desk.text).toBe('first\nsee [Image #1] here\nbeing typed');
  desk.press('enter');
  expect(desk.sent).toEqual([{ text: 'first\nsee [Image #1] here\nbeing typed', images: [IMAGE] }]);
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
