import { AgentError } from '@qwen/protocol';
import type { HookedCall } from '../../hook-port.js';
import type { PermissionAnswer, PermissionRequest } from '../../ports.js';
import type { RequestedCall } from '../answer-builder.js';
import { type PreparedCall, prepareCall } from '../prepare-call.js';
import { type CallResult, canceled, failed, forbidden, NOT_RUN } from '../tool-outcome.js';
import { parentOf, type TurnContext } from '../turn-context.js';
import type { HookAdvice } from './hook-advice.js';
import { toHookContext, toPlainHookText, withTexts } from './hook-text.js';
import { runHooks } from './run-hooks.js';

export type Preparation =
  | {
      readonly prepared: PreparedCall;
      readonly advice?: HookAdvice;
      readonly hookContext?: string;
    }
  | { readonly refused: CallResult };

/** A deny is final. Changed input is checked again, and the decision applies to it. */
export async function runPreToolHooks(
  call: RequestedCall,
  prepared: PreparedCall,
  context: TurnContext,
): Promise<Preparation> {
  const { hooks, control } = context;
  if (!hooks.has('PreToolUse')) return { prepared };
  const verdict = await runHooks({ event: 'PreToolUse', call: toHookedCall(call, prepared, context) }, context);
  const { permission, updatedInput, additionalContext = '' } = verdict;
  // This also applies if the hook ends the turn: the result lists what it denied.
  if (permission?.behavior === 'deny') {
    return { refused: forbidden(call, `A hook forbids it: ${toPlainHookText(permission.reason)}`) };
  }
  if (control.signal.aborted) return { refused: canceled(NOT_RUN) };
  const said = {
    ...(permission !== undefined && { advice: toAdvice(permission.behavior, permission.reason) }),
    ...(additionalContext.trim() !== '' && { hookContext: toHookContext('PreToolUse', additionalContext) }),
  };
  if (updatedInput === undefined) return { prepared, ...said };
  try {
    const changed = { name: prepared.tool.name, input: updatedInput };
    return { prepared: await prepareCall(context.settings().tools, changed, context), ...said };
  } catch (thrown) {
    return {
      refused: forbidden(call, `The input changed by a hook is invalid: ${AgentError.from(thrown).message}`),
    };
  }
}

/** Call for a failed call, after {@link runPostToolHooks}, which may redact the result. */
export async function runFailureHooks({ call, prepared, result }: RanCall, context: TurnContext): Promise<CallResult> {
  if (!context.hooks.has('PostToolUseFailure')) return result;
  const error = toText(result.content);
  const { block, additionalContext = '' } = await runHooks(
    { event: 'PostToolUseFailure', call: toHookedCall(call, prepared, context), error },
    context,
  );
  const said = [...(block === undefined ? [] : [`A hook objects: ${block.reason}`]), additionalContext];
  const texts = said.filter((text) => text.trim() !== '').map((text) => toHookContext('PostToolUseFailure', text));
  return { ...result, content: withTexts(result.content, texts) };
}

/** The answer of hooks to a question; undefined if they leave it to the user. Throws nothing. */
export async function runPermissionHooks(
  call: RequestedCall,
  asked: { readonly prepared: PreparedCall; readonly request: PermissionRequest },
  context: TurnContext,
): Promise<{ readonly answer: PermissionAnswer } | { readonly denied: string } | undefined> {
  const { reason, blockedPath, suggestions } = asked.request;
  const hooked = toHookedCall(call, asked.prepared, context);
  const { permission, updatedInput, updatedPermissions, interrupts } = await runHooks(
    { event: 'PermissionRequest', call: hooked, reason, blockedPath, suggestions },
    context,
  );
  if (permission?.behavior === 'deny') {
    const denied = `A hook forbids it: ${toPlainHookText(permission.reason)}`;
    if (interrupts === true) context.control.interrupt({ by: 'hook', reason: denied });
    return { denied };
  }
  if (permission?.behavior !== 'allow') return undefined;
  return {
    answer: {
      behavior: 'allow',
      ...(updatedInput !== undefined && { updatedInput }),
      ...(updatedPermissions !== undefined && { updatedPermissions }),
    },
  };
}

interface RanCall {
  readonly call: RequestedCall;
  readonly prepared: PreparedCall;
  readonly result: CallResult;
}

export async function runPostToolHooks({ call, prepared, result }: RanCall, context: TurnContext): Promise<CallResult> {
  if (!context.hooks.has('PostToolUse')) return result;
  const { content: response, status, structured } = result;
  const isError = status !== 'success';
  const hooked = toHookedCall(call, prepared, context);
  const { block, additionalContext, updatedOutput, withhold } = await runHooks(
    { event: 'PostToolUse', call: hooked, response, ...(structured !== undefined && { structured }), isError },
    context,
  );
  if (withhold !== undefined) {
    return failed(`The tool ran, but its result is withheld: ${toPlainHookText(withhold.reason)}`);
  }
  const said = [...(block === undefined ? [] : [`A hook objects: ${block.reason}`]), additionalContext ?? ''];
  const texts = said.filter((text) => text.trim() !== '').map((text) => toHookContext('PostToolUse', text));
  if (updatedOutput === undefined) return { ...result, content: withTexts(response, texts) };
  // Both contain what the hook removed.
  const { display: _display, structured: _structured, ...rest } = result;
  return { ...rest, content: withTexts(updatedOutput, texts) };
}

function toText(content: CallResult['content']): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function toAdvice(behavior: 'allow' | 'ask', reason: string): HookAdvice {
  return { behavior, reason: toPlainHookText(reason) };
}

function toHookedCall(call: RequestedCall, { tool, rawInput }: PreparedCall, context: TurnContext): HookedCall {
  const { subagent } = context;
  return {
    toolName: tool.name,
    aliases: tool.aliases,
    callId: call.id,
    input: rawInput,
    parentToolUseId: parentOf(context),
    ...(subagent !== undefined && { agent: subagent.name }),
  };
}
