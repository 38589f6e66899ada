import type * as z from 'zod/mini';

export interface FoundIssue {
  /** Member names and list indexes, outermost first. */
  readonly path: readonly (string | number)[];
  readonly problem: string;
}

/** The first issue, in words: its place and the expected value. */
export function describeIssue(name: string, error: z.core.$ZodError): string {
  const [issue] = findIssues(error);
  if (issue === undefined) return `${name} does not match its schema`;
  return `${[name, ...issue.path].join('.')}: ${issue.problem}`;
}

export function findIssues(error: z.core.$ZodError): readonly FoundIssue[] {
  return error.issues.flatMap((found) => {
    const issue = deepestIssue([found]);
    if (issue === undefined) return [];
    const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
    return [{ path, problem: expectation(issue) }];
  });
}

/** For a failed union, the issue of the member that matched deepest. */
function deepestIssue(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  const issue = issues[0];
  if (issue?.code !== 'invalid_union') return issue;
  const nested = issue.errors
    .map((branch) => deepestIssue(branch))
    .filter((found) => found !== undefined)
    .reduce<z.core.$ZodIssue | undefined>(
      (deepest, found) => (deepest === undefined || found.path.length > deepest.path.length ? found : deepest),
      undefined,
    );
  return nested === undefined ? issue : { ...nested, path: [...issue.path, ...nested.path] };
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `expected ${issue.expected}`;
  if (issue.code === 'invalid_value') {
    return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
  }
  if (issue.code === 'invalid_union') return 'expected one of the known kinds';
  if (issue.code === 'unrecognized_keys') return `unknown member ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
  if (issue.code === 'too_small') return `expected at least ${issue.minimum}`;
  if (issue.code === 'too_big') return `expected at most ${issue.maximum}`;
  return issue.message;
}
