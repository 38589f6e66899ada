import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { attacks } from '../../test/attacks/attack-commands.js';
import { judgeAttacks } from '../../test/attacks/judge-attacks.js';
import { optionAttacks } from '../../test/attacks/option-attacks.js';

/** 24,000 in a nightly run. */
const COUNT = Number(process.env['ATTACK_COUNT'] ?? 4_000);
const SEED = Number(process.env['ATTACK_SEED'] ?? 7);

test('thousands of generated commands cannot escape', { timeout: 1_800_000 }, async () => {
  verifies('S30', 'S1', 'S3', 'S12', 'S17', 'S33', 'S43');
  const { escapes, ran } = await judgeAttacks(attacks(COUNT, SEED));
  process.stderr.write(`attacks, seed ${SEED}: ran ${JSON.stringify(ran)} of ${COUNT}\n`);
  expect(escapes).toEqual([]);
});

test('no option of a read-only program escapes', { timeout: 1_800_000 }, async () => {
  verifies('S30', 'S12');
  const { escapes, ran } = await judgeAttacks(optionAttacks(COUNT, SEED));
  process.stderr.write(`options, seed ${SEED}: ran ${JSON.stringify(ran)} of ${COUNT}\n`);
  expect(escapes).toEqual([]);
});
