import type { PermissionMode } from '@qwen/protocol';
import type { CallFacts } from './call-facts.js';
import { protectedFileOf } from './protected-files.js';
import type { RuleMatch, RuleSet } from './rule-set.js';

export interface DecisionInput {
  readonly mode: PermissionMode;
  readonly rules: RuleSet;
  readonly call: CallFacts;
}

/** The step that decided, in the order of the steps (DESIGN §6). */
export type DecidedBy =
  | 'deny_rule'
  | 'ask_rule'
  | 'plan'
  | 'yolo'
  | 'allow_rule'
  | 'auto-edit'
  | 'read_only'
  | 'default';

export interface Decision {
  readonly behavior: 'allow' | 'deny' | 'ask';
  readonly decidedBy: DecidedBy;
  /** The rule that decided, as it was written. */
  readonly rule?: string;
  /** One sentence for people and for the model. */
  readonly reason: string;
  /** The path outside of the workspace, or the protected file, that makes us ask. */
  readonly blockedPath: string | null;
}

/**
 * Decides one tool call. Pure: the same input gives the same answer, and links were resolved before. `ask` becomes
 * deny when nobody answers; that is the business of whoever asks (M-50).
 */
export function decide({ mode, rules, call }: DecisionInput): Decision {
  const denied = rules.denies(call);
  if (denied?.certainty === 'match') return byRule('deny', denied);
  const asked = rules.asks(call);
  if (asked !== undefined) return byRule('ask', asked);

  if (mode === 'plan' && call.kind !== 'read') {
    return {
      behavior: 'deny',
      decidedBy: 'plan',
      reason: 'Plan mode permits read-only work. Present a plan instead.',
      blockedPath: null,
    };
  }
  if (denied !== undefined) return byRule('ask', denied);
  if (mode === 'yolo') return allow('yolo', 'Mode yolo lets everything through.');

  const rule = rules.allows(call);
  if (rule !== undefined) return { ...allow('allow_rule', `The rule ${rule} allows it.`), rule };

  const isInside = call.paths.every((path) => path.insideRoots);
  const protectedFile = protectedFileOf(call);
  if (
    mode === 'auto-edit' &&
    call.kind === 'edit' &&
    call.paths.length > 0 &&
    isInside &&
    protectedFile === undefined
  ) {
    return allow('auto-edit', 'Mode auto-edit lets edits inside of the workspace through.');
  }
  if (call.kind === 'read' && isInside) return allow('read_only', 'Reading inside of the workspace needs no question.');
  return ask(call, protectedFile);
}

function allow(decidedBy: DecidedBy, reason: string): Decision {
  return { behavior: 'allow', decidedBy, reason, blockedPath: null };
}

function byRule(behavior: 'deny' | 'ask', { rule, certainty }: RuleMatch): Decision {
  if (behavior === 'deny') {
    return { behavior, decidedBy: 'deny_rule', rule, reason: `The rule ${rule} forbids it.`, blockedPath: null };
  }
  const reason = certainty === 'match' ? `The rule ${rule} asks first.` : `The rule ${rule} may be meant.`;
  return { behavior, decidedBy: 'ask_rule', rule, reason, blockedPath: null };
}

function ask(call: CallFacts, protectedFile: string | undefined): Decision {
  const outside = call.paths.find((path) => !path.insideRoots)?.path;
  const because = { behavior: 'ask', decidedBy: 'default' } as const;
  if (outside !== undefined) {
    return { ...because, reason: `${outside} lies outside of the workspace.`, blockedPath: outside };
  }
  if (protectedFile !== undefined) {
    return { ...because, reason: `${protectedFile} is protected.`, blockedPath: protectedFile };
  }
  return { ...because, reason: REASONS[call.kind], blockedPath: null };
}

const REASONS: Readonly<Record<CallFacts['kind'], string>> = {
  read: 'It reads files.',
  edit: 'It changes files.',
  execute: 'It runs a program.',
  network: 'It reaches out to the network.',
  other: 'What it does is not known.',
};
