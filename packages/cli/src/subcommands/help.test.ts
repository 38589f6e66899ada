import { expect, test } from 'vitest';
import { COMMAND_SPECS } from './command-specs.js';
import { SUBCOMMAND_NAMES } from './find-subcommand.js';
import { runHelp } from './help.js';

async function help(...words: string[]): Promise<string> {
  const printed: string[] = [];
  await runHelp({
    words,
    environment: {},
    cwd: '/',
    print: async (text) => void printed.push(text),
    printError: () => undefined,
  });
  return printed.join('');
}

test('the runnable, documented and completed subcommands are the same', async () => {
  expect(Object.keys(COMMAND_SPECS).toSorted()).toEqual(SUBCOMMAND_NAMES);
  for (const name of SUBCOMMAND_NAMES) expect(await help(name)).toMatch(new RegExp(`^Usage: qwen ${name}`));
});

test('help fits 140 columns and lists every command, which has its own help', async () => {
  for (const [name, spec] of Object.entries(COMMAND_SPECS)) {
    const text = await help(name);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(140);
    for (const verb of Object.keys(spec.verbs)) {
      expect(text).toMatch(new RegExp(`^ {2}${verb} `, 'm'));
      expect(await help(name, verb)).toMatch(new RegExp(`^Usage: qwen ${name} ${verb}`));
    }
  }
});

test.each([
  [['sesions'], 'help: "sesions" is not a subcommand; did you mean "sessions"?'],
  [['mcp', 'lst'], 'help: "lst" is not a command of qwen mcp; did you mean "list"?'],
  [['trust', 'x'], 'help: "x" is not a command of qwen trust'],
  [['__complete'], 'help: "__complete" is not a subcommand'],
])('%j gets an error with a suggestion', async (words, message) => {
  await expect(help(...words)).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(message) });
});
