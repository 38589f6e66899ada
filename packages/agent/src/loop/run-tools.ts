import { AgentError } from '@qwen/protocol';
import type { AgentEvent } from '../events.js';
import type { CallFacts } from '../permission/call-facts.js';
import type { ToolOutcome } from '../tool-view.js';
import type { RequestedCall } from './answer-builder.js';
import { executeCall } from './execute-call.js';
import { type Preparation, runFailureHooks, runPostToolHooks, runPreToolHooks } from './hooks/call-hooks.js';
import { withTexts } from './hooks/hook-text.js';
import { Limiter } from './limiter.js';
import { permitCall } from './permit-call.js';
import { canonicalCallInput, conflicts, lookUpTool, type PreparedCall, prepareCall } from './prepare-call.js';
import { Questions } from './questions.js';
import { type CallResult, canceled, failed, isShort, NOT_RUN, toOutcome } from './tool-outcome.js';
import { parentOf, type TurnContext } from './turn-context.js';

/** Calls of one answer that run in parallel. */
const MAX_RUNNING = 8;

interface RunningCall {
  readonly call: RequestedCall;
  readonly facts: Promise<CallFacts | undefined>;
  readonly result: Promise<CallResult>;
  /** Whether it has no result yet and may change what another call needs. */
  readonly affects: (other: CallFacts) => boolean;
}

/**
 * Runs the calls of one answer and reports their results in order, each after it is recorded. Every call gets
 * exactly one result. Rejects if a result cannot be recorded; no tool runs by then.
 */
export async function* runTools(
  calls: readonly RequestedCall[],
  context: TurnContext,
): AsyncGenerator<AgentEvent, readonly ToolOutcome[]> {
  const round = new ToolBatch(context);
  const outcomes: ToolOutcome[] = [];
  for (const call of calls) round.start(call);
  try {
    for (const { call, result } of round.running) {
      const outcome = toOutcome(call, await result);
      yield* reportResult(outcome, context);
      outcomes.push(outcome);
    }
    return outcomes;
  } finally {
    if (!round.isSettled) context.control.abandon();
    await Promise.all(round.running.map(({ result }) => result));
  }
}

/** Call before any other event of the calls. */
export function* announceCalls(calls: readonly RequestedCall[], context: TurnContext): Generator<AgentEvent> {
  if (calls.length === 0) return;
  const { tools } = context.settings();
  const parentToolUseId = parentOf(context);
  for (const { id: callId, name: wanted, input } of calls) {
    const tool = lookUpTool(tools, { name: wanted, input });
    const { name = wanted, kind = 'other' } = tool ?? {};
    const canonical = tool === undefined ? input : canonicalCallInput(tool, input).input;
    yield { type: 'tool_pending', callId, name, input: canonical, kind, parentToolUseId };
  }
}

/** Length of the JSON of a result for programs. */
const MAX_STORED_LENGTH = 16 * 1024;

export async function* reportResult(outcome: ToolOutcome, context: TurnContext): AsyncGenerator<AgentEvent> {
  await context.record({
    type: 'tool_result',
    uuid: outcome.uuid,
    at: context.clock.isoTime(),
    tool_use_id: outcome.callId,
    tool_name: outcome.name,
    content: typeof outcome.content === 'string' ? outcome.content : [...outcome.content],
    is_error: outcome.isError,
    ...(isShort(outcome.structured, MAX_STORED_LENGTH) && { tool_use_result: outcome.structured }),
  });
  if (outcome.denial !== undefined) context.tally.addDenial(outcome.denial);
  yield { type: 'tool_end', outcome, parentToolUseId: parentOf(context) };
}

class ToolBatch {
  readonly running: RunningCall[] = [];
  readonly #context: TurnContext;
  readonly #executing = new Limiter(MAX_RUNNING);
  readonly #questions = new Questions();
  #unsettled = 0;

  constructor(context: TurnContext) {
    this.#context = context;
  }

  get isSettled(): boolean {
    return this.#unsettled === 0;
  }

