import { VARIABLES } from '@qwen/host/config/variables.js';
import { FLAGS } from '@qwen/host/flags/args.js';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { helpText } from './help.js';
import { SUBCOMMAND_NAMES } from './subcommands/find-subcommand.js';

test('the help lists every flag, every format and every variable', () => {
  verifies('A-10');
  const text = helpText();
  for (const { name } of Object.values(FLAGS)) expect(text).toContain(`--${name}`);
  for (const name of SUBCOMMAND_NAMES) expect(text).toContain(name);
  for (const name of Object.keys(VARIABLES)) expect(text).toContain(name);
  expect(text).toContain('--input-format text|stream-json|stream-chunk-json');
  expect(text).toContain('-o, --output-format text|json|stream-json|stream-chunk-json');
});

test('there is no --stdio flag, and the help fits the screen width', () => {
  verifies('A-09');
  expect(helpText()).not.toContain('--stdio');
  expect(
    Math.max(
      ...helpText()
        .split('\n')
        .map((line) => line.length),
    ),
  ).toBeLessThanOrEqual(140);
});
