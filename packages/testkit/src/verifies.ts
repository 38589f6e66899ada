import { TestRunner } from 'vitest';

export type ClaimedIds = readonly string[];

declare module 'vitest' {
  interface TaskMeta {
    verifies?: ClaimedIds;
  }
}

/**
 * Claims requirement ids from `e2e/requirements.json` for the running test, which must fail without the behavior.
 * Throws outside of a test.
 */
export function verifies(...ids: readonly string[]): void {
  const test = TestRunner.getCurrentTest();
  if (test === undefined) throw new Error('verifies() must be called inside a running test');
  test.meta.verifies = [...(test.meta.verifies ?? []), ...ids];
}
