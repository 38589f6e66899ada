import { readFile } from 'node:fs/promises';
import { FAULTY_MCP_SERVER, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { BIN } from '../cli-fixture.js';
import { untilFree } from './question-fixture.js';
import { openTerminal, READY, type TerminalFixture } from './terminal-fixture.js';

const KEY = 'sk-scripted';
const userSettings = async ({ workspace }: TerminalFixture): Promise<unknown> =>
  JSON.parse(await readFile(workspace.resolve('home/.qwen/settings.json'), 'utf8'));

/** Opens a dialog by its command, and waits for what it shows. */
async function open(terminal: TerminalFixture, command: string, shown: string): Promise<string> {
  await terminal.send(command);
  return terminal.until((screen) => screen.includes(shown) && screen.includes('Esc: close'));
}

test('/theme changes the colors immediately and for later starts', async () => {
  verifies('F-22');
  await using terminal = await openTerminal({ model: [says('# A title')], env: { COLORTERM: 'truecolor' } });
  await terminal.until(READY);
  await open(terminal, '/theme', 'for light backgrounds');
  terminal.type('3');
  // Before this, the dialog may still paint its selection in the dark palette.
  await terminal.until(READY);
  const before = terminal.written.length;
  await terminal.send('Hello');
  await untilFree(terminal, 'A title');
  const since = terminal.written.slice(before);
  // Blue of the light palette, and none of the dark one.
  expect(since).toContain('38;2;29;95;209');
  expect(since).not.toContain('38;2;122;168;255');
  expect(await userSettings(terminal)).toEqual({ ui: { theme: 'light' } });
});

test('a theme file and key bindings apply; /theme previews other themes and restores it', async () => {
  await using terminal = await openTerminal({
    env: { COLORTERM: 'truecolor' },
    rows: 30,
    prepare: async (workspace) => {
      const ui = { theme: 'mine', keys: { changeMode: 'alt+m', openEditor: 'ctrl+x e' } };
      await workspace.write('home/.qwen/settings.json', JSON.stringify({ ui }));
      await workspace.write('home/.qwen/themes/mine.json', '{ "colors": { "AccentBlue": "#010203" } }');
      await workspace.write('home/.qwen/themes/broken.json', '{ "colors": { "Red": "red" } }');
    },
  });
  await terminal.until('Alt-M: change');
  terminal.type('\u001bm');
  await terminal.until('auto-accept edits');
  terminal.type('?');
  await terminal.until('Ctrl-X E');
  await open(terminal, '/theme', 'your theme');
  const mine = '38;2;1;2;3';
  const written = (): string => terminal.written.slice(terminal.written.lastIndexOf('❯') - 40);
  await terminal.until(/❯ \d\. mine/);
  expect(written()).toContain(mine);
  terminal.press('up');
  await terminal.until(/❯ \d\. broken/);
  terminal.press('up', 'up', 'up', 'up');
  await terminal.until(/❯ \d\. dark/);
  expect(written()).not.toContain(mine);
  terminal.press('escape');
  await terminal.until((screen) => screen.includes(READY) && !screen.includes('Esc: close'));
  expect(written()).toContain(mine);
});

test('/help, /auth and /settings need no model', async () => {
  verifies('S106');
  await using terminal = await openTerminal({ rows: 30 });
  await terminal.until(READY);
  expect(await open(terminal, '/help', 'Help')).toContain('scroll (1–');
  terminal.press('page-down');
  await terminal.until(/scroll \((?!1–)/);
  terminal.press('escape');
  await terminal.until(READY);
  // /auth shows which variables are set and tests the account, but never shows a key.
  await open(terminal, '/auth', 'OPENAI_API_KEY is set');
  terminal.type('1');
  await terminal.until(/Connected. The provider lists \d+ models/);
  terminal.press('escape');
  await terminal.until(READY);
  // /settings stores a setting and shows the source of each value.
  await open(terminal, '/settings', 'Approval mode');
  terminal.type('2');
  await terminal.until('auto-edit');
  terminal.type('3');
  await untilFree(terminal, 'permissions.defaultMode is now');
  expect(await userSettings(terminal)).toMatchObject({ permissions: { defaultMode: expect.any(String) as unknown } });
  await open(terminal, '/settings', 'Settings files');
  terminal.type('6');
  await terminal.until('home/.qwen/settings.json');
  terminal.press('escape');
  await terminal.until('Approval mode');
  terminal.press('escape');
  await terminal.until(READY);
  await terminal.send('/about');
  await untilFree(terminal, 'scripted');
  expect(terminal.model.requests).toEqual([]);
  expect(terminal.written).not.toContain(KEY);
});

test("/model lists the provider's models, filters them, and applies the choice to the next request", async () => {
  await using terminal = await openTerminal({ model: [says('Answered')], rows: 30 });
  await terminal.until(READY);
  await open(terminal, '/model', 'scripted');
  await terminal.until((screen) => !screen.includes('Asking the provider'));
  terminal.type('high');
  await terminal.until((screen) => screen.includes('Search: high') && !screen.includes('in use'));
  terminal.type('\u007f'.repeat(4));
  await terminal.until('in use');
  terminal.press('down');
  const [, name = ''] = /❯ (\S+)/.exec(await terminal.until(/❯ (?!scripted)\S+/)) ?? [];
  terminal.press('enter');
  await untilFree(terminal, `Switched to the model ${name}.`);
  await terminal.send('Hello');
  await untilFree(terminal, 'Answered');
  expect(terminal.model.requests.map(({ model }) => model)).toEqual([name]);
});

test('/mcp lists the servers and their tools, and reconnects one', async () => {
  await using terminal = await openTerminal({
    rows: 30,
    prepare: async (workspace) => {
      const mcpServers = {
        mine: { command: process.execPath, args: [FAULTY_MCP_SERVER, 'none'] },
        gone: { command: workspace.resolve('no-such-program') },
      };
      await workspace.write('home/.qwen/settings.json', JSON.stringify({ mcpServers }));
    },
  });
  await terminal.until(READY);
  await open(terminal, '/mcp', 'MCP servers');
  await terminal.until(/mine\s+connected, \d+ tools/);
  await terminal.until(/gone\s+disconnected/);
  terminal.type('1');
  await terminal.until('Reconnect');
  terminal.type('1');
  await terminal.until('Tools of mine');
  expect(terminal.screen).toContain('echo');
  terminal.press('escape');
  await terminal.until('Reconnect');
  terminal.type('2');
  await terminal.until(/connected, \d+ tools/);
  terminal.press('escape');
  await terminal.until('MCP servers');
  terminal.press('escape');
  await terminal.until(READY);
});

test('/resume lists earlier conversations, prints the chosen one, and continues it', async () => {
  await using terminal = await openTerminal({
    model: [says('The first answer'), (request) => says(`I know ${request.messages.length} messages`)],
    command: ['/bin/sh', '-c', '"$0" "$1" "The first prompt" >/dev/null && exec "$0" "$1"', process.execPath, BIN],
  });
  await terminal.until(READY);
  await open(terminal, '/resume', 'The first prompt');
  terminal.type('first');
  await terminal.until('Search: first');
  terminal.press('enter');
  expect(await untilFree(terminal, 'The first answer')).toContain('> The first prompt');
  await terminal.send('Go on');
  await terminal.until('I know 4 messages');
});

test('/agents create asks for the parts of a subagent, writes its file, and the next turn offers it', async () => {
  await using terminal = await openTerminal({ model: [says('Answered')], rows: 30 });
  await terminal.until(READY);
  await terminal.send('/agents create');
  await terminal.until('Where should the new subagent be stored?');
  terminal.type('2');
  await terminal.until('Name');
  terminal.type('no/name');
  await terminal.until('> no/name');
  terminal.press('enter');
  await terminal.until('Letters, digits');
  terminal.type('\u0015proof-reader');
  await terminal.until('> proof-reader');
  terminal.press('enter');
  await terminal.until('Description');
  terminal.type('Finds misspelt words');
  await terminal.until('> Finds misspelt words');
  terminal.press('enter');
  await terminal.until('Which tools may it use?');
  terminal.type('2');
  await terminal.until('System prompt');
  terminal.type('Look for typos.');
  await terminal.until('> Look for typos.');
  terminal.press('enter');
  await untilFree(terminal, 'The subagent proof-reader is in');
  const path = terminal.workspace.resolve('home/.qwen/agents/proof-reader.md');
  expect(await readFile(path, 'utf8')).toContain('Look for typos.');
  await terminal.send('Hello');
  await untilFree(terminal, 'Answered');
  expect(JSON.stringify(terminal.model.requests[0])).toContain('Finds misspelt words');
  await open(terminal, '/agents manage', 'Finds misspelt words');
  terminal.type('1');
  expect(await terminal.until('Tools: read_file')).toContain('From: user');
  terminal.press('escape');
  await terminal.until('1. ');
  terminal.press('escape');
  await terminal.until(READY);
});
