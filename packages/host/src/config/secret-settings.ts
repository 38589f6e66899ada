import type { FoundIssue } from '@qwen/protocol';

const SECRET_NAME = /(?:(?:api|access|private|secret)[-_]?key|secret|passw(?:or)?d|token|assertion|authorization)$/i;
/** Prefixes of well-known service keys. */
const SECRET_VALUE = /\b(?:sk-[\w-]{20,}|gh[opsu]_\w{20,}|github_pat_\w{20,}|AIza[\w-]{30,}|xox[abprs]-[\w-]{10,})/;
/** A reference to a variable discloses nothing. */
const VARIABLE = /^(?:Bearer )?\$\{?\w+\}?$/;

/** Finds keys, passwords and tokens by name, and values with known prefixes. Pure; never quotes a value. */
export function findSecrets(json: unknown): readonly FoundIssue[] {
  return search(json, []);
}

function search(value: unknown, path: FoundIssue['path']): FoundIssue[] {
  if (typeof value === 'string') return isSecret(path.at(-1), value) ? [{ path, problem: PROBLEM }] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => search(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => search(member, [...path, name]));
}

function isSecret(name: string | number | undefined, value: string): boolean {
  if (SECRET_VALUE.test(value)) return true;
  return typeof name === 'string' && SECRET_NAME.test(name) && value.trim() !== '' && !VARIABLE.test(value.trim());
}

const PROBLEM =
  'a file shared with the repository must not contain a secret; put it in your own settings, ' +
  '~/.qwen/settings.json, or in .qwen/settings.local.json if git ignores it';
