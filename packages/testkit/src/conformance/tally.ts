import type { Requirement, RequirementGroup } from './requirements.js';

/** A test that ran, and what it claims to show. */
export interface Claim {
  readonly ids: readonly string[];
  /** File relative to the root, with forward slashes, and the full name of the test. */
  readonly test: string;
  readonly passed: boolean;
}

export interface TalliedRow extends Requirement {
  /** `failing` when one claiming test failed, `verified` when all passed, `open` when nobody claims it. */
  readonly state: 'verified' | 'failing' | 'open';
  /** The tests that claim the row, sorted. */
  readonly tests: readonly string[];
}

export interface TalliedGroup {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly TalliedRow[];
}

export interface Tally {
  readonly groups: readonly TalliedGroup[];
  /** Claims of ids that no row has, as `id (test)`, sorted. */
  readonly unknown: readonly string[];
}

/** Lays the claims of a run beside the rows. Pure; the order of the claims does not matter. */
export function tally(groups: readonly RequirementGroup[], claims: readonly Claim[]): Tally {
  const claimsOf = new Map<string, Claim[]>();
  for (const claim of claims) {
    for (const id of new Set(claim.ids)) claimsOf.set(id, [...(claimsOf.get(id) ?? []), claim]);
  }
  const tallied = groups.map(({ id, title, rows }) => ({
    id,
    title,
    rows: rows.map((row) => tallyRow(row, claimsOf.get(row.id) ?? [])),
  }));
  for (const row of groups.flatMap((group) => group.rows)) claimsOf.delete(row.id);
  const unknown = [...claimsOf].flatMap(([id, ofId]) => ofId.map(({ test }) => `${id} (${test})`));
  return { groups: tallied, unknown: unknown.toSorted() };
}

function tallyRow(row: Requirement, claims: readonly Claim[]): TalliedRow {
  const tests = [...new Set(claims.map((claim) => claim.test))].toSorted();
  if (claims.length === 0) return { ...row, state: 'open', tests };
  return { ...row, state: claims.every((claim) => claim.passed) ? 'verified' : 'failing', tests };
}
