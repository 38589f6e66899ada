import { TestRunner } from 'vitest';

/** Requirement ids as a test carries them. */
export type ClaimedIds = readonly string[];

declare module 'vitest' {
  interface TaskMeta {
    /** Requirement ids that this test claims; read by the conformance reporter. */
    verifies?: ClaimedIds;
  }
}

/**
 * Claims requirements for the running test: rows of the wire (`B-04`), faults (`F36`), attacks (`S17`), traps
 * (`T12`, HOUSE §4) or field asks (`FB3`). A claim is a promise that this test fails without the behaviour.
 * Throws outside of a test.
 */
export function verifies(...ids: readonly string[]): void {
  const test = TestRunner.getCurrentTest();
  if (test === undefined) throw new Error('verifies() must be called inside of a running test');
  test.meta.verifies = [...(test.meta.verifies ?? []), ...ids];
}
