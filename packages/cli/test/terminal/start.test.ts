import { lastText, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { BIN, openCliFixture } from '../cli-fixture.js';
import { openTerminal, READY } from './terminal-fixture.js';

test('a prompt on the command line is answered in plain text, also in a terminal', async () => {
  verifies('A-05');
  await using terminal = await openTerminal({ model: [says('Plain answer')], args: ['Say it'] });
  expect(await terminal.exited()).toMatchObject({ exitCode: 0 });
  expect(terminal.scrollback.trim()).toBe('Plain answer');
  expect(terminal.written).not.toContain('\u001b[?2004h');
});

test('piped text is the prompt, and the answer is plain', async () => {
  await using terminal = await openTerminal({
    model: [(request) => says(`Heard ${lastText(request)}`)],
    command: ['/bin/sh', '-c', 'echo piped words | "$0" "$1"', process.execPath, BIN],
  });
  expect(await terminal.exited()).toMatchObject({ exitCode: 0 });
  expect(terminal.scrollback.trim()).toBe('Heard piped words');
});

test('on a dumb terminal, the error lists the modes that work', async () => {
  await using terminal = await openTerminal({ env: { TERM: 'dumb' } });
  expect(await terminal.exited()).toMatchObject({ exitCode: 2 });
  expect(terminal.scrollback.replaceAll('\n', ' ')).toContain('TERM=dumb');
  expect(terminal.written).not.toContain('\u001b');
});

test('NO_COLOR shows the same without colours', async () => {
  await using terminal = await openTerminal({ model: [says('# Title\n\ntext')], env: { NO_COLOR: '1' } });
  await terminal.until(READY);
  await terminal.send('Hi');
  await terminal.until((shown) => shown.includes('Title') && shown.includes(READY));
  // oxlint-disable-next-line no-control-regex -- sequences are what is looked for.
  expect(terminal.written).not.toMatch(/\u001b\[(?:\d+;)*(?:3\d|9\d)[;\d]*m/);
});

test('--prompt-interactive starts with a prompt and stays open', async () => {
  await using terminal = await openTerminal({
    model: [(request) => says(`Heard ${lastText(request)}`)],
    args: ['-i', 'first words'],
  });
  await terminal.until((shown) => shown.includes('Heard first words') && shown.includes(READY));
  await terminal.send('more');
  expect(await terminal.until('Heard more')).toContain('> more');
});

test('--prompt-interactive without a terminal is refused', async () => {
  await using fixture = await openCliFixture();
  const program = await fixture.start(['-i', 'words']);
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 2 });
});

test('--continue shows the conversation and resumes it', async () => {
  await using terminal = await openTerminal({
    model: [says('The first answer'), (request) => says(`I know ${request.messages.length} messages`)],
    command: [
      '/bin/sh',
      '-c',
      '"$0" "$1" "The first prompt" >/dev/null && exec "$0" "$1" --continue',
      process.execPath,
      BIN,
    ],
  });
  const shown = await terminal.until((screen) => screen.includes('The first answer') && screen.includes(READY));
  expect(shown).toContain('> The first prompt');
  await terminal.send('Go on');
  await terminal.until('I know 4 messages');
});

test('--resume without an ID shows a list', async () => {
  await using terminal = await openTerminal({
    model: [says('The first answer')],
    command: [
      '/bin/sh',
      '-c',
      '"$0" "$1" "The first prompt" >/dev/null && exec "$0" "$1" --resume',
      process.execPath,
      BIN,
    ],
  });
  await terminal.until((screen) => screen.includes('The first prompt') && !screen.includes(READY));
  terminal.press('enter');
  const shown = await terminal.until((screen) => screen.includes('The first answer') && screen.includes(READY));
  expect(shown).toContain('> The first prompt');
});

test('--resume without an ID needs a terminal', async () => {
  await using fixture = await openCliFixture();
  const program = await fixture.start(['Go on', '--resume']);
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 2 });
});
