import { AgentError } from '@qwen/protocol';
import { type Decision, decide } from '../permission/decide.js';
import { suggestionsFor } from '../permission/suggestions.js';
import type { PermissionAnswer } from '../ports.js';
import { unlessAborted } from './abortable.js';
import type { RequestedCall } from './answer-builder.js';
import { askHooks } from './hooks/ask-hooks.js';
import { type HookAdvice, withAdvice } from './hooks/hook-advice.js';
import type { Limiter } from './limiter.js';
import { type PreparedCall, prepareCall } from './prepare-call.js';
import { type CallResult, denied, failed, NOT_RUN } from './tool-outcome.js';
import type { TurnContext } from './turn-context.js';

/** The call as it may run, perhaps with other input than the model gave; or the result that stands instead. */
export type Permission = { readonly permitted: PreparedCall } | { readonly refused: CallResult };

export interface PermitOptions {
  readonly context: TurnContext;
  /** Keeps the number of open questions small. */
  readonly asking: Limiter;
  /** What hooks said to the call. */
  readonly advice?: HookAdvice;
}

/**
 * Decides a call, asking where the decision says so. Input that the answer changed is checked and decided again, so
 * that what runs is never something that a rule forbids (S26, GAP-48). A denial that wants it stops the turn (M-43).
 */
export async function permitCall(
  call: RequestedCall,
  prepared: PreparedCall,
  { context, asking, advice }: PermitOptions,
): Promise<Permission> {
  const decision = decideCall(prepared, { context, advice });
  if (decision.behavior === 'allow') return { permitted: prepared };
  if (decision.behavior === 'deny') return { refused: denied(call, decision.reason) };
  const settled = await asking.run(async (): Promise<PermissionAnswer | undefined> => {
    // While it waited for its turn another answer may have settled it.
    const now = decideCall(prepared, { context, advice });
    if (now.behavior === 'allow') return { behavior: 'allow' };
    if (now.behavior === 'deny') return { behavior: 'deny', message: now.reason };
    return ask(call, { prepared, decision: now, context });
  });
  if (settled === undefined) return { refused: failed(NOT_RUN) };
  const refusal = takeUpdates(settled, context);
  if (refusal !== undefined) return { refused: denied(call, refusal) };
  if (settled.behavior === 'deny') {
    if (settled.interrupt === true) context.control.interrupt({ by: 'permission', reason: settled.message });
    return { refused: denied(call, settled.message) };
  }
  if (settled.updatedInput !== undefined) return checkUpdated(call, settled.updatedInput, context);
  // A rule that forbids is final, also one that came while the question was open (CF-48).
  const last = decideCall(prepared, { context });
  return last.decidedBy === 'deny_rule' ? { refused: denied(call, last.reason) } : { permitted: prepared };
}

function decideCall(
  { facts }: PreparedCall,
  { context, advice }: { readonly context: TurnContext; readonly advice?: HookAdvice | undefined },
): Decision {
  const { settings, rules } = context;
  return withAdvice(decide({ mode: settings().permissionMode, rules: rules.current, call: facts }), advice);
}

/** What an answer changes for later calls; gives why it cannot be understood. */
function takeUpdates({ updatedPermissions }: PermissionAnswer, context: TurnContext): string | undefined {
  if (updatedPermissions === undefined || updatedPermissions.length === 0) return undefined;
  try {
    context.updatePermissions(updatedPermissions);
    return undefined;
  } catch (thrown) {
    return `The rules of the answer cannot be read: ${AgentError.from(thrown).message}`;
  }
}

interface Question {
  readonly prepared: PreparedCall;
  readonly decision: Decision;
  readonly context: TurnContext;
}

/** The answer; undefined when the turn ended first, which withdraws the question. */
async function ask(call: RequestedCall, question: Question): Promise<PermissionAnswer | undefined> {
  const { prepared, decision, context } = question;
  const { control, subagent } = context;
  const { signal } = control;
  // Where a rule asks, no other rule would keep it from asking.
  const offers = decision.decidedBy === 'default' ? context.rules.current.offersFor(prepared.facts) : [];
  const request = {
    toolName: prepared.tool.name,
    callId: call.id,
    input: prepared.rawInput,
    suggestions: suggestionsFor(prepared.tool.kind, prepared.rawInput, offers) ?? [],
    blockedPath: decision.blockedPath,
    reason: decision.reason,
    ...(subagent !== undefined && { agent: subagent.name, parentToolUseId: subagent.parentToolUseId }),
  };
  void askHooks(
    { event: 'Notification', kind: 'permission_prompt', message: `${request.toolName} waits for an answer.` },
    context,
  );
  try {
    const settled = await unlessAborted(context.permissions.ask(request, { signal }), signal);
    return settled.aborted ? undefined : settled.value;
  } catch (thrown) {
    // The port promises not to reject; a fault there must still never let a call through (S28).
    return { behavior: 'deny', message: `The question could not be asked: ${AgentError.from(thrown).message}` };
  }
}

async function checkUpdated(
  call: RequestedCall,
  input: Readonly<Record<string, unknown>>,
  context: TurnContext,
): Promise<Permission> {
  let updated: PreparedCall;
  try {
    updated = await prepareCall(context.settings().tools, { name: call.name, input }, context);
  } catch (thrown) {
    return { refused: denied(call, `The changed input is not valid: ${AgentError.from(thrown).message}`) };
  }
  const decision = decideCall(updated, { context });
  if (decision.behavior === 'deny') return { refused: denied(call, decision.reason) };
  return { permitted: { ...updated, changedInput: input } };
}
