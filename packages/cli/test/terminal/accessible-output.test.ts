import { calls, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { untilFree } from './question-fixture.js';
import { openTerminal, READY, type TerminalFixtureOptions } from './terminal-fixture.js';

/** Frames, table rules and spinners. */
const DRAWN = /[\u2500-\u259f\u2800-\u28ff]/u;
// oxlint-disable-next-line no-control-regex -- sequences are what is looked for.
const COLOUR = /\u001b\[(?:\d+;)*(?:3\d|4\d|9\d|10\d)[;\d]*m/;

const ANSWER = ['# Title', '| a | b |\n|---|---|\n| one | two |', '```ts\nconst colour = 1;\n```', '- an item'].join(
  '\n\n',
);
const JOURNEY: TerminalFixtureOptions = {
  model: [
    calls({ name: 'todo_write', input: { todos: [{ content: 'Look around', status: 'in_progress' }] } }),
    calls({ name: 'run_shell_command', input: { command: 'touch made.txt' } }),
    says(ANSWER),
  ],
  tokensPerSecond: 60,
  rows: 40,
};

test('a screen reader gets text in order: no frames, no animation, numbered lists', async () => {
  await using terminal = await openTerminal({ ...JOURNEY, args: ['--screen-reader'] });
  await terminal.until(READY);
  await terminal.send('Make it');
  const asked = await terminal.until(
    (screen) => screen.includes('Run this command?') && screen.includes('Enter or number'),
  );
  expect(asked).toMatch(/1\. Yes$/m);
  expect(asked).toContain('touch made.txt');
  terminal.type('1');
  const shown = await untilFree(terminal, 'an item');
  expect(shown).toContain('const colour = 1;');
  await terminal.send('/theme');
  await terminal.until('1. auto (chosen)');
  terminal.press('escape');
  await terminal.until(READY);
  expect(terminal.written).not.toMatch(DRAWN);
});

test('a setting enables it for every start', async () => {
  await using terminal = await openTerminal({
    prepare: async (workspace) =>
      void (await workspace.write('home/.qwen/settings.json', '{"ui":{"screenReader":true}}')),
  });
  await terminal.until(READY);
  expect(terminal.written).not.toMatch(DRAWN);
});

test.each([
  ['NO_COLOR', { NO_COLOR: '1' }, undefined],
  ['the theme without colours', { COLORTERM: 'truecolor' }, '{"ui":{"theme":"none"}}'],
])('with %s there are no colors', async (_what, env, settings) => {
  await using terminal = await openTerminal({
    ...JOURNEY,
    env,
    prepare: async (workspace) => {
      if (settings !== undefined) await workspace.write('home/.qwen/settings.json', settings);
    },
  });
  await terminal.until(READY);
  await terminal.send('Make it');
  await terminal.until((screen) => screen.includes('Run this command?') && screen.includes('Enter or number'));
  terminal.type('1');
  await untilFree(terminal, 'an item');
  expect(terminal.written).not.toMatch(COLOUR);
});
