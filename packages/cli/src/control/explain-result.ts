import type { Explanation } from '@qwen/agent';
import type { ControlResult } from '@qwen/protocol';

export function toExplainResult(explanation: Explanation): ControlResult<'explain_permission'> {
  const { behavior, decidedBy, rule, reason, blockedPath, shadowed, parts, suggestions } = explanation;
  return {
    behavior,
    decided_by: decidedBy,
    ...(rule !== undefined && { rule }),
    reason,
    blocked_path: blockedPath,
    shadowed: shadowed.map((match) => ({ rule: match.rule, behavior: match.behavior })),
    ...(suggestions !== undefined && { permission_suggestions: [...suggestions] }),
    ...(parts.length > 0 && { parts: parts.map((part) => ({ ...part })) }),
  };
}
