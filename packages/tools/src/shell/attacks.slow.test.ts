import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@qwen/testkit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { attacks } from '../../test/attacks/attack-commands.js';
import { createScratch, effectsOf } from '../../test/attacks/attack-scratch.js';
import { judgeAttacks } from '../../test/attacks/judge-attacks.js';

const SEED = Number(process.env['ATTACK_SEED'] ?? 20_261_123);

beforeEach(() => vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1'));
afterEach(() => vi.unstubAllEnvs());

test('commands that run without a question have no forbidden effect', { timeout: 300_000 }, async () => {
  verifies('S30', 'S1', 'S3', 'S12', 'S17', 'S33', 'S43');
  const { escapes, ran } = await judgeAttacks(attacks(800, SEED));
  expect(escapes).toEqual([]);
  for (const count of Object.values(ran)) expect(count).toBeGreaterThan(3);
});

test.runIf(process.platform === 'linux')('every forbidden effect is detected', { timeout: 60_000 }, async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'qwen-attacks-')));
  try {
    const scratch = await createScratch(root);
    const environment = { PATH: '/usr/bin:/bin', HOME: scratch.home };
    const expected: Readonly<Record<string, readonly string[]>> = {
      true: [],
      'cat a.txt': [],
      './evil.sh': ['exec'],
      'git status': ['exec', 'inside', 'protected'],
      'cd docs/x && git status': ['exec', 'inside'],
      'base64 .env': ['env'],
      'cp .env y': ['env', 'inside'],
      'cat link-out/secret': ['out'],
      'cat ~/.ssh/id_rsa': ['key'],
      'base64 ~/.qwen/server/token': ['token'],
      'cat /proc/[0-9]*/environ': ['process'],
      'touch C': ['inside', 'touch'],
      'echo x > link-src/new': ['inside', 'src'],
      'rm -rf *': ['inside', 'src'],
      'mv .env y': ['env', 'inside'],
      'echo x > ../outside/new': ['inside', 'outside'],
      'echo x > .git/hooks/x': ['inside', 'protected'],
      'echo hello': [],
    };
    const commands = Object.keys(expected);
    const effects = await effectsOf(
      commands.map((command) => ({ command, environment })),
      scratch,
    );
    const seen = Object.fromEntries(
      commands.map((command, index) => [command, [...(effects[index] ?? [])].toSorted()]),
    );
    expect(seen).toEqual(expected);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
