import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareRows } from './row-shares.js';

test('the live area stays below the screen height and always contains the input', () => {
  const count = fc.nat(500);
  const overrides = fc.record({
    rows: fc.integer({ min: 2, max: 200 }),
    hasTurn: fc.boolean(),
    calls: count,
    todos: count,
    queued: count,
  });
  fc.assert(
    fc.property(overrides, (wished) => {
      const shares = shareRows(wished);
      const sum = Object.values(shares).reduce((total, share) => total + share, 0);
      expect(sum).toBeLessThan(wished.rows);
      expect(Math.min(...Object.values(shares))).toBeGreaterThanOrEqual(0);
      expect(shares.composer).toBeGreaterThan(0);
    }),
  );
});

test('fits everything on an ordinary screen', () => {
  expect(shareRows({ rows: 24, hasTurn: true, calls: 4, todos: 3, queued: 1 })).toEqual({
    composer: 8,
    status: 1,
    footer: 2,
    queued: 1,
    calls: 4,
    todos: 3,
    draft: 4,
  });
});
