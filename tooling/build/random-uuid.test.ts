import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { randomUUID } from './random-uuid.ts';

const MODULE = fileURLToPath(new URL('./random-uuid.ts', import.meta.url));

test('random IDs are distinct UUIDs of version 4', () => {
  const ids = Array.from({ length: 10_000 }, () => randomUUID());
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  // Each of the free bits is set in about half of the ids.
  const digits = ids.map((id) => BigInt(`0x${id.replaceAll('-', '')}`));
  for (let bit = 0n; bit < 128n; bit += 1n) {
    if ((bit >= 76n && bit < 80n) || bit === 62n || bit === 63n) continue;
    const share = digits.filter((value) => (value >> bit) & 1n).length / ids.length;
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.6);
  }
});

test.for(['missing', 'short'])('with a random file that is %s, IDs come from node:crypto', (kind) => {
  const program = `
    const { randomUUID } = await import(${JSON.stringify(MODULE)});
    const fs = process.getBuiltinModule('node:fs');
    if (${kind === 'missing'}) fs.openSync = () => { throw new Error('no such file'); };
    else fs.readSync = () => 3;
    process.stdout.write(randomUUID());`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(stdout).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});
