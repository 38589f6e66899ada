import { expect, test } from 'vitest';
import { randomUuid } from './random-uuid.ts';

test('ids are random UUIDs of version 4, also past the bytes of one read', () => {
  const ids = Array.from({ length: 100 }, randomUuid);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(new Set(ids).size).toBe(100);
  // Each bit but those of version and variant is both 0 and 1 among a hundred ids.
  const seen = (bit: bigint) => new Set(ids.map((id) => (BigInt(`0x${id.replaceAll('-', '')}`) >> bit) & 1n)).size;
  const fixed = Array.from({ length: 128 }, (_, bit) => bit).filter((bit) => seen(BigInt(bit)) === 1);
  expect(fixed).toEqual([62, 63, 76, 77, 78, 79]);
});
