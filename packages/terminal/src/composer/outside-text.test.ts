import { AgentError } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { createComposer, IMAGE } from '../../test/composer-fixture.js';

test('a paste submits nothing and loses its control characters', async () => {
  const composer = createComposer();
  composer.composer.paste('\u001b[31mone\u001b[0m\r\ntwo\u0007\r\n');
  await composer.settle();
  expect(composer.sent).toEqual([]);
  expect(composer.text).toBe('one\ntwo\n');
});

test('a long paste becomes a placeholder that is expanded on submit, in the editor and from history', async () => {
  const long = Array.from({ length: 120 }, (_, index) => `line ${index}`).join('\n');
  const edited: string[] = [];
  const composer = createComposer({
    editText: async (text) => {
      edited.push(text);
      return text;
    },
  });
  composer.type('see ');
  composer.composer.paste(long);
  composer.type('!');
  await composer.settle();
  expect(composer.text).toBe('see [Pasted text #1 +120 lines]!');
  composer.press('ctrl+g');
  await composer.settle();
  expect(edited).toEqual([`see ${long}!`]);
  composer.press('enter');
  expect(composer.sent).toEqual([{ text: `see ${long}!`, images: [] }]);
  composer.press('up');
  await composer.settle();
  expect(composer.text).toBe('see [Pasted text #1 +120 lines]!');
  composer.press('enter');
  expect(composer.sent[1]).toEqual(composer.sent[0]);
});

test('folds long unbracketed text too', () => {
  const composer = createComposer();
  composer.type('x'.repeat(3_000));
  composer.type('one\ntwo');
  expect(composer.text).toBe('[Pasted text #1 +3000 characters]one\ntwo');
});

test('applies keys typed while a dropped file loads after it', async () => {
  const reading = Promise.withResolvers<undefined>();
  const composer = createComposer({ readDropped: () => reading.promise });
  composer.composer.paste('/tmp/slow');
  composer.type(' is');
  composer.press('enter');
  expect(composer.composer.getState().isBusy).toBe(true);
  expect(composer.sent).toEqual([]);
  reading.resolve(undefined);
  await composer.settle();
  expect(composer.sent).toEqual([{ text: '/tmp/slow is', images: [] }]);
});

test('Escape cancels a loading file and keeps the text', async () => {
  const composer = createComposer({
    readDropped: (_text, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(undefined));
      }),
  });
  composer.composer.paste('/tmp/slow');
  composer.press('escape');
  await composer.settle();
  composer.type('!');
  expect(composer.text).toBe('/tmp/slow!');
});

test('attaches dropped images in text order', async () => {
  const other = { ...IMAGE, source: { ...IMAGE.source, data: 'BB==' } };
  const images = [IMAGE, other];
  const composer = createComposer({
    readDropped: async () => {
      const image = images.shift();
      return image && [{ kind: 'image', image }];
    },
  });
  composer.composer.paste('/a.png');
  await composer.settle();
  composer.press('home');
  composer.composer.paste('/b.png');
  await composer.settle();
  expect(composer.text).toBe('[Image #2] [Image #1] ');
  composer.press('enter');
  expect(composer.sent).toEqual([{ text: '[Image #2] [Image #1]', images: [other, IMAGE] }]);
});

test('turns other files into references and reports an oversized image', async () => {
  const composer = createComposer({
    readDropped: async () => [
      { kind: 'reference', path: 'src/a.ts' },
      { kind: 'refused', path: 'big.png', message: 'The picture has 9.0 MB.' },
    ],
  });
  composer.type('see');
  composer.composer.paste('x');
  await composer.settle();
  expect(composer.text).toBe('see @src/a.ts @big.png ');
  expect(composer.composer.getState().notice).toBe('The picture has 9.0 MB.');
});

test('keeps images whose labels survive the external editor', async () => {
  const composer = createComposer({
    readDropped: async () => [{ kind: 'image', image: IMAGE }],
    editText: async (text) => `Look:\n${text}`,
  });
  composer.composer.paste('/a.png');
  await composer.settle();
  composer.press('ctrl+x', 'ctrl+e');
  await composer.settle();
  composer.press('enter');
  expect(composer.sent).toEqual([{ text: 'Look:\n[Image #1]', images: [IMAGE] }]);
});

test('reports a failing editor and keeps the text', async () => {
  const composer = createComposer({
    editText: () => Promise.reject(new AgentError('tool_failed', 'It ended with 1.')),
  });
  composer.type('mine');
  composer.press('ctrl+g');
  await composer.settle();
  expect(composer.composer.getState().notice).toBe('It ended with 1.');
  expect(composer.text).toBe('mine');
});
