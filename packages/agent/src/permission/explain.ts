import type { PermissionSuggestion } from '@qwen/protocol';
import { type Decision, type DecisionInput, decide } from './decide.js';
import type { MatchingRule } from './rule-set.js';
import type { CallPart } from './shell-coverage.js';

export interface Explanation extends Decision {
  /** Other matching rules, in the order deny, ask, allow. */
  readonly shadowed: readonly MatchingRule[];
  /** Of shell commands: each command and opened file. */
  readonly parts: readonly CallPart[];
  /** The choices of the question. */
  readonly suggestions?: readonly PermissionSuggestion[];
}

/** Explains {@link decide} without running anything. */
export function explainCall(input: DecisionInput): Explanation {
  const decision = decide(input);
  const { mode, rules, call } = input;
  const parts = call.command === undefined ? [] : rules.covers(call, mode).parts;
  let isDecider = (match: MatchingRule) =>
    match.rule === decision.rule && (match.behavior === decision.behavior || decision.decidedBy === 'ask_rule');
  const shadowed = rules.matching(call).filter((match) => {
    if (!isDecider(match)) return true;
    // The same text may be in two lists; the first one decided.
    isDecider = () => false;
    return false;
  });
  return { ...decision, shadowed, parts };
}