  start(call: RequestedCall): void {
    const earlier = [...this.running];
    const prepared = this.#prepareInTurn(call, earlier.at(-1));
    this.#unsettled += 1;
    let own: CallFacts | undefined;
    this.running.push({
      call,
      facts: prepared.then((outcome) => {
        own = 'refused' in outcome ? undefined : outcome.prepared.facts;
        return own;
      }),
      result: this.#finish(call, prepared, earlier).finally(() => {
        this.#unsettled -= 1;
        own = undefined;
      }),
      affects: (other) => own !== undefined && conflicts(own, other),
    });
  }

  /** Prepared in parallel but completed in order, so that questions keep the order of the calls. */
  async #prepareInTurn(call: RequestedCall, previous: RunningCall | undefined): Promise<Preparation> {
    const preparation = await this.#prepare(call);
    await previous?.facts;
    return preparation;
  }

  /** Never rejects; problems become results. */
  async #prepare(call: RequestedCall): Promise<Preparation> {
    if (call.error !== undefined) {
      return { refused: failed(`${call.error.message} The call did not run. Send the complete call again.`) };
    }
    let prepared: PreparedCall;
    try {
      prepared = await prepareCall(this.#context.settings().tools, call, this.#context);
    } catch (thrown) {
      return { refused: failed(AgentError.from(thrown, 'invalid_tool_input').message) };
    }
    const { onlyIn, name } = prepared.tool;
    const { permissionMode: mode } = this.#context.settings();
    if (onlyIn !== undefined && onlyIn !== mode) {
      return { refused: failed(`${name} is only available in mode ${onlyIn}; the current mode is ${mode}.`) };
    }
    return runPreToolHooks(call, prepared, this.#context);
  }

  async #finish(
    call: RequestedCall,
    preparing: Promise<Preparation>,
    earlier: readonly RunningCall[],
  ): Promise<CallResult> {
    const outcome = await preparing;
    if ('refused' in outcome) return outcome.refused;
    const result = await this.#decideAndRun(call, outcome, earlier);
    return outcome.hookContext === undefined
      ? result
      : { ...result, content: withTexts(result.content, [outcome.hookContext]) };
  }

  async #decideAndRun(
    call: RequestedCall,
    { prepared, advice }: Extract<Preparation, { readonly prepared: PreparedCall }>,
    earlier: readonly RunningCall[],
  ): Promise<CallResult> {
    const context = this.#context;
    if (context.control.signal.aborted) return canceled(NOT_RUN);
    const questions = this.#questions;
    const mayFitLater = () => earlier.some((other) => other.affects(prepared.facts));
    const options = { context, questions, mayFitLater, ...(advice !== undefined && { advice }) };
    const permission = await permitCall(call, prepared, options);
    if ('refused' in permission) return permission.refused;
    const { permitted } = permission;
    await waitForConflicts(permitted.facts, earlier);
    const result = await this.#executing.run(() => executeCall(call, permitted, context));
    const notes = [...permitted.notes.map((note) => `[${note}]`), ...folderInstructions(permitted, context)];
    const noted = { ...result, content: withTexts(result.content, notes) };
    const ran = await runPostToolHooks({ call, prepared: permitted, result: noted }, context);
    return noted.status === 'error' ? runFailureHooks({ call, prepared: permitted, result: ran }, context) : ran;
  }
}

async function waitForConflicts(facts: CallFacts, earlier: readonly RunningCall[]): Promise<void> {
  for (const other of earlier) {
    const otherFacts = await other.facts;
    if (otherFacts !== undefined && conflicts(otherFacts, facts)) await other.result;
  }
}

/** Those of the folders that a call touched first. */
function folderInstructions({ facts }: PreparedCall, { instructionsFor, history }: TurnContext): readonly string[] {
  if (instructionsFor === undefined || facts.command !== undefined) return [];
  const paths = facts.paths.filter(({ insideRoots }) => insideRoots);
  const texts = paths.map(({ realPath }) => instructionsFor(realPath, history.scope));
  return texts.filter((text) => text !== '').map((text) => `Project instructions for this folder:\n\n${text}`);
}
