import type { AgentEvent } from '@qwen/agent';
import { reduceCalls, withActivity } from './reduce-calls.js';
import type { RunningTurn, TerminalState } from './terminal-state.js';

/** Approximate characters per token. */
const TOKEN_LENGTH = 4;

/** Pure; returns the same object if nothing changed. `nowMs` is the screen's clock. The transcript owns the draft. */
export function reduceEvent(state: TerminalState, event: AgentEvent, nowMs: number): TerminalState {
  switch (event.type) {
    case 'turn_start':
      return {
        ...state,
        calls: [],
        turn: { startedAt: nowMs, phase: 'waiting', outputTokens: 0, isCancelling: false },
      };
    case 'turn_end': {
      const { turn: _over, ...rest } = state;
      return { ...withCost(rest, event), calls: [] };
    }
    case 'message_start':
      return inTurn(state, event, { phase: 'waiting' });
    case 'block_start':
      return inTurn(state, event, { phase: event.block.type === 'thinking' ? 'thinking' : 'answering' });
    case 'block_delta':
      return withTokens(state, event.text.length / TOKEN_LENGTH);
    case 'message_end':
      return inTurn(state, event, { phase: event.stopReason === 'tool_use' ? 'tools' : 'waiting' });
    case 'retry': {
      const retry = { reason: event.error.message, until: nowMs + event.delayMs, attempt: event.attempt };
      return inTurn(state, event, { phase: 'retrying', retry });
    }
    case 'tool_start':
      return reduceCalls(inTurn(state, event, event.parentToolUseId === null ? { phase: 'tools' } : {}), event, nowMs);
    case 'tool_pending':
    case 'tool_asking':
    case 'tool_delta':
    case 'tool_end':
      return reduceCalls(state, event, nowMs);
    case 'model_changed':
      return state.model === event.model ? state : { ...state, model: event.model };
    case 'model_fallback':
      return event.parentToolUseId === null ? { ...state, model: event.to } : state;
    case 'permission_mode_changed':
      return state.permissionMode === event.mode ? state : { ...state, permissionMode: event.mode };
    case 'history_changed':
      return { ...state, todos: [] };
    case 'block_end':
    case 'prompt_taken':
    case 'budget':
    case 'compacted':
    case 'notice':
    case 'task_progress':
      return state;
    case 'task_started':
    case 'task_ended':
      // Draws the footer, which counts them.
      return { ...state };
  }
}

/** One turn without a known cost makes the sum unknown. */
function withCost(
  { costUsd: sum = 0, ...state }: TerminalState,
  { usage, modelCalls }: Extract<AgentEvent, { type: 'turn_end' }>,
): TerminalState {
  if (state.hasUnknownCost === true) return state;
  if (usage.cost_usd !== undefined) return { ...state, costUsd: sum + usage.cost_usd };
  const isFree = modelCalls === 0;
  if (isFree) return sum === 0 ? state : { ...state, costUsd: sum };
  return { ...state, hasUnknownCost: true };
}

/** Shows the activity of a subagent with its call. Any event ends a retry wait. */
function inTurn(
  state: TerminalState,
  { parentToolUseId }: { readonly parentToolUseId: string | null },
  change: Partial<RunningTurn>,
): TerminalState {
  if (state.turn === undefined) return state;
  if (parentToolUseId !== null) return withActivity(state, parentToolUseId, change.phase);
  const { retry: _over, ...turn } = state.turn;
  return { ...state, turn: { ...turn, ...change } };
}

function withTokens(state: TerminalState, tokens: number): TerminalState {
  if (state.turn === undefined) return state;
  return { ...state, turn: { ...state.turn, outputTokens: state.turn.outputTokens + tokens } };
}
