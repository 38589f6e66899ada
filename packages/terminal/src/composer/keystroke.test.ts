import { EventEmitter, once } from 'node:events';
import { Duplex, Writable } from 'node:stream';
import { type Instance, render, useInput } from 'ink';
import { createElement } from 'react';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Keystroke, toKeystrokes } from './keystroke.js';

const heard = new EventEmitter();
let pressed: Keystroke[] = [];
let stdin: Duplex;
let app: Instance;

function Keys(): null {
  useInput((input, key) => {
    if (input === '§') heard.emit('done');
    else pressed.push(...toKeystrokes(input, key));
  });
  return null;
}

beforeAll(async () => {
  stdin = Object.assign(new Duplex({ read: () => undefined }), {
    isTTY: true,
    setRawMode: (_isRaw: boolean): unknown => undefined,
    ref: (): unknown => undefined,
    unref: (): unknown => undefined,
  });
  const stdout = Object.assign(new Writable({ write: (_chunk, _encoding, done) => done() }), { isTTY: true });
  app = render(createElement(Keys), {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as NodeJS.WriteStream,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
  });
  await app.waitUntilRenderFlush();
});

afterAll(() => app.unmount());

/** The keystrokes that Ink reads from these bytes. */
async function keystrokesOf(bytes: string): Promise<string[]> {
  pressed = [];
  const isDone = once(heard, 'done');
  stdin.push(bytes);
  // Only a separate chunk is certainly a separate key.
  setImmediate(() => stdin.push('§'));
  await isDone;
  return pressed.map((key) => (key.kind === 'text' ? JSON.stringify(key.text) : key.name));
}

test.each([
  ['a', ['"a"']],
  ['Ä你', ['"Ä你"']],
  ['\r', ['enter']],
  ['\n', ['ctrl+j']],
  ['\u001b\r', ['alt+enter']],
  ['\u001b[13;2u', ['shift+enter']],
  ['\u001b[106;5u', ['ctrl+j']],
  ['\t', ['tab']],
  ['\u001b[Z', ['shift+tab']],
  ['\u007f', ['backspace']],
  ['\u001b\u007f', ['alt+backspace']],
  ['\u001b[3~', ['delete']],
  ['\u0001', ['ctrl+a']],
  ['\u001f', ['ctrl+_']],
  ['\u001b_', ['alt+_']],
  ['\u001bb', ['alt+b']],
  ['\u001bB', ['alt+b']],
  ['\u001b[1;5D', ['ctrl+left']],
  ['\u001b[1;3C', ['alt+right']],
  ['\u001b[122;6u', ['ctrl+shift+z']],
  ['\u001b[H', ['home']],
  ['\u001bOF', ['end']],
  ['\u001b[97;1:3u', []],
  ['\u001b[15~', []],
])('%j is %j', async (bytes, expected) => {
  expect(await keystrokesOf(bytes)).toEqual(expected);
});

test('separates keys that arrive in one chunk', async () => {
  expect(await keystrokesOf('fix it\r')).toEqual(['"fix it"', 'enter']);
  expect(await keystrokesOf('/he\t')).toEqual(['"/he"', 'tab']);
  expect(await keystrokesOf('\u0017\u0017\u0017')).toEqual(['ctrl+w', 'ctrl+w', 'ctrl+w']);
  expect(await keystrokesOf('ab\u007f\u0001x')).toEqual(['"ab"', 'backspace', 'ctrl+a', '"x"']);
});

test('treats several lines in one chunk as text, so an unbracketed paste submits nothing', async () => {
  expect(await keystrokesOf('one\rtwo\tthree\r\nfour')).toEqual(['"one\\rtwo\\tthree\\r\\nfour"']);
  expect(await keystrokesOf('one\rtwo\r')).toEqual(['"one\\rtwo\\r"']);
  expect(await keystrokesOf('\\\r\n')).toEqual(['"\\\\"', 'enter']);
});
