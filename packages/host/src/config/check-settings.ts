import { parseRule } from '@qwen/agent';
import { AgentError, type FoundIssue, findIssues, type Settings, settingsSchema } from '@qwen/protocol';
import { checkMatcher } from '../name-matcher.js';
import { findKeyIssues } from './key-bindings.js';
import { findSecrets } from './secret-settings.js';
import type { SettingsOrigin } from './settings.js';

const RULE_LISTS = ['allow', 'ask', 'deny'] as const;

export type CheckedSettings =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly issues: readonly FoundIssue[] };

/** Unknown members are accepted. Pure. */
export function checkSettings(json: unknown, origin: SettingsOrigin): CheckedSettings {
  const parsed = settingsSchema.safeParse(json);
  if (!parsed.success) return { ok: false, issues: findIssues(parsed.error) };
  const { hooks = {}, permissions = {}, ui = {} } = parsed.data;
  const issues = [
    ...(origin === 'project' ? findSecrets(json) : []),
    ...(ui.keys === undefined ? [] : findKeyIssues(ui.keys)),
    ...Object.entries(hooks).flatMap(([event, groups]) =>
      groups.flatMap(({ matcher }, index) =>
        issueOf(['hooks', event, index, 'matcher'], () => checkMatcher(event, matcher)),
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
