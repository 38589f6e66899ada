import { readFile } from 'node:fs/promises';
import { calls, lastText, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { BIN } from '../cli-fixture.js';
import { untilAsked, untilFree } from './question-fixture.js';
import { openTerminal, READY, type TerminalFixture } from './terminal-fixture.js';

const RUN = 'Run this command?';
const shell = (command: string, id?: string) => ({
  name: 'run_shell_command',
  input: { command },
  ...(id !== undefined && { id }),
});
const hears = (request: Parameters<typeof lastText>[0]) => says(`The model read: ${lastText(request)}`);
const inProject = (terminal: TerminalFixture, name: string) =>
  readFile(terminal.workspace.resolve(`project/${name}`), 'utf8');

test('allow once applies to one call; allowing for the session skips the question for the same command', async () => {
  const touch = 'touch made.txt';
  await using terminal = await openTerminal({
    model: [calls(shell(touch)), calls(shell(touch)), says('Both ran'), calls(shell(touch)), says('Ran again')],
    rows: 30,
  });
  await terminal.until(READY);
  await terminal.send('Go');
  expect(await untilAsked(terminal, RUN)).toContain(`$ ${touch}`);
  terminal.type('1');
  await terminal.until((screen) => screen.includes(RUN) && screen.includes('✓'));
  expect(await untilAsked(terminal, 'always for this session')).toContain('Bash(touch');
  terminal.type('2');
  await untilFree(terminal, 'Both ran');
  await terminal.send('Once more');
  const shown = await untilFree(terminal, 'Ran again');
  expect(shown).not.toContain(RUN);
  expect(await inProject(terminal, 'made.txt')).toBe('');
});

test('allowing for the project stores a rule in the folder, which stays trusted: the next start does not ask', async () => {
  const touch = 'touch made.txt';
  const qwen = `"${process.execPath}" "${BIN}"`;
  await using terminal = await openTerminal({
    model: [calls(shell(touch)), says('Ran once'), calls(shell(touch)), says('Ran unasked')],
    command: ['/bin/sh', '-c', `${qwen}; echo between; ${qwen}`],
    rows: 40,
    prepare: async (workspace) =>
      void (await workspace.write('project/.qwen/settings.json', '{"permissions":{"allow":["Bash(pwd)"]}}')),
  });
  await untilAsked(terminal, 'Do you trust it?');
  terminal.type('2');
  await terminal.until(READY);
  await terminal.send('Go');
  await untilAsked(terminal, 'always for this project');
  terminal.type('3');
  await untilFree(terminal, 'Ran once');
  terminal.press('ctrl-d');
  await terminal.until((screen) => (screen.split('between')[1] ?? '').includes(READY));
  await terminal.send('Again');
  await terminal.until('Ran unasked');
  const settings: unknown = JSON.parse(await inProject(terminal, '.qwen/settings.local.json'));
  expect(settings).toMatchObject({ permissions: { allow: [expect.stringMatching(/^Bash\(touch/)] } });
  const second = terminal.scrollback.split('between')[1] ?? '';
  for (const asked of ['Do you trust it?', RUN]) expect(second).not.toContain(asked);
});

test('an approval for an untrusted project lasts for the session, and the screen reports it', async () => {
  await using terminal = await openTerminal({
    model: [calls(shell('touch made.txt')), says('Ran once')],
    prepare: async (workspace) =>
      void (await workspace.write('project/.qwen/settings.json', '{"permissions":{"allow":["Bash(pwd)"]}}')),
  });
  await untilAsked(terminal, 'Do you trust it?');
  terminal.press('enter');
  await terminal.until(READY);
  await terminal.send('Go');
  await untilAsked(terminal, 'always for this project');
  terminal.type('3');
  await untilFree(terminal, 'Ran once');
  await terminal.until('qwen trust');
  expect(await inProject(terminal, 'made.txt')).toBe('');
});

test('allowing for a folder without requests lasts: the next start asks neither about the folder nor the command', async () => {
  const qwen = `"${process.execPath}" "${BIN}"`;
  await using terminal = await openTerminal({
    model: [calls(shell('touch made.txt')), says('Ran once'), calls(shell('touch made.txt')), says('Ran again')],
    command: ['/bin/sh', '-c', `${qwen}; echo between; ${qwen}`],
    rows: 40,
  });
  await terminal.until(READY);
  await terminal.send('Go');
  await untilAsked(terminal, 'always for this project');
  terminal.type('3');
  await untilFree(terminal, 'Ran once');
  terminal.press('ctrl-d');
  await terminal.until((screen) => (screen.split('between')[1] ?? '').includes(READY));
  await terminal.send('Again');
  await terminal.until('Ran again');
  const second = terminal.scrollback.split('between')[1] ?? '';
  for (const asked of ['Do you trust it?', RUN]) expect(second).not.toContain(asked);
});

test.each([
  ['pasted', (terminal: TerminalFixture) => terminal.paste('Traceback line 3: error in 2 places')],
  ['pasted without brackets', (terminal: TerminalFixture) => terminal.type('Traceback line 3: error\rin 2 places')],
])('text that is %s answers no question and is kept', async (_how, paste) => {
  await using terminal = await openTerminal({ model: [calls(shell('touch made.txt')), says('Over')], rows: 30 });
  await terminal.until(READY);
  await terminal.send('Go');
  await untilAsked(terminal, RUN);
  paste(terminal);
  await terminal.until('Kept for your next prompt: Traceback line 3');
  terminal.press('enter');
  await untilAsked(terminal, RUN);
  terminal.press('enter');
  terminal.press('escape');
  const shown = await terminal.until((screen) => screen.includes('in 2 places') && !screen.includes(RUN));
  expect(shown).toContain('> Traceback line 3');
  await expect(inProject(terminal, 'made.txt')).rejects.toMatchObject({ code: 'ENOENT' });
});

test('keys that come at once, as in a paste, answer no question, and typed text approves nothing, even with Enter', async () => {
  await using terminal = await openTerminal({ model: [calls(shell('touch made.txt')), says('Over')], rows: 30 });
  await terminal.until(READY);
  await terminal.send('Go');
  // An arrow and Enter, other arrows and Enter, Backspace and a digit.
  for (const burst of ['\u001b[B\r', '\u001bOB\u001bOB\r', '\u007f1']) {
    await untilAsked(terminal, RUN);
    terminal.type(burst);
    await terminal.until((screen) => screen.includes('Stop typing') || !screen.includes(RUN));
    expect(await untilAsked(terminal, RUN)).not.toContain('❯');
  }
  let typed = '';
  for (const character of 'add 3 tests') {
    terminal.type(character);
    typed += character;
    await terminal.until(
      (screen) => screen.includes('Kept for your next prompt: ') && screen.includes(typed.trimEnd()),
    );
  }
  terminal.press('enter');
  await untilAsked(terminal, 'add 3 tests');
  terminal.press('enter');
  terminal.press('down');
  await terminal.until('❯ 1. Yes');
  terminal.press('escape');
  await terminal.until((screen) => screen.includes('add 3 tests') && !screen.includes(RUN));
  await expect(inProject(terminal, 'made.txt')).rejects.toMatchObject({ code: 'ENOENT' });
});

test('the model reads the reason of a denial and continues; the command does not run', async () => {
  await using terminal = await openTerminal({ model: [calls(shell('touch made.txt')), hears] });
  await terminal.until(READY);
  await terminal.send('Go');
  await untilAsked(terminal, RUN);
  terminal.type('4');
  await terminal.until('What should qwen do instead?');
  terminal.type('use the other folder');
  await terminal.until('> use the other folder');
  terminal.press('enter');
  await terminal.untilPrinted('The model read:');
  await terminal.until(READY);
  const [, second] = terminal.model.requests;
  expect(second === undefined ? '' : lastText(second)).toContain('use the other folder');
  await expect(inProject(terminal, 'made.txt')).rejects.toMatchObject({ code: 'ENOENT' });
});

test('Escape and Ctrl-C deny and stop the turn, and return to the input', async () => {
  const call = calls(shell('touch made.txt'));
  await using terminal = await openTerminal({ model: [call, call, says('Never said')] });
  await terminal.until(READY);
  for (const [index, key] of (['escape', 'ctrl-c'] as const).entries()) {
    await terminal.send(`Go ${index}`);
    await untilAsked(terminal, RUN);
    terminal.press(key);
    await terminal.until((screen) => !screen.includes(RUN) && screen.includes(READY));
  }
  await terminal.send('/about');
  await untilFree(terminal, 'scripted');
  expect(terminal.model.requests).toHaveLength(2);
  await expect(inProject(terminal, 'made.txt')).rejects.toMatchObject({ code: 'ENOENT' });
});

test('an edit shows its diff; accepting edits skips the next question', async () => {
  const edit = (before: string, after: string) =>
    calls({ name: 'edit', input: { file_path: 'colour.ts', old_string: before, new_string: after } });
  await using terminal = await openTerminal({
    model: [
      calls({ name: 'read_file', input: { file_path: 'colour.ts' } }),
      edit('grey', 'gray'),
      edit('gray', 'black'),
      says('Changed'),
    ],
    rows: 30,
    prepare: async (workspace) => void (await workspace.write('project/colour.ts', "export const colour = 'grey';\n")),
  });
  await terminal.until(READY);
  await terminal.send('Change it');
  const asked = await untilAsked(terminal, 'Edit this file?');
  expect(asked).toMatch(/-.*'grey'/);
  expect(asked).toMatch(/\+.*'gray'/);
  expect(await inProject(terminal, 'colour.ts')).toContain('grey');
  terminal.type('2');
  expect(await untilFree(terminal, 'Changed')).toContain('auto-accept edits');
  expect(await inProject(terminal, 'colour.ts')).toContain('black');
});

test('a plan is shown and approved, and the planned actions are then allowed', async () => {
  await using terminal = await openTerminal({
    model: [
      calls({ name: 'exit_plan_mode', input: { plan: '# The plan\n\n1. Write **made.txt**' } }),
      calls({ name: 'write_file', input: { file_path: 'made.txt', content: 'made\n' } }),
      says('Carried out'),
    ],
    args: ['--approval-mode', 'plan'],
    rows: 30,
  });
  expect(await terminal.until(READY)).toContain('plan mode');
  await terminal.send('Plan it');
  const asked = await untilAsked(terminal, 'Proceed with this plan?');
  expect(asked).toContain('Write made.txt');
  terminal.type('2');
  expect(await untilFree(terminal, 'Carried out')).toContain('auto-accept edits');
  expect(await inProject(terminal, 'made.txt')).toBe('made\n');
});

test('questions of the model are answered with one option, several options or typed text', async () => {
  const options = [{ label: 'Red', description: 'as tomatoes' }, { label: 'Blue' }];
  await using terminal = await openTerminal({
    model: [
      calls({
        name: 'ask_user_question',
        input: {
          questions: [
            { question: 'Which colour?', header: 'Colour', options },
            { question: 'Which of them all?', header: 'More', options, multiSelect: true },
            { question: 'Which name?', header: 'Name', options },
          ],
        },
      }),
      hears,
    ],
    rows: 30,
  });
  await terminal.until(READY);
  await terminal.send('Ask me');
  expect(await untilAsked(terminal, 'Which colour?')).toContain('(1 of 3)');
  terminal.type('2');
  await untilAsked(terminal, 'Which of them all?');
  terminal.type('1');
  await terminal.until('[x] Red');
  terminal.type('4');
  await untilAsked(terminal, 'Which name?');
  terminal.type('3');
  await terminal.until('Enter: send');
  terminal.paste('Ultramarine\n');
  await terminal.until('> Ultramarine');
  terminal.press('enter');
  await untilFree(terminal, 'The model read:');
  const said = lastText(terminal.model.requests[1] ?? { model: '', messages: [] });
  for (const answer of ['Blue', 'Red', 'Ultramarine']) expect(said).toContain(answer);
});

test('several questions queue up and show their number', async () => {
  await using terminal = await openTerminal({
    model: [calls(shell('touch first.txt', 'call_1'), shell('touch second.txt', 'call_2')), says('Over')],
    rows: 30,
  });
  await terminal.until(READY);
  await terminal.send('Go');
  await untilAsked(terminal, '$ touch first.txt');
  terminal.type('1');
  // A key that is held or pressed twice does not answer the next one.
  await terminal.until((screen) => screen.includes('$ touch second.txt') && screen.includes('Stop typing to answer'));
  terminal.press('enter');
  await untilAsked(terminal, '$ touch second.txt');
  await expect(inProject(terminal, 'second.txt')).rejects.toMatchObject({ code: 'ENOENT' });
  terminal.type('1');
  await untilFree(terminal, 'Over');
  expect(await inProject(terminal, 'first.txt')).toBe('');
  expect(await inProject(terminal, 'second.txt')).toBe('');
});

test('a command with more lines than the screen is printed in full before it can be approved', async () => {
  verifies('S25');
  const command = Array.from({ length: 40 }, (_, index) => `touch line-${index}.txt`).join('\n');
  await using terminal = await openTerminal({ model: [calls(shell(command)), says('Over')], rows: 20 });
  await terminal.until(READY);
  await terminal.send('Go');
  await untilAsked(terminal, 'lines are printed above');
  for (let index = 0; index < 40; index += 1) expect(terminal.scrollback).toContain(`touch line-${index}.txt`);
  terminal.press('escape');
  await terminal.until(READY);
});
