import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost } from '../../test/fake-host.js';
import { builtinCommands } from '../builtin/builtin-commands.js';
import { CommandRegistry } from '../command-registry.js';
import { suggestCommands } from './slash-hints.js';

const registry = new CommandRegistry([builtinCommands()]);
const { host } = fakeHost();

async function suggest(text: string) {
  const query = { promptId: 'p', trigger: 'slash', text, cursor: text.length, cwd: '/w' } as const;
  return suggestCommands(query, {
    list: () => registry.list().map((command) => ({ ...command, completes: command.complete !== undefined })),
    complete: async (name, partial) =>
      (await registry.find(name)?.complete?.(partial, { host, commands: registry.list() })) ?? [],
  });
}

test('/c suggests the five specified commands in order, each with a description', async () => {
  verifies('G-16', 'G-18');
  const { suggestions, isPerfectMatch } = await suggest('/c');
  const named = suggestions.map(({ label }) => label);
  const expected = ['chat', 'clear', 'compress', 'copy', 'corgi'];
  expect(named.filter((label) => expected.includes(label))).toEqual(expected);
  for (const { description } of suggestions) expect(description).toMatch(/\S/);
  expect(isPerfectMatch).toBe(false);
});

test('/? suggests help by its alias', async () => {
  verifies('G-17');
  expect(await suggest('/?')).toEqual({
    suggestions: [{ label: 'help', value: 'help', description: 'For help on Qwen Code', matchedIndex: 0 }],
    isPerfectMatch: true,
  });
});

test('subcommands and arguments come from the same commands', async () => {
  verifies('G-20');
  expect((await suggest('/chat res')).suggestions).toMatchObject([{ value: 'resume' }]);
  expect((await suggest('/help cle')).suggestions).toMatchObject([{ value: 'clear' }]);
});
