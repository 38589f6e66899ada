import { existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { says, type TemporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { BIN } from '../cli-fixture.js';
import { untilAsked, untilFree } from './question-fixture.js';
import { openTerminal, READY, type TerminalFixture } from './terminal-fixture.js';

const ASKED = 'Do you trust it?';
const COMMAND = 'touch ran-by-a-hook';
const TWICE = `"${process.execPath}" "${BIN}"; echo between; "${process.execPath}" "${BIN}"`;

async function bringHook(workspace: TemporaryFolder): Promise<void> {
  const settings = { hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: COMMAND }] }] } };
  await workspace.write('project/.qwen/settings.json', JSON.stringify(settings));
}

const hasRun = ({ workspace }: TerminalFixture) => existsSync(workspace.resolve('project/ran-by-a-hook'));
const untilSecond = (terminal: TerminalFixture, shown: string) =>
  terminal.until((screen) => (screen.split('between')[1] ?? '').includes(shown));

test("the trust question lists a project's hooks before any of them runs; after a denial the next start asks again", async () => {
  verifies('S47', 'S98');
  await using terminal = await openTerminal({
    model: [says('Answered')],
    command: ['/bin/sh', '-c', TWICE],
    prepare: bringHook,
    rows: 40,
  });
  expect(await untilAsked(terminal, ASKED)).toContain(`hook UserPromptSubmit: "${COMMAND}"`);
  terminal.press('enter');
  await terminal.until(READY);
  await terminal.send('Hello');
  await untilFree(terminal, 'Answered');
  expect(hasRun(terminal)).toBe(false);
  terminal.press('ctrl-d');
  await untilSecond(terminal, ASKED);
});

test('after an approval the hook runs, and the next start does not ask', async () => {
  verifies('S47');
  await using terminal = await openTerminal({
    model: [says('Answered')],
    command: ['/bin/sh', '-c', TWICE],
    prepare: bringHook,
    rows: 40,
  });
  await untilAsked(terminal, ASKED);
  terminal.type('2');
  await terminal.until(READY);
  await terminal.send('Hello');
  await untilFree(terminal, 'Answered');
  expect(hasRun(terminal)).toBe(true);
  terminal.press('ctrl-d');
  await untilSecond(terminal, READY);
  expect(terminal.scrollback.split('between')[1]).not.toContain(ASKED);
});

test('later requests of a trusted project are asked about separately', async () => {
  verifies('S50');
  await using terminal = await openTerminal({
    command: [
      '/bin/sh',
      '-c',
      TWICE.replace('echo between', "sed -i.before 's/ran-by-a-hook/elsewhere/' .qwen/settings.json; echo between"),
    ],
    prepare: bringHook,
    rows: 40,
  });
  await untilAsked(terminal, ASKED);
  terminal.type('2');
  await terminal.until(READY);
  terminal.press('ctrl-d');
  await untilSecond(terminal, ASKED);
  expect(await untilSecond(terminal, 'touch elsewhere')).toContain(ASKED);
});

test('what is typed before the question appears does not answer it', async () => {
  await using terminal = await openTerminal({ prepare: bringHook, rows: 40 });
  terminal.type('fix issue 2\r');
  await untilAsked(terminal, ASKED);
  terminal.paste('fix issue 2 in utils.ts');
  await terminal.until('Stop typing to answer');
  terminal.press('enter');
  await untilAsked(terminal, ASKED);
  terminal.press('escape');
  expect(await terminal.exited()).toMatchObject({ exitCode: 0 });
  expect(hasRun(terminal)).toBe(false);
  await expect(access(terminal.workspace.resolve('home/.qwen/trusted-folders.json'))).rejects.toThrow('ENOENT');
});

test('a denial ignores everything that the question listed, even in a previously trusted folder', async () => {
  const change = "mkdir -p .qwen/agents; printf 'Help.' > .qwen/agents/helper.md; echo between";
  await using terminal = await openTerminal({
    model: [says('Answered')],
    command: ['/bin/sh', '-c', TWICE.replace('echo between', change)],
    prepare: bringHook,
    rows: 40,
  });
  await untilAsked(terminal, ASKED);
  terminal.type('2');
  await terminal.until(READY);
  terminal.press('ctrl-d');
  await untilSecond(terminal, ASKED);
  expect(await untilSecond(terminal, 'Enter or number')).toContain('helper.md');
  terminal.press('enter');
  await untilSecond(terminal, READY);
  await terminal.send('Hello');
  await untilFree(terminal, 'Answered');
  expect(hasRun(terminal)).toBe(false);
});

test.each(['escape', 'ctrl-c'] as const)('%s exits without any change', async (key) => {
  await using terminal = await openTerminal({ prepare: bringHook });
  await untilAsked(terminal, ASKED);
  terminal.press(key);
  expect(await terminal.exited()).toMatchObject({ exitCode: 0 });
  expect(terminal.written.lastIndexOf('\u001b[?25h')).toBeGreaterThan(terminal.written.lastIndexOf('\u001b[?25l'));
  expect(terminal.written).not.toContain(READY);
  expect(hasRun(terminal)).toBe(false);
});

test('a list longer than the screen is printed in full, and its text cannot control the terminal', async () => {
  verifies('S98');
  const command = `${Array.from({ length: 90 }, (_, index) => `echo part-${index};`).join(' ')} \u001b[2Jrm`;
  await using terminal = await openTerminal({
    rows: 16,
    prepare: async (workspace) => {
      const settings = { hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } };
      await workspace.write('project/.qwen/settings.json', JSON.stringify(settings));
    },
  });
  await terminal.until(ASKED);
  const shown = terminal.scrollback.replaceAll(/\s+/g, '');
  for (let index = 0; index < 90; index += 1) expect(shown).toContain(`part-${index};`);
  expect(shown).toContain(String.raw`\u001b[2Jrm`);
  expect(terminal.written).not.toContain('\u001b[2Jrm');
});
