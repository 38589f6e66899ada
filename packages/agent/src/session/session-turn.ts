import { AgentError, defined, type Usage } from '@qwen/protocol';
import type { AgentEvent, TurnOutcome } from '../events.js';
import { runPromptHooks } from '../loop/hooks/prompt-hooks.js';
import type { SessionStartHooks } from '../loop/hooks/session-start-hooks.js';
import { interrupted } from '../loop/model-asker.js';
import { runPrompt } from '../loop/run-prompt.js';
import type { TurnBudget } from '../loop/turn-budget.js';
import type { TurnContext } from '../loop/turn-context.js';
import { TurnTally } from '../loop/turn-tally.js';
import type { Clock } from '../ports.js';
import type { SessionState } from './create-turn-context.js';
import type { Submission } from './options.js';

export interface SessionTurn {
  readonly clock: Clock;
  readonly state: Pick<SessionState, 'record' | 'windows'>;
  readonly opening: SessionStartHooks;
  readonly onOutcome: () => void;
  readonly createBudget: (tally: TurnTally) => TurnBudget;
  readonly createContext: (tally: TurnTally, budget: TurnBudget) => Promise<TurnContext>;
}

type TurnEnd = Extract<AgentEvent, { type: 'turn_end' }>;

const CONTINUE_PROMPT = 'Your answer was cut off. Continue where it ends.';

/** Emits exactly one `turn_start` and one `turn_end`. */
export async function* runSessionTurn(message: Submission, turn: SessionTurn): AsyncGenerator<AgentEvent, void> {
  const startedAtMs = turn.clock.nowMs();
  const tally = new TurnTally();
  using budget = turn.createBudget(tally);
  const turnId = message.uuid;
  yield { type: 'turn_start', turnId };
  const answered = yield* answer(message, { turn, tally, budget });
  turn.onOutcome();
  const outcome = await recordEnd(answered, { turn, tally, budget });
  yield {
    type: 'turn_end',
    turnId,
    outcome,
    durationMs: turn.clock.nowMs() - startedAtMs,
    durationApiMs: tally.durationApiMs,
    modelCalls: tally.modelCalls,
    usage: tally.usage,
    ...(tally.models.size > 0 && { modelUsage: usageByModel(tally, turn) }),
    permissionDenials: [...tally.denials],
    ...(budget.isSet && { budgetRemaining: budget.remaining() }),
  };
}

function usageByModel({ models }: TurnTally, { state }: SessionTurn): NonNullable<TurnEnd['modelUsage']> {
  const withWindow = ([model, usage]: [string, Usage]) => [
    model,
    { ...usage, ...defined({ context_window: state.windows.known(model) }) },
  ];
  return Object.fromEntries([...models].map(withWindow));
}

interface TurnUnderWay {
  readonly turn: SessionTurn;
  readonly tally: TurnTally;
  readonly budget: TurnBudget;
}

async function* answer(
  message: Submission,
  { turn, tally, budget }: TurnUnderWay,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  try {
    const at = turn.clock.isoTime();
    const context = await turn.createContext(tally, budget);
    if ('callId' in message) {
      const { runRequestedTool } = await import('../loop/run-requested-tool.js');
      return yield* runRequestedTool(message, context);
    }
    const { uuid, content } = message;
    if (content === undefined) return yield* continueTurn(context, turn);
    const taken = await runPromptHooks(content, turn.opening, context);
    if (taken === undefined) return interrupted(context);
    const plan = planNote(context);
    for (const text of [...(plan === undefined ? [] : [plan]), ...(context.takeNotes?.() ?? [])]) {
      await turn.state.record({ type: 'note', uuid: crypto.randomUUID(), at, text });
    }
    await turn.state.record({ type: 'user', uuid, at, content: typeof taken === 'string' ? taken : [...taken] });
    turn.opening.markDelivered();
    return yield* runPrompt(context);
  } catch (thrown) {
    return { type: 'error', error: AgentError.from(thrown) };
  }
}

/** The model does not see modes. */
function planNote({ settings }: TurnContext): string | undefined {
  const { permissionMode, tools } = settings();
  const exit = permissionMode === 'plan' ? tools.find(({ onlyIn }) => onlyIn === 'plan') : undefined;
  return exit && `Plan mode is on: read only, change nothing. When your plan is ready, present it with ${exit.name}.`;
}

/** Providers require a user message after an answer. */
async function* continueTurn(
  context: TurnContext,
  { state, clock }: SessionTurn,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  if (context.history.closeOpenCalls().at(-1)?.role === 'assistant') {
    const uuid = crypto.randomUUID();
    await state.record({ type: 'user', uuid, at: clock.isoTime(), content: CONTINUE_PROMPT, is_synthetic: true });
  }
  return yield* runPrompt(context);
}

async function recordEnd(outcome: TurnOutcome, { turn, tally }: TurnUnderWay): Promise<TurnOutcome> {
  try {
    await turn.state.record({ type: 'turn_end', at: turn.clock.isoTime(), outcome: outcome.type, usage: tally.usage });
    return outcome;
  } catch (thrown) {
    return outcome.type === 'error' ? outcome : { type: 'error', error: AgentError.from(thrown) };
  }
}
