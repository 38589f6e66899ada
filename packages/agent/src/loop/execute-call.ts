import { AgentError } from '@qwen/protocol';
import { fitResults } from '../conversation/fit-results.js';
import { guardOf } from '../permission/shell/reading-guard.js';
import { settlesWithin } from './abortable.js';
import type { RequestedCall } from './answer-builder.js';
import type { PreparedCall } from './prepare-call.js';
import { type CallResult, canceled, failed, isShort, NOT_RUN, OVER_BUDGET, STOPPED } from './tool-outcome.js';
import { parentOf, type TurnContext } from './turn-context.js';

/** Milliseconds for a tool to settle after an abort. */
const STOP_GRACE_MS = 1_500;
/** Shorter, so that a subagent settles before its own call is given up. */
const SUBAGENT_STOP_GRACE_MS = 1_000;

/** Length of the JSON, in UTF-16 units; a longer result is only text. */
const MAX_STRUCTURED_LENGTH = 512 * 1024;

/** Runs a permitted call within the budget. Never rejects; returns soon after an abort even if the tool does not. */
export async function executeCall(
  call: RequestedCall,
  permitted: PreparedCall,
  context: TurnContext,
): Promise<CallResult> {
  const { signal } = context.control;
  if (signal.aborted) return canceled(NOT_RUN);
  const { tool, rawInput } = permitted;
  const { tally, showLive } = context;
  const origin = { callId: call.id, parentToolUseId: parentOf(context) };
  if (tool !== context.output?.tool) {
    if (!context.budget.allowsToolCall()) return failed(OVER_BUDGET);
    tally.countToolCall();
  }
  showLive({ type: 'tool_start', name: tool.name, input: rawInput, ...origin });
  const running = startTool(call, permitted, context);
  const graceMs = context.subagent === undefined ? STOP_GRACE_MS : SUBAGENT_STOP_GRACE_MS;
  if (await settlesAfterAbort(running, signal, graceMs)) return running;
  showLive({
    type: 'notice',
    code: 'tool_not_stopped',
    message: `The tool ${tool.name} did not stop after the interrupt; its result is dropped.`,
    parentToolUseId: origin.parentToolUseId,
  });
  return canceled(STOPPED);
}

async function startTool(
  call: RequestedCall,
  { tool, input, facts, realPaths, changedInput, proposedInput, approvedPreview }: PreparedCall,
  context: TurnContext,
): Promise<CallResult> {
  const { cwd, control, rules, startSubagent } = context;
  const origin = { callId: call.id, parentToolUseId: parentOf(context) };
  const onEnd = await context.fileHistory?.beforeCall(facts);
  try {
    control.signal.throwIfAborted();
    const result = await tool.execute(input, {
      callId: call.id,
      cwd,
      signal: control.signal,
      emit: (text) => context.showLive({ type: 'tool_delta', text, ...origin }),
      realPaths,
      ...guardOf(facts.shell),
      isHidden: (realPath) => rules.current.hides(realPath),
      isGuarded: (realPath) => rules.current.guards(realPath),
      namesHost: (host) => rules.current.namesHost(host),
      leavePlanMode: context.leavePlanMode,
      isInContext: (text) => contextHolds(text, context),
      ...(changedInput !== undefined && { changedInput, proposedInput }),
      ...(approvedPreview !== undefined && { approvedPreview }),
      ...(startSubagent !== undefined && { startSubagent: startSubagent(call.id) }),
    });
    // The output of a stopped tool is useful, but not a success.
    const { content, isError, display, structured } = result;
    const status = control.signal.aborted ? 'canceled' : isError === true ? 'error' : 'success';
    return {
      content,
      status,
      ...(display !== undefined && { display }),
      ...(isShort(structured, MAX_STRUCTURED_LENGTH) && { structured }),
    };
  } catch (thrown) {
    if (control.signal.aborted) return canceled(STOPPED);
    return failed(AgentError.from(thrown, 'tool_failed').message);
  } finally {
    await onEnd?.();
  }
}

function contextHolds(text: string, { history, windows, settings }: TurnContext): boolean {
  return fitResults(history.snapshot(), windows.of(settings().model)).some((message) => {
    const parts = message.role === 'tool' ? message.results.flatMap(({ content }) => content) : message.content;
    return [...parts].some((part) => part.type === 'text' && part.text.includes(text));
  });
}

function settlesAfterAbort(running: Promise<CallResult>, signal: AbortSignal, graceMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const onAbort = () => {
      void settlesWithin(running, graceMs).then(resolve);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    void running.then(() => {
      signal.removeEventListener('abort', onAbort);
      resolve(true);
    });
  });
}
