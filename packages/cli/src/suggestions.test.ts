import { expect, test } from 'vitest';
import { nearSubcommand, refuseUnknownFlags } from './suggestions.js';

const refused = (...flags: string[]) => expect(() => refuseUnknownFlags(flags, { isSdk: false }));

test('unknown flags are refused with suggestions', () => {
  refused('--modle', '--far-away').toThrow(
    expect.objectContaining({
      code: 'usage',
      message: 'unknown flag --modle, --far-away. Did you mean --model? See qwen --help.',
    }),
  );
  refused('--far-away').toThrow('unknown flag --far-away. See qwen --help.');
  refused('--print-mode', '--max-turn').toThrow('Did you mean --max-turns?');
});

test('of the unknown flags of an SDK, only those that resemble a guard are refused', () => {
  const ofSdk = (...flags: string[]) => refuseUnknownFlags(flags, { isSdk: true });
  for (const flag of [
    '--approvalMode',
    '--approval_mode',
    '--approval',
    '--PERMISSION-MODE',
    '--exclude-tool',
    '--exclude',
    '--disalowedTools',
    '--sandbx',
    '--safemode',
    '--max-turn',
    '--setting-source',
  ]) {
    expect(() => ofSdk('--betas-of-tomorrow', flag), flag).toThrow(`unknown flag ${flag}. Did you mean --`);
  }
  expect(() => ofSdk('--betas-of-tomorrow', '--modle', '--an-option-of-tomorrow', '-yd', '--x')).not.toThrow();
});

test.each([
  [['sesions', 'list'], '"sesions" is not a subcommand and is sent as a prompt. Did you mean qwen sessions?'],
  [['doctr'], '"doctr" is not a subcommand and is sent as a prompt. Did you mean qwen doctor?'],
  [['fix', 'it'], undefined],
  [['/permissions'], undefined],
  [['servers', 'are', 'slow', 'today', 'again'], undefined],
  [['list the sesions'], undefined],
  [[], undefined],
])('%j', (words, warning) => {
  expect(nearSubcommand(words)).toBe(warning);
});
