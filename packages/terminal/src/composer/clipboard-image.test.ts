import { chmodSync } from 'node:fs';
import { temporaryFolder } from '@qwen/testkit';
import { afterEach, expect, test } from 'vitest';
import { readClipboardImage } from './clipboard-image.js';

const { PATH } = process.env;
afterEach(() => {
  process.env.PATH = PATH;
});

const { signal } = new AbortController();
const PNG_HEX = '89504e470d0a1a0a0000000d49484452';
const image = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: Buffer.from(PNG_HEX, 'hex').toString('base64') },
};
const printBytes = `node -e 'process.stdout.write(Buffer.from("${PNG_HEX}", "hex"))'`;

/** Programs by name with what they do, ahead of those of the machine. */
async function withPrograms(programs: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  for (const [name, body] of Object.entries(programs)) {
    chmodSync(await folder.write(name, `#!/bin/sh\n${body}\n`), 0o700);
  }
  process.env.PATH = `${folder.path}:${PATH}`;
  return folder;
}

test('reads the image from the first program that has one', async () => {
  await using folder = await withPrograms({
    'wl-paste': 'exit 1',
    xclip: `echo "$@" > "$(dirname "$0")/args"\n${printBytes}`,
  });
  expect(await readClipboardImage({ platform: 'linux', signal })).toEqual(image);
  expect(await folder.read('args')).toBe('-selection clipboard -t image/png -o\n');
});

test('decodes the AppleScript form on macOS and Base64 on Windows', async () => {
  await using _programs = await withPrograms({
    pngpaste: 'exit 1',
    osascript: `echo '«data PNGf${PNG_HEX.toUpperCase()}»'`,
    powershell: `printf ${image.source.data}`,
  });
  expect(await readClipboardImage({ platform: 'darwin', signal })).toEqual(image);
  expect(await readClipboardImage({ platform: 'win32', signal })).toEqual(image);
});

test('reports a clipboard without an image or with an unknown format', async () => {
  await using _programs = await withPrograms({
    'wl-paste': 'exit 1',
    xclip: 'exit 1',
    'powershell.exe': 'exit 1',
    pngpaste: 'echo text',
  });
  await expect(readClipboardImage({ platform: 'linux', signal })).rejects.toThrow('The clipboard contains no image');
  await expect(readClipboardImage({ platform: 'darwin', signal })).rejects.toThrow('The clipboard contains no image.');
});
