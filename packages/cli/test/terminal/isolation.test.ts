import { readFile, writeFile } from 'node:fs/promises';
import { says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openTerminal, READY, type TerminalFixture, type TerminalFixtureOptions } from './terminal-fixture.js';

/** Opens a terminal whose program runs this first. */
function openWith(program: string, options: TerminalFixtureOptions = {}): Promise<TerminalFixture> {
  return openTerminal({
    ...options,
    prepare: (workspace) => writeFile(workspace.resolve('project/before.cjs'), program),
    env: { NODE_OPTIONS: '--require ./before.cjs' },
  });
}

test('library output is printed above the live area, never inside it', async () => {
  await using terminal = await openWith(
    `setTimeout(() => {
       console.log('a library says \\u001b[2Jsomething');
       process.stdout.write('past the console');
     }, 1500);`,
  );
  await terminal.until(READY);
  const screen = await terminal.until((shown) => shown.includes('past the console') && shown.includes(READY));
  expect(screen).toContain(String.raw`! a library says \u001b[2Jsomething`);
  expect(screen.split(READY)).toHaveLength(2);
});

test('a crash restores the terminal and prints the reason', async () => {
  await using terminal = await openWith("setTimeout(() => { throw new Error('it broke \\u001b[2J'); }, 1500);");
  await terminal.until(READY);
  expect(await terminal.exited()).toMatchObject({ exitCode: 1 });
  expect(terminal.screen).toContain(String.raw`it broke \u001b[2J`);
  expect(terminal.screen).not.toContain(READY);
  expect(terminal.marksPastes).toBe(false);
});

test('a one-shot prompt in a terminal loads no screen code', async () => {
  const list = `const fs = require('node:fs');
    const { readFileSync, writeFileSync } = fs;
    const files = [];
    fs.readFileSync = (path, ...args) => {
      if (String(path).endsWith('.cjs')) files.push(String(path).split('/').at(-1));
      return readFileSync(path, ...args);
    };
    process.on('exit', () => writeFileSync('files.json', JSON.stringify(files)));`;
  await using plain = await openWith(list, { model: [says('Hello')], args: ['Hi'] });
  await plain.exited();
  await using screen = await openWith(list);
  await screen.until(READY);
  screen.press('ctrl-d');
  await screen.exited();
  const filesOf = async ({ workspace }: TerminalFixture) => readFile(workspace.resolve('project/files.json'), 'utf8');
  expect(await filesOf(plain)).not.toContain('terminal.cjs');
  expect(await filesOf(screen)).toContain('terminal.cjs');
});
