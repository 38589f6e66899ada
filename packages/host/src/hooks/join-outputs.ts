import { type HookMoment, type HookVerdict, toPlainHookText } from '@qwen/agent';
import {
  AgentError,
  type ContentBlock,
  contentBlockSchema,
  describeIssue,
  type HookOutput,
  isJsonObject,
  readPermissionUpdates,
} from '@qwen/protocol';

interface Replacement {
  readonly content: string | readonly ContentBlock[];
}

export type HookAnswer =
  | { readonly kind: 'output'; readonly output: HookOutput; readonly replacement?: Replacement }
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

const STRENGTH: readonly Behavior[] = ['allow', 'ask', 'deny'];

const CAN_BLOCK: ReadonlySet<HookEventName> = new Set([
  'PostToolUse',
  'PostToolUseFailure',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'PreCompact',
]);

/** `answers` are in registration order. Pure. */
export function joinAnswers(event: HookEventName, answers: readonly HookAnswer[]): HookVerdict {
  const verdicts = answers.map((answer) =>
    answer.kind === 'output' ? toVerdict(event, answer) : toFaultVerdict(event, answer),
  );
  const permission = verdicts.map((verdict) => verdict.permission).reduce(stronger, undefined);
  const updatedInput = verdicts.findLast((verdict) => verdict.updatedInput !== undefined)?.updatedInput;
  // What comes with an approval applies only if no other hook objects.
  const isAnswer = event === 'PermissionRequest';
  const approves = !isAnswer || permission?.behavior === 'allow';
  const updates = isAnswer && approves ? verdicts.flatMap(({ updatedPermissions = [] }) => updatedPermissions) : [];
  const interrupts = permission?.behavior === 'deny' && verdicts.some((verdict) => verdict.interrupts === true);
  const contexts = verdicts.flatMap(({ additionalContext }) => additionalContext ?? []);
  const blocks = verdicts.flatMap(({ block }) => block?.reason ?? []);
  const stop = verdicts.find((verdict) => verdict.stop !== undefined)?.stop;
  const updatedOutput = verdicts.findLast((verdict) => verdict.updatedOutput !== undefined)?.updatedOutput;
  const withheld = verdicts.flatMap(({ withhold }) => withhold?.reason ?? []);
  return {
    ...(updatedOutput !== undefined && { updatedOutput }),
    ...(withheld.length > 0 && { withhold: { reason: withheld.join('\n') } }),
    ...(permission !== undefined && { permission }),
    ...(approves && updatedInput !== undefined && { updatedInput }),
    ...(updates.length > 0 && { updatedPermissions: updates }),
    ...(interrupts && { interrupts }),
    ...(contexts.length > 0 && { additionalContext: contexts.join('\n\n') }),
    ...(blocks.length > 0 && { block: { reason: blocks.join('\n') } }),
    ...(stop !== undefined && { stop }),
  };
}

/** Throws `invalid_payload` for a replacement that is no result of a tool. */
export function readReplacement({ hookSpecificOutput: specific }: HookOutput): Replacement | undefined {
  const { updatedToolOutput, updatedMCPToolOutput } = specific ?? {};
  const value = updatedToolOutput ?? updatedMCPToolOutput ?? undefined;
  if (value === undefined) return undefined;
  const content = isJsonObject(value) ? contentOf(value) : value;
  if (typeof content === 'string') return { content };
  const blocks = Array.isArray(content) ? content : [undefined];
  return {
    content: blocks.map((block: unknown) => {
      const parsed = contentBlockSchema.safeParse(block);
      if (parsed.success && (parsed.data.type === 'text' || parsed.data.type === 'image')) return parsed.data;
      const problem = parsed.success ? `it is of type ${parsed.data.type}` : describeIssue('block', parsed.error);
      throw new AgentError(
        'invalid_payload',
        `hookSpecificOutput.updatedToolOutput: expected text or a list of text and image blocks (${problem})`,
      );
    }),
  };
}

function contentOf(value: Readonly<Record<string, unknown>>): unknown {
  if (Object.keys(value).every((name) => name === 'content' || name === 'isError')) return value['content'];
  const { stdout, stderr, file } = value;
  if (typeof stdout === 'string') return typeof stderr === 'string' && stderr !== '' ? `${stdout}\n${stderr}` : stdout;
  return isJsonObject(file) && typeof file['content'] === 'string' ? file['content'] : value;
}

function toVerdict(
  event: HookEventName,
  { output, replacement }: Extract<HookAnswer, { kind: 'output' }>,
): HookVerdict {
  const { hookSpecificOutput: specific } = output;
  const context = toPlainHookText(specific?.additionalContext ?? '');
  return {
    ...(event === 'PreToolUse' && toPermission(output)),
    ...(event === 'PermissionRequest' && toPermissionAnswer(specific?.decision)),
    ...(CAN_BLOCK.has(event) && isBlock(output.decision) && { block: { reason: reasonFrom(output.reason) } }),
    ...(replacement !== undefined && { updatedOutput: replacement.content }),
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

function toPermissionAnswer(decision: NonNullable<HookOutput['hookSpecificOutput']>['decision']): HookVerdict {
  if (!decision) return {};
  if (decision.behavior === 'deny') {
    const { behavior, message, interrupt } = decision;
    return { permission: { behavior, reason: reasonFrom(message) }, ...(interrupt === true && { interrupts: true }) };
  }
  const { behavior, updatedInput, updatedPermissions } = decision;
  return {
    permission: { behavior, reason: 'A hook allows it.' },
    ...(updatedInput && { updatedInput }),
    ...(updatedPermissions && { updatedPermissions: readPermissionUpdates(updatedPermissions) }),
  };
}

function fromDecision(decision: HookOutput['decision']): Behavior | undefined {
  switch (decision) {
    case 'approve':
    case 'allow':
      return 'allow';
    case 'block':
    case 'deny':
      return 'deny';
    case 'ask':
      return 'ask';
    default:
      return undefined;
  }
}

function isBlock(decision: HookOutput['decision']): boolean {
  return decision === 'block' || decision === 'deny';
}

/** A failing guard blocks. */
function toFaultVerdict(
  event: HookEventName,
  { message, isBlocking }: Extract<HookAnswer, { kind: 'fault' }>,
): HookVerdict {
  // Another hook's approval must not count where this one might have objected.
  if (event === 'PermissionRequest') return { permission: { behavior: isBlocking ? 'deny' : 'ask', reason: message } };
  if (!isBlocking) return {};
  if (event === 'PreToolUse') return { permission: { behavior: 'deny', reason: message } };
  if (event === 'PostToolUse') return { withhold: { reason: message } };
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
