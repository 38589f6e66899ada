import type { AgentEvent } from '@qwen/agent';
import type { LiveCall, TerminalState } from './terminal-state.js';

type CallEvent = Extract<
  AgentEvent,
  { type: 'tool_pending' | 'tool_asking' | 'tool_start' | 'tool_delta' | 'tool_end' }
>;

/** Of the output of a running call its end is kept, in UTF-16 units. */
const OUTPUT_LENGTH = 4_096;

/** What an event about a call changes. Pure. */
export function reduceCalls(state: TerminalState, event: CallEvent, nowMs: number): TerminalState {
  switch (event.type) {
    case 'tool_pending': {
      const { callId, name, input, parentToolUseId } = event;
      const call: LiveCall = { callId, name, input, parentToolUseId, phase: 'pending', output: '', startedAt: nowMs };
      return { ...state, calls: [...state.calls, call] };
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
      const { callId, display } = event.outcome;
      // Calls of a subagent go with the call that they belong to.
      const calls = state.calls.filter((call) => call.callId !== callId && call.parentToolUseId !== callId);
      const todos = display?.kind === 'todos' && event.parentToolUseId === null ? display.todos : state.todos;
      return { ...state, calls, todos };
    }
  }
}

function withCall(state: TerminalState, callId: string, change: (call: LiveCall) => LiveCall): TerminalState {
  if (!state.calls.some((call) => call.callId === callId)) return state;
  return { ...state, calls: state.calls.map((call) => (call.callId === callId ? change(call) : call)) };
}
