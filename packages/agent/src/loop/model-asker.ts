import type { Model, ModelRequest } from '@qwen/models';
import { AgentError } from '@qwen/protocol';
import { fitResults } from '../conversation/fit-results.js';
import type { AgentEvent, TurnOutcome } from '../events.js';
import type { AnyTool } from '../tool.js';
import { unlessAborted } from './abortable.js';
import { Compactor } from './compaction/compactor.js';
import { ModelOrder } from './model-order.js';
import { type Answer, discard, runTurn } from './run-turn.js';
import { parentOf, type TurnContext } from './turn-context.js';

export type AskResult = { readonly answer: Answer } | { readonly outcome: TurnOutcome };

/**
 * Gets the answers for a prompt and recovers once from each kind of failure: compacts a history that is too long,
 * reloads expired credentials, falls back to another model.
 */
export class ModelAsker {
  readonly #context: TurnContext;
  readonly #parentToolUseId: string | null;
  readonly #order: ModelOrder;
  readonly #compactor: Compactor;
  /** The user may choose another model while this one answers. */
  #asked = '';
  #hasRenewedClient = false;

  constructor(context: TurnContext) {
    this.#context = context;
    this.#parentToolUseId = parentOf(context);
    this.#order = new ModelOrder(context);
    this.#compactor = new Compactor(context);
  }

  async *ask(): AsyncGenerator<AgentEvent, AskResult> {
    const context = this.#context;
    for (;;) {
      const outcome = this.#stopReason() ?? (yield* this.#prepare());
      if (outcome !== undefined) return { outcome };
      const name = this.#order.current;
      this.#asked = name;
      const unpriced = unknownPrice(name, context);
      if (unpriced !== undefined) return { outcome: { type: 'error', error: unpriced } };
      const model = await openModel(name, context);
      if ('outcome' in model) return model;
      if ('failure' in model) {
        if (yield* this.fallBack(model.failure)) continue;
        return { outcome: { type: 'error', error: model.failure } };
      }
      // Last, so that an interrupt before the call leaves them in the queue.
      if (context.takeMessages !== undefined) yield* context.takeMessages(context);
      const call = { ...model, request: createRequest(name, context), hasFallback: this.#order.hasNext };
      const answer = yield* runTurn(call, context);
      if (yield* this.#recover(answer, name)) continue;
      if (answer.failure === undefined) this.#compactor.noteAnswer(name, answer.model);
      return { answer: withAdvice(answer, name) };
    }
  }

  #stopReason(): TurnOutcome | undefined {
    const { control, budget, tally, maxModelCalls } = this.#context;
    if (control.signal.aborted) return interrupted(this.#context);
    const limit = budget.reached();
    if (limit !== undefined) return { type: 'budget', limit };
    return tally.modelCalls >= maxModelCalls ? { type: 'max_turns', limit: maxModelCalls } : undefined;
  }

  async *#prepare(): AsyncGenerator<AgentEvent, TurnOutcome | undefined> {
    const { control, budget } = this.#context;
    if (budget.isSet) yield { type: 'budget', remaining: budget.remaining(), parentToolUseId: this.#parentToolUseId };
    yield* this.#compactor.makeRoom(this.#order.current);
    return control.signal.aborted ? interrupted(this.#context) : undefined;
  }

  async *#recover(answer: Answer, name: string): AsyncGenerator<AgentEvent, boolean> {
    if (!this.#hasRenewedClient && hasExpiredCredentials(answer, this.#context)) {
      this.#hasRenewedClient = true;
      this.#context.dropModel(name);
      const message = 'The provider refused the credentials. Retrying once with a new client.';
      yield { type: 'notice', code: 'credentials_refused', message, parentToolUseId: this.#parentToolUseId };
      return true;
    }
    const { failure } = answer;
    if (failure === undefined) return false;
    if (isOverflow(answer) && (yield* this.#compactor.afterOverflow(name, failure.message))) return true;
    return yield* this.fallBack(failure, answer);
  }

  /** Whether another model answers instead of the last one, which failed. */
  async *fallBack(error: AgentError, broken?: Answer): AsyncGenerator<AgentEvent, boolean> {
    const from = this.#asked;
    if (!this.#order.failOver(error, from)) return false;
    if (broken?.started === true) yield* discard(broken, this.#context);
    const to = this.#order.current;
    yield { type: 'model_fallback', from, to, error, parentToolUseId: this.#parentToolUseId };
    return true;
  }
}

/** A limit of cost cannot be kept without the price. */
function unknownPrice(model: string, { budget, prices }: TurnContext): AgentError | undefined {
  if (!budget.limitsCost || prices?.isKnown(model) === true) return undefined;
  const message =
    `The budget in US dollars needs the price of ${model}, which is unknown. ` +
    `Add it to modelOptions.prices in ~/.qwen/settings.json, or remove the budget.`;
  return new AgentError('invalid_options', message, { data: { model } });
}

function isOverflow({ failure, started }: Answer): boolean {
  return failure?.code === 'context_overflow' && !started;
}

function withAdvice(answer: Answer, model: string): Answer {
  const { failure } = answer;
  if (failure === undefined || !isOverflow(answer)) return answer;
  const advice =
    `The request does not fit into the context window of ${model}, and the conversation could not be made shorter. ` +
    'Send a shorter prompt, attach less, offer fewer tools, or use a model with a larger window.';
  const message = `${failure.message}${/[.!?]$/.test(failure.message) ? '' : '.'} ${advice}`;
  return { ...answer, failure: new AgentError(failure.code, message, { data: failure.data, cause: failure }) };
}

function hasExpiredCredentials({ failure, started }: Answer, { history }: TurnContext): boolean {
  return failure?.code === 'auth_failed' && !started && history.messages.some(({ role }) => role === 'assistant');
}

async function openModel(
  name: string,
  context: TurnContext,
): Promise<{ readonly model: Model } | { readonly outcome: TurnOutcome } | { readonly failure: AgentError }> {
  try {
    const settled = await unlessAborted(context.loadModel(name), context.control.signal);
    return settled.aborted ? { outcome: interrupted(context) } : { model: settled.value };
  } catch (thrown) {
    return { failure: AgentError.from(thrown) };
  }
}

function createRequest(model: string, context: TurnContext): ModelRequest {
  const { settings, systemPrompt, history, sampling, windows } = context;
  const { tools, effort } = settings();
  return {
    model,
    system: systemPrompt,
    messages: [...fitResults(history.closeOpenCalls(), windows.of(model))],
    tools: tools.map(declare),
    ...(effort !== undefined && { effort }),
    ...sampling,
  };
}

function declare({ name, description, inputSchema }: AnyTool): ModelRequest['tools'][number] {
  return { name, description, inputSchema };
}

export function interrupted({ control }: TurnContext): TurnOutcome {
  const { by, reason } = control.cause ?? { by: 'shutdown', reason: 'The session was closed.' };
  return by === 'budget' ? { type: 'budget', limit: 'wallMs' } : { type: 'interrupted', by, reason };
}
