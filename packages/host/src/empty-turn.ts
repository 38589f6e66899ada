import type { AgentEvent, TurnOutcome } from '@qwen/agent';
import { NO_USAGE } from '@qwen/protocol';

export function endOfEmptyTurn(turnId: string, outcome: TurnOutcome): AgentEvent {
  return {
    type: 'turn_end',
    turnId,
    outcome,
    durationMs: 0,
    durationApiMs: 0,
    modelCalls: 0,
    usage: NO_USAGE,
    permissionDenials: [],
  };
}
