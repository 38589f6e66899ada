import { readdir, readFile } from 'node:fs/promises';
import { calls, lastText, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { BIN } from '../cli-fixture.js';
import { untilFree } from './question-fixture.js';
import { openTerminal, READY, type TerminalFixture } from './terminal-fixture.js';

/** An answer that takes some seconds at this pace. */
const LONG = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ');
const SLOWLY = 40;

/** `qwen`, after a run of it that says a prompt and ends. */
const after = (...args: readonly string[]) =>
  [
    '/bin/sh',
    '-c',
    'bin="$1"; shift; "$0" "$bin" -p "$@" >/dev/null && exec "$0" "$bin"',
    process.execPath,
    BIN,
    ...args,
  ] as const;

async function chooseEarlier(terminal: TerminalFixture, prompt: string): Promise<void> {
  terminal.type('/resume');
  await terminal.until('> /resume');
  terminal.press('enter');
  await terminal.until((screen) => screen.includes('Earlier sessions') && screen.includes(prompt));
  terminal.press('enter');
}

test('a resumed session looks as it did originally', async () => {
  const edit = { file_path: 'note.txt', old_string: 'old', new_string: 'new' };
  await using terminal = await openTerminal({
    model: [
      calls({ name: 'read_file', input: { file_path: 'note.txt' } }),
      calls({ name: 'edit', input: edit }),
      says('It is **new** now'),
    ],
    command: after('Make it new', '--yolo'),
    prepare: async (workspace) => void (await workspace.write('project/note.txt', 'old\n')),
  });
  await terminal.until(READY);
  await chooseEarlier(terminal, 'Make it new');
  const screen = await untilFree(terminal, 'It is new now');
  expect(screen).toMatch(/> Make it new[^]*✓ Read note\.txt[^]*✓ Edit note\.txt[^]*It is new now/);
});

test('opening another session during a turn stops it and restores the queued prompts to the editor', async () => {
  await using terminal = await openTerminal({
    model: [
      says('The first answer'),
      says(LONG),
      (request) => says(`Heard ${lastText(request)} as message ${request.messages.length}`),
    ],
    tokensPerSecond: SLOWLY,
    command: after('The first prompt'),
    rows: 40,
  });
  await terminal.until(READY);
  await terminal.send('Count');
  await terminal.until('word3');
  await terminal.send('what comes next');
  await terminal.until('Queued: what comes next');
  await chooseEarlier(terminal, 'The first prompt');
  const opened = await terminal.until((screen) => screen.includes('> what comes next'));
  expect(opened).toMatch(/word3[^]*This turn was interrupted\.[^]*> The first prompt[^]*The first answer/);
  expect(opened).not.toContain('Esc to interrupt');
  terminal.press('enter');
  const shown = await terminal.until('Heard what comes next as message 4');
  expect(shown).not.toContain('word399');
  const folder = terminal.workspace.resolve('home/.qwen/sessions');
  const files = await readdir(folder);
  const texts = await Promise.all(
    files.filter((name) => name.endsWith('.jsonl')).map((name) => readFile(`${folder}/${name}`, 'utf8')),
  );
  const left = texts.find((text) => text.includes('Count'));
  expect(left).toMatch(/"type":"turn_end".*"outcome":"interrupted"/);
  expect(left).not.toContain('what comes next');
});
