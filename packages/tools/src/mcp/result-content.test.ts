import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { callResultSchema, toToolResult } from './result-content.js';

const convert = (answer: unknown) => toToolResult(z.parse(callResultSchema, answer));

test('texts are joined', () => {
  const content = [
    { type: 'text', text: 'one' },
    { type: 'text', text: 'two' },
  ];
  expect(convert({ content })).toEqual({ content: 'one\ntwo', isError: false });
});

test('an error stays an error', () => {
  expect(convert({ content: [{ type: 'text', text: 'no' }], isError: true })).toEqual({ content: 'no', isError: true });
});

test('an image may be between texts', () => {
  const content = [
    { type: 'text', text: 'look' },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
  ];
  expect(convert({ content }).content).toEqual([
    { type: 'text', text: 'look' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
  ]);
});

test.each([
  ['no content at all', {}, ''],
  ['a structured part only', { structuredContent: { a: 1 } }, '{"a":1}'],
  [
    'a kind of block that nobody knows',
    { content: [{ type: 'hologram', x: 1 }] },
    '[content of type "hologram" cannot be shown]',
  ],
  [
    'a known kind with the wrong members',
    { content: [{ type: 'text', txt: 'x' }] },
    '[content of type "text" cannot be shown]',
  ],
  [
    'a picture that is not base64',
    { content: [{ type: 'image', data: '?', mimeType: 'image/png' }] },
    '[image that cannot be shown]',
  ],
  [
    'sound',
    { content: [{ type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }] },
    '[audio of type audio/wav cannot be shown]',
  ],
  ['a resource with text', { content: [{ type: 'resource', resource: { uri: 'x:y', text: 'inside' } }] }, 'inside'],
  [
    'a resource without',
    { content: [{ type: 'resource', resource: { uri: 'x:y', blob: 'aGk=' } }] },
    '[resource x:y is not text (unknown type)]',
  ],
])('%s does no harm', (_, answer, expected) => {
  verifies('F112');
  expect(convert(answer).content).toBe(expected);
});

test('a link is described and never followed', () => {
  verifies('S96');
  const content = [{ type: 'resource_link', uri: 'file:///etc/passwd', name: 'x' }];
  expect(convert({ content }).content).toBe('[link to resource file:///etc/passwd]');
});

test('a long text is cut in its middle, also next to images', () => {
  const text = { type: 'text', text: 'x'.repeat(1_000_000) };
  const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
  expect(JSON.stringify(convert({ content: [text] })).length).toBeLessThan(110_000);
  expect(JSON.stringify(convert({ content: [text, image, text] })).length).toBeLessThan(110_000);
});
