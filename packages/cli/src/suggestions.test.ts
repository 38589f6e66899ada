import { expect, test } from 'vitest';
import { nearSubcommand, unknownFlags } from './suggestions.js';

test('unknown flags are reported with suggestions', () => {
  expect(unknownFlags(['--modle', '--far-away'])).toMatchObject({
    code: 'usage',
    message: 'unknown flag --modle, --far-away; did you mean --model?; see qwen --help',
  });
  expect(unknownFlags(['--far-away']).message).toBe('unknown flag --far-away; see qwen --help');
  expect(unknownFlags(['--print-mode', '--max-turn']).message).toContain('did you mean --max-turns?');
});

test.each([
  [['sesions', 'list'], '"sesions" is not a subcommand and is sent as a prompt; did you mean qwen sessions?'],
  [['doctr'], '"doctr" is not a subcommand and is sent as a prompt; did you mean qwen doctor?'],
  [['fix', 'it'], undefined],
  [['/permissions'], undefined],
  [['servers', 'are', 'slow', 'today', 'again'], undefined],
  [['list the sesions'], undefined],
  [[], undefined],
])('%j', (words, warning) => {
  expect(nearSubcommand(words)).toBe(warning);
});
