import { AgentError } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { createDesk, IMAGE } from '../../test/composer-desk.js';

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
  const reading = Promise.withResolvers<undefined>();
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
