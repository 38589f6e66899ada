import type { Decision } from '../../permission/decide.js';

export interface HookAdvice {
  readonly behavior: 'allow' | 'ask';
  readonly reason: string;
}

/**
 * Applies the hooks' advice: an ask always asks; an allow only skips a question that no rule or guard requires; a
 * deny stays.
 */
export function withAdvice(decision: Decision, advice: HookAdvice | undefined): Decision {
  if (advice === undefined || decision.behavior === 'deny') return decision;
  const { behavior, reason } = advice;
  if (behavior === 'ask') {
    if (decision.behavior === 'ask') return decision;
    return { behavior, decidedBy: 'hook', reason: `A hook requires a question: ${reason}`, blockedPath: null };
  }
  if (decision.behavior === 'allow' || decision.decidedBy !== 'default') return decision;
  return { behavior, decidedBy: 'hook', reason: `A hook allows it: ${reason}`, blockedPath: null };
}
