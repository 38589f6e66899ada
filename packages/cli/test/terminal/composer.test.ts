import { chmodSync } from 'node:fs';
import { lastText, type ScriptedModel, says, type TemporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { BIN } from '../cli-fixture.js';
import { openTerminal, READY } from './terminal-fixture.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The last request, after this number of requests. */
function sent(model: ScriptedModel): string {
  const request = model.requests.at(-1);
  return request === undefined ? '' : lastText(request);
}

/** An editor that writes a second line below what it gets. */
async function writeEditor(workspace: TemporaryFolder): Promise<void> {
  const editor = await workspace.write('editor', '#!/bin/sh\nprintf "\\nand add tests" >> "$1"\n');
  chmodSync(editor, 0o700);
}

test('several lines are typed, undone, and sent as one prompt', async () => {
  await using terminal = await openTerminal({ model: [says('Fine.')] });
  await terminal.until(READY);
  terminal.type('fix the bug');
  terminal.press('ctrl-j');
  terminal.type('and the typo');
  await terminal.until('  and the typo');
  terminal.type('\u0017\u001f');
  terminal.type('!\\');
  terminal.press('enter');
  await terminal.until(() => terminal.cursor.column === 2);
  terminal.type('soon');
  await terminal.until('  soon');
  terminal.press('enter');
  await terminal.untilPrinted('Fine.');
  expect(sent(terminal.model)).toContain('fix the bug\nand the typo!\nsoon');
});

test('a long paste is folded on the screen and sent complete', async () => {
  const lines = Array.from({ length: 120 }, (_, index) => `pasted line ${index}`);
  await using terminal = await openTerminal({ model: [says('Read.')] });
  await terminal.until(READY);
  terminal.type('See ');
  terminal.paste(lines.join('\r\n'));
  const screen = await terminal.until('See [Pasted text #1 +120 lines]');
  expect(screen).not.toContain('pasted line');
  expect(terminal.model.requests).toEqual([]);
  terminal.press('enter');
  await terminal.untilPrinted('Read.');
  expect(sent(terminal.model)).toContain(`See ${lines.join('\n')}`);
});

test('prompts of one run are available in the next, by arrow and by search', async () => {
  const qwen = `"${process.execPath}" "${BIN}"`;
  await using terminal = await openTerminal({
    model: [says('First.'), says('Second.'), says('Third.')],
    command: ['/bin/sh', '-c', `${qwen}; echo between; ${qwen}`],
  });
  await terminal.until(READY);
  terminal.type('rename the parser\r');
  await terminal.untilPrinted('First.');
  await terminal.until(READY);
  terminal.type(' my secret is 4711\r');
  await terminal.untilPrinted('Second.');
  await terminal.until(READY);
  terminal.type('write a test\r');
  await terminal.untilPrinted('Third.');
  await terminal.until(READY);
  terminal.press('ctrl-d');
  await terminal.until((screen) => (screen.split('between')[1] ?? '').includes(READY));
  terminal.type('draft');
  terminal.press('up');
  await terminal.until('> write a test');
  terminal.press('up');
  await terminal.until((screen) => (screen.split('between')[1] ?? '').includes('> rename the parser'));
  terminal.press('down', 'down');
  await terminal.until('> draft');
  terminal.press('ctrl-r');
  await terminal.until('search history:');
  terminal.type('parser');
  await terminal.until((screen) => /search history: parser\n\s+rename the parser/.test(screen));
  terminal.press('enter');
  await terminal.until((screen) => (screen.split('between')[1] ?? '').includes('> rename the parser'));
  terminal.press('enter');
  await terminal.until((screen) => (screen.split('between')[1] ?? '').includes('Third.'));
  expect(sent(terminal.model)).toContain('rename the parser');
});

test('a file is completed after an at sign and attached to the prompt', async () => {
  await using terminal = await openTerminal({
    model: [says('Seen.')],
    prepare: async (workspace) => {
      await workspace.write('project/src/unusual-name.ts', 'export const answer = 42;\n');
      await workspace.write('project/src/other.ts', '');
    },
  });
  await terminal.until(READY);
  terminal.type('read @unus');
  await terminal.until('› src/unusual-name.ts');
  terminal.press('tab');
  await terminal.until('> read @src/unusual-name.ts');
  terminal.press('enter');
  await terminal.untilPrinted('Seen.');
  expect(sent(terminal.model)).toContain('export const answer = 42;');
});

test('a command is completed with its description, Escape keeps the typed text, and Enter runs a complete one', async () => {
  await using terminal = await openTerminal();
  await terminal.until(READY);
  terminal.type('/abo');
  const screen = await terminal.until(/› about\s+\S/);
  expect(screen).toContain('> /abo');
  terminal.press('escape');
  await terminal.until((shown) => !shown.includes('› about'));
  terminal.press('tab');
  await terminal.until('› about');
  terminal.press('tab');
  await terminal.until('> /about');
  terminal.press('enter');
  await terminal.untilPrinted('Account: ');
  await terminal.until(READY);
  expect(terminal.model.requests).toEqual([]);
});

test('the text is edited in the configured editor, and the screen is restored', async () => {
  await using terminal = await openTerminal({
    model: [says('Done.')],
    prepare: writeEditor,
    command: ['/bin/sh', '-c', `EDITOR="$PWD/../editor" exec "${process.execPath}" "${BIN}"`],
  });
  await terminal.until(READY);
  terminal.type('fix it');
  await terminal.until('> fix it');
  terminal.type('\u0007');
  await terminal.until('  and add tests');
  terminal.type('!');
  await terminal.until('  and add tests!');
  terminal.press('enter');
  await terminal.untilPrinted('Done.');
  expect(sent(terminal.model)).toContain('fix it\nand add tests!');
});

test('a failing editor is reported and loses nothing', async () => {
  await using terminal = await openTerminal({ env: { EDITOR: 'false' } });
  await terminal.until(READY);
  terminal.type('precious');
  await terminal.until('> precious');
  terminal.type('\u0018\u0005');
  const screen = await terminal.until('ended with exit code 1');
  expect(screen).toContain('> precious');
});

test('a dropped image is sent to the model as an image', async () => {
  await using terminal = await openTerminal({
    model: [says('A dot.')],
    prepare: async (workspace) => void (await workspace.write('screen shot.png', PNG)),
  });
  await terminal.until(READY);
  terminal.type('what is ');
  terminal.paste(`'${terminal.workspace.resolve('screen shot.png')}'`);
  await terminal.until('> what is [Image #1]');
  terminal.press('enter');
  await terminal.untilPrinted('A dot.');
  const content = terminal.model.requests[0]?.messages.at(-1)?.content;
  expect(content).toMatchObject([
    { type: 'text', text: expect.stringContaining('what is [Image #1]') as unknown },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG.toString('base64')}` } },
  ]);
});

test('Escape twice clears the text, Ctrl-_ restores it, and a question mark lists the keys', async () => {
  await using terminal = await openTerminal();
  await terminal.until(READY);
  terminal.type('?');
  await terminal.untilPrinted(/ctrl-r/i);
  terminal.type('a long thought');
  await terminal.until('> a long thought');
  terminal.press('escape');
  await terminal.until('Press Escape again');
  terminal.press('escape');
  await terminal.until(READY);
  terminal.type('\u001f');
  expect(await terminal.until('> a long thought')).not.toContain(READY);
});
