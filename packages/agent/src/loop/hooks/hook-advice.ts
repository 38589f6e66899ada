import type { Decision } from '../../permission/decide.js';

/** What PreToolUse hooks say to a call that they do not forbid. */
export interface HookAdvice {
  readonly behavior: 'allow' | 'ask';
  readonly reason: string;
}

/**
 * The decision with what hooks say to it. They may make a question, and spare one that nobody wanted in particular:
 * nothing outvotes a denial, and what a rule or a guard asks is asked all the same.
 */
export function withAdvice(decision: Decision, advice: HookAdvice | undefined): Decision {
  if (advice === undefined || decision.behavior === 'deny') return decision;
  const { behavior, reason } = advice;
  if (behavior === 'ask') {
    if (decision.behavior === 'ask') return decision;
    return { behavior, decidedBy: 'hook', reason: `A hook wants it asked: ${reason}`, blockedPath: null };
  }
  // A question that a rule or a guard makes is asked all the same.
  if (decision.behavior === 'allow' || decision.decidedBy !== 'default') return decision;
  return { behavior, decidedBy: 'hook', reason: `A hook allows it: ${reason}`, blockedPath: null };
}
