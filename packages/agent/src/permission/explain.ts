import type { PermissionSuggestion } from '@qwen/protocol';
import { type Decision, type DecisionInput, decide } from './decide.js';
import type { MatchingRule } from './rule-set.js';
import type { CallPart } from './shell-coverage.js';

export interface Explanation extends Decision {
  readonly shadowed: readonly MatchingRule[];
  readonly parts: readonly CallPart[];
  readonly suggestions?: readonly PermissionSuggestion[];
}

export function explainCall(input: DecisionInput): Explanation {
  const decision = decide(input);
  const { mode, rules, call } = input;
  const parts = call.command === undefined ? [] : rules.covers(call, mode).parts;
  let isDecider = (match: MatchingRule) =>
    match.rule === decision.rule && (match.behavior === decision.behavior || decision.decidedBy === 'ask_rule');
  const shadowed = rules.matching(call).filter((match) => {
    if (!isDecider(match)) return true;
    isDecider = () => false;
    return false;
  });
  return { ...decision, shadowed, parts };
}
