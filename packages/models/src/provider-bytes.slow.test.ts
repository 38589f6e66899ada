import { answerWithCall, verifies, type WireReply } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { askWire } from '../test/ask-wire.js';
import { FAMILIES } from '../test/families.js';

describe.for(FAMILIES.map((family) => [family.name, family] as const))('%s', ([, family]) => {
  const { bytes, text, call } = answerWithCall(family);
  const whole: WireReply = { bytes };

  test.for(['reset', 'close'] as const)(
    'an answer that breaks (%s) at any byte is answered once, and its call runs once',
    { timeout: 120_000 },
    async (ending) => {
      verifies('F67', 'F68');
      for (let stopAt = 0; stopAt < bytes.length; stopAt += 1) {
        const found = await askWire(family, [{ bytes, stopAt, ending }, whole]);
        expect({ stopAt, text: found.text, calls: found.calls, failure: found.failure }).toEqual({
          stopAt,
          text,
          calls: [call],
          failure: undefined,
        });
        expect(found.requests).toBeLessThanOrEqual(2);
      }
    },
  );

  test('an answer may be split in two at any byte', { timeout: 120_000 }, async () => {
    verifies('F70');
    for (let splitAt = 1; splitAt < bytes.length; splitAt += 1) {
      const found = await askWire(family, [{ bytes, splitAt }]);
      expect({ splitAt, ...found }).toMatchObject({ splitAt, text, calls: [call], retries: [], requests: 1 });
    }
  });
});
