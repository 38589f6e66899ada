import type { PermissionSuggestion } from '@qwen/protocol';
import { type Decision, type DecisionInput, decide } from './decide.js';
import type { MatchingRule } from './rule-set.js';
import type { CallPart } from './shell-coverage.js';

/** A decision with all that summary a part in it. */
export interface Explanation extends Decision {
  /** Every rule that fits the call too, but did not decide. In the order deny, ask, allow. */
  readonly shadowed: readonly MatchingRule[];
  /** For shell commands: each command and each file that it opens. */
  readonly parts: readonly CallPart[];
  /** What a person would be offered, where one would be asked. */
  readonly suggestions?: readonly PermissionSuggestion[];
}

/** Explains what {@link decide} decides, by the same steps: what it says is what would happen. Nothing runs. */
export function explainCall(input: DecisionInput): Explanation {
  const decision = decide(input);
  const { mode, rules, call } = input;
  const parts = call.command === undefined ? [] : rules.covers(call, mode).parts;
  let isDecider = (match: MatchingRule) =>
    match.rule === decision.rule && (match.behavior === decision.behavior || decision.decidedBy === 'ask_rule');
  const shadowed = rules.matching(call).filter((match) => {
    if (!isDecider(match)) return true;
    // The same text may stand in two lists; only the first of them decided.
    isDecider = () => false;
    return false;
  });
  return { ...decision, shadowed, parts };
}
