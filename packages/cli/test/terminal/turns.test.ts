import { readFile, writeFile } from 'node:fs/promises';
import { calls, lastText, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openTerminal, READY } from './terminal-fixture.js';

/** An answer that takes a while: at this pace, some seconds. */
const LONG = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ');
const SLOWLY = 40;

test('a prompt is typed, its answer printed, and the input is empty again', async () => {
  verifies('A-05');
  await using terminal = await openTerminal({ model: [says('Hello **you**')] });
  await terminal.until(READY);
  terminal.type('Say hello');
  await terminal.until('> Say hello');
  terminal.press('enter');
  const screen = await terminal.until((shown) => shown.includes('Hello you') && shown.includes(READY));
  expect(screen.match(/> Say hello/g)).toHaveLength(1);
  expect(terminal.model.requests).toHaveLength(1);
});

test('the answer is shown as it arrives, with the activity and the key to stop it', async () => {
  await using terminal = await openTerminal({ model: [says(LONG)], tokensPerSecond: SLOWLY });
  await terminal.until(READY);
  await terminal.send('Count');
  const screen = await terminal.until((shown) => shown.includes('word3') && shown.includes('Esc to interrupt'));
  expect(screen).not.toContain('word199');
});

test('a tool that needs a permission asks, runs once allowed, and shows its result', async () => {
  const command = 'echo made > made.txt; echo it is done';
  await using terminal = await openTerminal({
    model: [calls({ name: 'run_shell_command', input: { command } }), says('Finished')],
  });
  await terminal.until(READY);
  await terminal.send('Make it');
  await terminal.until((shown) => shown.includes('Run this command?') && shown.includes(command));
  // The question does not take the key that was meant for the input.
  terminal.press('enter');
  await terminal.until(/Enter or number/);
  terminal.type('1');
  const screen = await terminal.until((shown) => shown.includes('Finished') && shown.includes(READY));
  expect(screen).toContain('it is done');
  expect(await readFile(terminal.workspace.resolve('project/made.txt'), 'utf8')).toBe('made\n');
});

test('Escape stops the turn, keeps the typed text, and the next prompt is answered', async () => {
  await using terminal = await openTerminal({ model: [says(LONG), says('Second answer')], tokensPerSecond: SLOWLY });
  await terminal.until(READY);
  await terminal.send('First');
  await terminal.until('word3');
  terminal.type('Do it another way');
  await terminal.until('> Do it another way');
  terminal.press('escape');
  const stopped = (shown: string): boolean =>
    shown.includes('Request cancelled.') && !shown.includes('Esc to interrupt');
  // What is printed and what is drawn below it may come one after the other.
  await terminal.until((shown) => stopped(shown) && shown.includes('> Do it another way'));
  terminal.press('enter');
  expect(await terminal.until('Second answer')).toContain('> Do it another way');
});

test('a prompt typed during a turn reaches the model with the next tool result', async () => {
  await using terminal = await openTerminal({
    model: [
      calls({ name: 'run_shell_command', input: { command: 'until test -e go; do sleep 0.1; done' } }),
      (request) => says(`Heard ${lastText(request)}`),
      (request) => says(`Then ${lastText(request)}`),
    ],
    args: ['--allowed-tools', 'run_shell_command'],
  });
  await terminal.until(READY);
  await terminal.send('First');
  await terminal.until('until test');
  await terminal.send('please stop');
  await terminal.until('Queued: please stop');
  terminal.type('and after that');
  terminal.press('alt-enter');
  await terminal.until('Queued for after this turn: and after that');
  await writeFile(terminal.workspace.resolve('project/go'), '');
  const shown = await terminal.untilPrinted('Then and after that');
  expect(shown).toMatch(/> please stop[^]*Heard please stop[^]*> and after that[^]*Then and after that/);
  expect(terminal.model.requests).toHaveLength(3);
});

test('Escape stops the turn and returns the queued prompts to the input, in order', async () => {
  await using terminal = await openTerminal({
    model: [calls({ name: 'run_shell_command', input: { command: 'until test -e go; do sleep 0.1; done' } })],
    args: ['--allowed-tools', 'run_shell_command'],
  });
  await terminal.until(READY);
  await terminal.send('First');
  await terminal.until('until test');
  await terminal.send('second one');
  await terminal.until('Queued: second one');
  await terminal.send('/compress');
  await terminal.until('Queued for after this turn: /compress');
  terminal.press('escape');
  const shown = await terminal.until((screen) => screen.includes('> second one') && !screen.includes('Queued'));
  expect(shown).toMatch(/> second one\n\s*\/compress/);
  expect(terminal.model.requests).toHaveLength(1);
});

test('prompts that no call could take are the next turn', async () => {
  await using terminal = await openTerminal({
    model: [says(LONG), (request) => says(`Heard ${lastText(request)}`)],
    tokensPerSecond: 150,
  });
  await terminal.until(READY);
  await terminal.send('First');
  await terminal.until('word3');
  await terminal.send('second one');
  await terminal.until('Queued: second one');
  await terminal.send('third one');
  await terminal.until('Queued: third one');
  const shown = await terminal.untilPrinted('Heard third one');
  expect(shown).toMatch(/word199[^]*> second one[^]*> third one[^]*Heard third one/);
});

test('slash commands and shell commands of the user need no model; a rule that denies a command applies to them', async () => {
  await using terminal = await openTerminal({
    model: [says('never')],
    args: ['--exclude-tools', 'Bash(touch *)'],
  });
  await terminal.until(READY);
  await terminal.send('!echo from the shell > typed.txt; cat typed.txt');
  await terminal.until((shown) => shown.includes('from the shell\n') && shown.includes(READY));
  await terminal.send('!touch forbidden.txt');
  await terminal.until((shown) => shown.includes('✗') && shown.includes(READY));
  await expect(readFile(terminal.workspace.resolve('project/forbidden.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
  await terminal.send('/about');
  await terminal.until((shown) => shown.includes('scripted') && shown.includes(READY));
  await terminal.send('/theme');
  await terminal.until((shown) => !shown.includes(READY) && /theme/i.test(shown));
  terminal.press('escape');
  await terminal.until(READY);
  expect(terminal.model.requests).toHaveLength(0);
});

test('text of the model, tools and file names cannot control the terminal', async () => {
  verifies('S25');
  const evil = '\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u001b[?1049h\u009b5n';
  await using terminal = await openTerminal({
    model: [
      {
        content: `I say ${evil}`,
        toolCalls: [{ name: 'read_file', arguments: JSON.stringify({ file_path: 'evil.txt' }) }],
      },
      says(`Done ${evil}`),
    ],
    prepare: (workspace) => writeFile(workspace.resolve('project/evil.txt'), `text ${evil}\n`),
  });
  await terminal.until(READY);
  await terminal.send('Look');
  await terminal.until((shown) => shown.includes('Done') && shown.includes(READY));
  expect(terminal.scrollback).toContain('> Look');
  for (const sequence of ['\u001b]0;', '\u001b[?1049h', '\u009b']) expect(terminal.written).not.toContain(sequence);
});
