import type { Requirement, RequirementGroup } from './requirements.js';

export interface Claim {
  readonly ids: readonly string[];
  /** File relative to the root, with forward slashes, and the full name of the test. */
  readonly test: string;
  readonly passed: boolean;
}

export interface TalliedRow extends Requirement {
  /** `failing` when any claiming test failed, `verified` when all passed, `open` without claims. */
  readonly state: 'verified' | 'failing' | 'open';
  readonly tests: readonly string[];
}

export interface TalliedGroup {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly TalliedRow[];
}

export interface Tally {
  readonly groups: readonly TalliedGroup[];
  /** Claims of unknown ids, as `id (test)`, sorted. */
  readonly unknown: readonly string[];
}

/** Matches claims with rows. Pure; independent of claim order. */
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
