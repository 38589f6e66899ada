import { PROVIDER_FAULTS, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { askWire } from '../test/ask-wire.js';
import { FAMILIES } from '../test/families.js';

describe.for(FAMILIES.map((family) => [family.name, family] as const))('%s', ([, family]) => {
  const faults = PROVIDER_FAULTS.filter(({ outcome }) => !('needsMarker' in outcome) || family.endMarker.length > 0);

  test.for(faults.map((fault) => [fault.name, fault] as const))('%s', async ([, fault]) => {
    const { outcome } = fault;
    verifies('F65', 'F72', 'F74');
    const found = await askWire(family, fault.replies(family));
    if ('fails' in outcome) {
      expect(found.failure).toBe(outcome.fails);
      if (outcome.requests === undefined) expect(found.requests).toBeGreaterThan(5);
      else expect(found.requests).toBe(outcome.requests);
    } else {
      const { answers, calls = [], retries = [] } = outcome;
      expect(found).toMatchObject({ text: answers, calls, retries, failure: undefined });
    }
  });
});
