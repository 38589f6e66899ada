import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { parsePrompt, toCommand } from './prompt-template.js';

/** The command of a prompt with one `!{…}`. */
function commandFor(template: string, args: string): string {
  const [piece] = parsePrompt(`!{${template}}`);
  if (piece?.kind !== 'shell') throw new Error('no command');
  return toCommand(piece.command, args);
}

const PLACES = [
  'printf %s {{args}}',
  'printf %s "{{args}}"',
  "printf %s '{{args}}'",
  'printf %s "$(printf %s {{args}})"',
  'printf %s "$(printf %s "{{args}}")"',
  `printf %s "a'b" > /dev/null; printf %s {{args}}`,
  'true # a "comment\nprintf %s {{args}}',
  '(printf %s "{{args}}")',
  String.raw`printf '\"' > /dev/null; printf %s {{args}}`,
];
const ATTACKS = [
  "'; touch C; '",
  '"; touch C; "',
  '$(touch C)',
  '`touch C`',
  '; touch C',
  '\ntouch C\n',
  String.raw`\'; touch C; \'`,
  "x'\ntouch C\n'",
  '" $(touch C) "',
  '| touch C & touch C',
  '${IFS}$(touch C)',
  '<<E\n$(touch C)\nE',
  'case x in x) touch C;; esac',
];

test.each(PLACES)('arguments are one word and never code: %s', async (template) => {
  verifies('S53');
  await using folder = await temporaryFolder();
  for (const args of ATTACKS) {
    const output = execFileSync('bash', ['-c', commandFor(template, args)], { cwd: folder.path, encoding: 'utf8' });
    // Command substitution strips trailing newlines.
    expect(output.trimEnd()).toBe(args.trimEnd());
    expect(existsSync(join(folder.path, 'C'))).toBe(false);
  }
});

test('each place is quoted by its context', () => {
  expect(commandFor('a {{args}} "{{args}}"', "it's")).toBe(`a 'it'\\''s' ""'it'\\''s'""`);
});

test('empty arguments add no word', () => {
  expect(commandFor('git log {{args}}', '')).toBe('git log');
});

test.each([
  'echo `date {{args}}`',
  'cat <<E\n{{args}}\nE',
  "echo $'{{args}}'",
  'echo ${x:-{{args}}}',
  'true # {{args}}',
  'true;# {{args}}',
  'echo \\{{args}}',
  'echo $((1 + {{args}}))',
  '[[ 1 -eq {{args}} ]]',
  'echo "$(case a in a) echo {{args}};; esac)"',
])('arguments are refused where quoting is not safe: %s', (template) => {
  verifies('S53');
  expect(() => parsePrompt(`one\n!{${template}}`)).toThrow(
    expect.objectContaining({ code: 'invalid_settings', data: { line: 2 } }),
  );
});
