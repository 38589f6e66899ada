import type { FoundIssue } from '@qwen/protocol';

const SECRET_NAME = /(?:(?:api|access|private|secret)[-_]?key|secret|passw(?:or)?d|token|authorization)$/i;
/** How keys of well-known services begin, wherever they stand. */
const SECRET_VALUE = /\b(?:sk-[\w-]{20,}|gh[opsu]_\w{20,}|github_pat_\w{20,}|AIza[\w-]{30,}|xox[abprs]-[\w-]{10,})/;
/** A variable that is named where its value would stand gives nothing away. */
const VARIABLE = /^(?:Bearer )?\$\{?\w+\}?$/;

/**
 * The members that hold a secret: keys, passwords and tokens by their names, and values that are known by their first
 * letters. A file of a project is shared with everybody who has the repository. Pure; no value is ever quoted.
 */
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
  'a secret must not stand in a file that is shared with a repository; put it into your own settings, ' +
  'which are settings.json in ~/.qwen, or .qwen/settings.local.json that git ignores';
