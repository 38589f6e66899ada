import type { AgentEvent } from '@qwen/agent';
import type { LiveCall, RunningTurn, TerminalState } from './terminal-state.js';

type CallEvent = Extract<
  AgentEvent,
  { type: 'tool_pending' | 'tool_asking' | 'tool_start' | 'tool_delta' | 'tool_end' }
>;

/** UTF-16 units kept of the end of a running call's output. */
const OUTPUT_LENGTH = 4_096;

const UNDER_WAY: ReadonlySet<LiveCall['phase']> = new Set(['pending', 'asking', 'running']);

export function reduceCalls(state: TerminalState, event: CallEvent, nowMs: number): TerminalState {
  switch (event.type) {
    case 'tool_pending': {
      const { callId, name, input, parentToolUseId } = event;
      const call = {
        callId,
        name,
        input,
        parentToolUseId,
        phase: 'pending',
        output: '',
        startedAt: nowMs,
        innerCalls: 0,
      } as const;
      return { ...state, calls: [...withInner(state.calls, parentToolUseId), call] };
    }
    case 'tool_asking':
      return withCall(state, event.callId, (call) => ({ ...call, phase: 'asking', input: event.input }));
    case 'tool_start':
      return withCall(state, event.callId, (call) => ({
        ...call,
        phase: 'running',
        input: event.input,
        startedAt: nowMs,
      }));
    case 'tool_delta':
      return withCall(state, event.callId, (call) => ({
        ...call,
        output: (call.output + event.text).slice(-OUTPUT_LENGTH),
      }));
    case 'tool_end': {
      const { callId, display, status } = event.outcome;
      if (event.parentToolUseId !== null) return withCall(state, callId, (call) => ({ ...call, phase: status }));
      // Subagent calls leave with their parent.
      const calls = state.calls.filter((call) => call.callId !== callId && call.parentToolUseId !== callId);
      const todos = display?.kind === 'todos' ? display.todos : state.todos;
      return { ...state, calls, todos };
    }
  }
}

export function withActivity(state: TerminalState, callId: string, phase?: RunningTurn['phase']): TerminalState {
  const activity = phase === 'thinking' || phase === 'answering' || phase === 'retrying' ? phase : undefined;
  if (state.calls.every((call) => call.callId !== callId || call.activity === activity)) return state;
  return withCall(state, callId, ({ activity: _before, ...call }) => ({ ...call, ...(activity && { activity }) }));
}

/** Adds a call of `parent`: increments its count and drops its finished calls. */
function withInner(calls: readonly LiveCall[], parent: string | null): readonly LiveCall[] {
  if (parent === null) return calls;
  return calls
    .filter((call) => call.parentToolUseId !== parent || UNDER_WAY.has(call.phase))
    .map((call) => (call.callId === parent ? { ...call, innerCalls: call.innerCalls + 1 } : call));
}

function withCall(state: TerminalState, callId: string, change: (call: LiveCall) => LiveCall): TerminalState {
  if (!state.calls.some((call) => call.callId === callId)) return state;
  return { ...state, calls: state.calls.map((call) => (call.callId === callId ? change(call) : call)) };
}
