import { type HookMoment, type HookVerdict, toPlainHookText } from '@qwen/agent';
import type { AgentError, HookOutput } from '@qwen/protocol';

/** The answer of one hook, or its failure. */
export type HookAnswer =
  | { readonly kind: 'output'; readonly output: HookOutput }
  | {
      readonly kind: 'fault';
      readonly message: string;
      readonly isBlocking: boolean;
      /** For programs. */
      readonly error?: AgentError;
    };

type HookEventName = HookMoment['event'];
type Permission = NonNullable<HookVerdict['permission']>;
type Behavior = Permission['behavior'];

const MAX_REASON_LENGTH = 4_000;

/** Deny wins over ask, ask over allow. */
const STRENGTH: readonly Behavior[] = ['allow', 'ask', 'deny'];

/** Events where `block` has an effect. */
const CAN_BLOCK: ReadonlySet<HookEventName> = new Set([
  'PostToolUse',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'PreCompact',
]);

/** Joins all answers, given in registration order. Pure. */
export function joinAnswers(event: HookEventName, answers: readonly HookAnswer[]): HookVerdict {
  const verdicts = answers.map((answer) =>
    answer.kind === 'output' ? toVerdict(event, answer.output) : toFaultVerdict(event, answer),
  );
  const permission = verdicts.map((verdict) => verdict.permission).reduce(stronger, undefined);
  const updatedInput = verdicts.findLast((verdict) => verdict.updatedInput !== undefined)?.updatedInput;
  const contexts = verdicts.flatMap(({ additionalContext }) => additionalContext ?? []);
  const blocks = verdicts.flatMap(({ block }) => block?.reason ?? []);
  const stop = verdicts.find((verdict) => verdict.stop !== undefined)?.stop;
  return {
    ...(permission !== undefined && { permission }),
    ...(updatedInput !== undefined && { updatedInput }),
    ...(contexts.length > 0 && { additionalContext: contexts.join('\n\n') }),
    ...(blocks.length > 0 && { block: { reason: blocks.join('\n') } }),
    ...(stop !== undefined && { stop }),
  };
}

function toVerdict(event: HookEventName, output: HookOutput): HookVerdict {
  const { hookSpecificOutput: specific } = output;
  const context = toPlainHookText(specific?.additionalContext ?? '');
  return {
    ...(event === 'PreToolUse' && toPermission(output)),
    ...(CAN_BLOCK.has(event) && output.decision === 'block' && { block: { reason: reasonFrom(output.reason) } }),
    ...(output.continue === false && { stop: { reason: reasonFrom(output.stopReason) } }),
    ...(context !== '' && { additionalContext: context }),
  };
}

function toPermission({ decision, reason, hookSpecificOutput: specific }: HookOutput): HookVerdict {
  const behavior = specific?.permissionDecision ?? fromDecision(decision);
  const text = specific?.permissionDecisionReason ?? reason;
  return {
    ...(behavior !== undefined && { permission: { behavior, reason: reasonFrom(text) } }),
    ...(specific?.updatedInput !== undefined &&
      specific.updatedInput !== null && { updatedInput: specific.updatedInput }),
  };
}

function fromDecision(decision: HookOutput['decision']): Behavior | undefined {
  switch (decision) {
    case 'approve':
      return 'allow';
    case 'block':
      return 'deny';
    default:
      return undefined;
  }
}

/** A failing guard blocks. */
function toFaultVerdict(
  event: HookEventName,
  { message, isBlocking }: Extract<HookAnswer, { kind: 'fault' }>,
): HookVerdict {
  if (!isBlocking) return {};
  if (event === 'PreToolUse') return { permission: { behavior: 'deny', reason: message } };
  return CAN_BLOCK.has(event) ? { block: { reason: message } } : { stop: { reason: message } };
}

function stronger(one: Permission | undefined, other: Permission | undefined): Permission | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return STRENGTH.indexOf(other.behavior) > STRENGTH.indexOf(one.behavior) ? other : one;
}

function reasonFrom(text: string | null | undefined): string {
  const reason = toPlainHookText(text ?? '', MAX_REASON_LENGTH);
  return reason === '' ? 'Blocked by a hook without a reason.' : reason;
}
