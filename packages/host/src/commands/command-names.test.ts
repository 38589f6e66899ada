import { builtinCommands } from '@qwen/commands';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { COMMAND_NAMES } from './command-names.js';

test('the names that are told before commands load are those of the commands', () => {
  verifies('CF-40', 'CF-65');
  const names = builtinCommands()
    .list()
    .map(({ name }) => name)
    .filter((name) => !name.includes(' '));
  expect(COMMAND_NAMES).toEqual(names.toSorted());
});
