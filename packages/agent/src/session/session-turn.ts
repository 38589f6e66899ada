import { AgentError, type SessionRecord } from '@qwen/protocol';
import type { AgentEvent, TurnOutcome } from '../events.js';
import { runPrompt } from '../loop/run-prompt.js';
import type { TurnContext } from '../loop/turn-context.js';
import { TurnTally } from '../loop/turn-tally.js';
import type { Clock } from '../ports.js';
import type { PromptMessage } from './options.js';

/** What the session lends to one of its turns. */
export interface SessionTurn {
  readonly clock: Clock;
  readonly record: (record: SessionRecord) => Promise<void>;
  /** Called once, as soon as it is decided how the turn ended. */
  readonly onOutcome: () => void;
  readonly createContext: (tally: TurnTally) => Promise<TurnContext>;
}

/** One turn: exactly one `turn_start` and one `turn_end`, whatever goes wrong in between. */
export async function* runSessionTurn(message: PromptMessage, turn: SessionTurn): AsyncGenerator<AgentEvent, void> {
  const startedAtMs = turn.clock.nowMs();
  const tally = new TurnTally();
  const turnId = message.uuid;
  yield { type: 'turn_start', turnId };
  const answered = yield* answer(message, { turn, tally });
  turn.onOutcome();
  const outcome = await recordEnd(answered, { turn, tally });
  yield {
    type: 'turn_end',
    turnId,
    outcome,
    durationMs: turn.clock.nowMs() - startedAtMs,
    durationApiMs: tally.durationApiMs,
    modelCalls: tally.modelCalls,
    usage: tally.usage,
    permissionDenials: [...tally.denials],
  };
}

interface TurnUnderWay {
  readonly turn: SessionTurn;
  readonly tally: TurnTally;
}

async function* answer(
  { uuid, content }: PromptMessage,
  { turn, tally }: TurnUnderWay,
): AsyncGenerator<AgentEvent, TurnOutcome> {
  try {
    const at = turn.clock.isoTime();
    await turn.record({ type: 'user', uuid, at, content: typeof content === 'string' ? content : [...content] });
    return yield* runPrompt(await turn.createContext(tally));
  } catch (thrown) {
    return { type: 'error', error: AgentError.from(thrown) };
  }
}

async function recordEnd(outcome: TurnOutcome, { turn, tally }: TurnUnderWay): Promise<TurnOutcome> {
  try {
    await turn.record({ type: 'turn_end', at: turn.clock.isoTime(), outcome: outcome.type, usage: tally.usage });
    return outcome;
  } catch (thrown) {
    return outcome.type === 'error' ? outcome : { type: 'error', error: AgentError.from(thrown) };
  }
}
