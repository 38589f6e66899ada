import { AgentError } from '@qwen/protocol';
import { type Decision, decide } from '../permission/decide.js';
import type { PermissionAnswer } from '../ports.js';
import type { ToolPreview } from '../tool-view.js';
import type { RequestedCall } from './answer-builder.js';
import { type HookAdvice, withAdvice } from './hooks/hook-advice.js';
import { type PreparedCall, prepareCall } from './prepare-call.js';
import type { Questions } from './questions.js';
import { type CallResult, canceled, declined, failed, forbidden, NOT_RUN } from './tool-outcome.js';
import { parentOf, type TurnContext } from './turn-context.js';

export type Permission = { readonly permitted: PreparedCall } | { readonly refused: CallResult };

export interface PermitOptions {
  readonly context: TurnContext;
  readonly questions: Questions;
  readonly advice?: HookAdvice;
  readonly mayFitLater: () => boolean;
}

/** Decides a call and asks if needed. Changed input is checked and decided again, so that deny rules always apply. */
export async function permitCall(
  call: RequestedCall,
  prepared: PreparedCall,
  { context, questions, advice, mayFitLater }: PermitOptions,
): Promise<Permission> {
  const decideNow = () => decideCall(prepared, context, advice);
  const decision = decideNow();
  if (decision.behavior !== 'ask') return toPermission(call, prepared, decision);
  const settled = await questions.ask(call, { prepared, context, decide: decideNow, mayFitLater });
  if ('isWithdrawn' in settled) return { refused: canceled(NOT_RUN) };
  if ('failure' in settled) return { refused: failed(settled.failure.message) };
  if ('decision' in settled) return toPermission(call, prepared, settled.decision);
  const { answer, preview } = settled;
  // The mode may have become `plan` while the question was open.
  const meanwhile = decideCall(prepared, context);
  if (answer.behavior === 'allow' && meanwhile.decidedBy === 'plan') return toPermission(call, prepared, meanwhile);
  const problem = applyUpdates(answer, context);
  if (problem !== undefined) {
    context.showLive({
      type: 'notice',
      code: 'invalid_permission_answer',
      message: problem,
      parentToolUseId: parentOf(context),
    });
    return { refused: forbidden(call, problem) };
  }
  if (answer.behavior === 'deny') {
    if (answer.interrupt === true) context.control.interrupt({ by: 'permission', reason: answer.message });
    return { refused: { ...declined(call, answer.message, answer.reason), ...planOf(preview, answer.message) } };
  }
  const { updatedInput: changed } = answer;
  if (changed !== undefined && JSON.stringify(changed) !== JSON.stringify(prepared.rawInput)) {
    return checkUpdated(call, { prepared, changed, context });
  }
  // Deny rules apply even if they were added while the question was open.
  const last = decideCall(prepared, context);
  if (last.decidedBy === 'deny_rule') return toPermission(call, prepared, last);
  return { permitted: { ...prepared, approvedPreview: preview } };
}

function decideCall({ facts }: PreparedCall, context: TurnContext, advice?: HookAdvice): Decision {
  const { settings, rules } = context;
  return withAdvice(decide({ mode: settings().permissionMode, rules: rules.current, call: facts }), advice);
}

function toPermission(call: RequestedCall, prepared: PreparedCall, decision: Decision): Permission {
  if (decision.behavior === 'allow') return { permitted: prepared };
  const { decidedBy, reason } = decision;
  return { refused: forbidden(call, decidedBy === 'deny_rule' ? `Permission denied: ${reason}` : reason) };
}

function planOf(preview: ToolPreview, reason: string): Pick<CallResult, 'display'> {
  if (preview.type !== 'plan') return {};
  return { display: { kind: 'plan', message: `The plan was not approved: ${reason}`, plan: preview.plan } };
}

function applyUpdates({ updatedPermissions }: PermissionAnswer, context: TurnContext): string | undefined {
  if (updatedPermissions === undefined || updatedPermissions.length === 0) return undefined;
  try {
    context.updatePermissions(updatedPermissions);
    return undefined;
  } catch (thrown) {
    return `Denied: updatedPermissions is invalid: ${AgentError.from(thrown).message}`;
  }
}

interface ChangedCall {
  readonly prepared: PreparedCall;
  readonly changed: Readonly<Record<string, unknown>>;
  readonly context: TurnContext;
}

async function checkUpdated(call: RequestedCall, { prepared, changed, context }: ChangedCall): Promise<Permission> {
  let updated: PreparedCall;
  try {
    updated = await prepareCall(context.settings().tools, { name: prepared.tool.name, input: changed }, context);
  } catch (thrown) {
    return { refused: forbidden(call, `The changed input is invalid: ${AgentError.from(thrown).message}`) };
  }
  const decision = decideCall(updated, context);
  if (decision.behavior === 'deny') return toPermission(call, updated, decision);
  for (const [path, realPath] of prepared.realPaths) {
    if ((updated.realPaths.get(path) ?? realPath) !== realPath) {
      return { refused: forbidden(call, `${path} leads elsewhere than when it was approved. Request the call again.`) };
    }
  }
  return { permitted: { ...updated, changedInput: changed, proposedInput: prepared.input } };
}
