import { parseRule } from '@qwen/agent';
import { AgentError, type FoundIssue, findIssues, type Settings, settingsSchema } from '@qwen/protocol';
import { compileMatcher } from '../name-matcher.js';

const RULE_LISTS = ['allow', 'ask', 'deny'] as const;

/** What JSON says as settings: all that is wrong with it, or what it means. */
export type CheckedSettings =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly issues: readonly FoundIssue[] };

/** Types, modes, kinds of hooks, matchers and rules. Members that we do not know are no issue. Pure. */
export function checkSettings(json: unknown): CheckedSettings {
  const parsed = settingsSchema.safeParse(json);
  if (!parsed.success) return { ok: false, issues: findIssues(parsed.error) };
  const { hooks = {}, permissions = {} } = parsed.data;
  const issues = [
    ...Object.entries(hooks).flatMap(([event, groups]) =>
      groups.flatMap(({ matcher }, index) =>
        issueOf(['hooks', event, index, 'matcher'], () => compileMatcher(matcher)),
      ),
    ),
    ...RULE_LISTS.flatMap((behavior) =>
      (permissions[behavior] ?? []).flatMap((rule, index) =>
        issueOf(['permissions', behavior, index], () => parseRule(rule)),
      ),
    ),
  ];
  return issues.length === 0 ? { ok: true, settings: parsed.data } : { ok: false, issues };
}

function issueOf(path: FoundIssue['path'], read: () => unknown): FoundIssue[] {
  try {
    read();
    return [];
  } catch (thrown) {
    return [{ path, problem: AgentError.from(thrown).message }];
  }
}
