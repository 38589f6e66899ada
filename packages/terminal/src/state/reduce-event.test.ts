import type { AgentEvent, ToolDisplay } from '@qwen/agent';
import { endOfEmptyTurn } from '@qwen/host/empty-turn.js';
import { AgentError } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { reduceEvent } from './reduce-event.js';
import type { TerminalState } from './terminal-state.js';
import { firstState } from './terminal-state.js';

const START = firstState({ model: 'qwen', permissionMode: 'default' });
const MAIN = { parentToolUseId: null } as const;
const TURN: AgentEvent = { type: 'turn_start', turnId: 't' };
const CALL = { callId: 'c', name: 'run_shell_command', input: { command: 'ls' }, ...MAIN } as const;
const PENDING: AgentEvent = { type: 'tool_pending', kind: 'execute', ...CALL };

/** Each event a second after the one before. */
function after(...events: readonly AgentEvent[]): TerminalState {
  return events.reduce((state, event, index) => reduceEvent(state, event, index * 1_000), START);
}

function ended(
  callId: string,
  { parent = null, ...more }: { readonly parent?: string | null; readonly display?: ToolDisplay } = {},
): AgentEvent {
  const outcome = { callId, name: 'x', uuid: 'u', content: '', isError: false, status: 'success' as const, ...more };
  return { type: 'tool_end', outcome, parentToolUseId: parent };
}

test('follows a turn from start over thinking and answering to its end', () => {
  const start: AgentEvent = { type: 'message_start', messageId: 'm', model: 'qwen', ...MAIN };
  const block = (type: 'thinking' | 'text'): AgentEvent => ({
    type: 'block_start',
    messageId: 'm',
    index: 0,
    block: type === 'text' ? { type, text: '' } : { type, thinking: '' },
    ...MAIN,
  });
  const delta: AgentEvent = {
    type: 'block_delta',
    messageId: 'm',
    index: 0,
    kind: 'text',
    text: 'x'.repeat(40),
    ...MAIN,
  };
  expect(after(TURN).turn).toEqual({ startedAt: 0, phase: 'waiting', outputTokens: 0, isCancelling: false });
  expect(after(TURN, start, block('thinking')).turn).toMatchObject({ phase: 'thinking', startedAt: 0 });
  expect(after(TURN, start, block('text'), delta).turn).toMatchObject({ phase: 'answering', outputTokens: 10 });
  expect(after(TURN, start, endOfEmptyTurn('t', { type: 'success', text: '' }))).toEqual(START);
});

test('follows a call from pending over approval and output to its end', () => {
  const asking: AgentEvent = {
    type: 'tool_asking',
    reason: 'r',
    suggestions: [],
    preview: { type: 'info', prompt: '', urls: [] },
    ...CALL,
  };
  const start: AgentEvent = { type: 'tool_start', ...CALL, input: { command: 'ls -l' } };
  const prints: AgentEvent = { type: 'tool_delta', callId: 'c', text: 'out', ...MAIN };
  expect(after(TURN, PENDING).calls).toMatchObject([{ phase: 'pending' }]);
  expect(after(TURN, PENDING, asking).calls).toMatchObject([{ phase: 'asking' }]);
  expect(after(TURN, PENDING, asking, start, prints).calls).toEqual([
    { ...CALL, input: { command: 'ls -l' }, phase: 'running', output: 'out', startedAt: 3_000, innerCalls: 0 },
  ]);
  expect(after(TURN, PENDING, start, ended('c')).calls).toEqual([]);
});

test("keeps only the end of a call's output", () => {
  const prints: AgentEvent = { type: 'tool_delta', callId: 'c', text: 'x'.repeat(3_000), ...MAIN };
  const last: AgentEvent = { type: 'tool_delta', callId: 'c', text: 'end', ...MAIN };
  const [call] = after(TURN, PENDING, prints, prints, last).calls;
  expect(call?.output).toHaveLength(4_096);
  expect(call?.output.endsWith('xend')).toBe(true);
});

test('removes calls of a subagent with their parent', () => {
  const own: AgentEvent = { ...PENDING, callId: 'inner', parentToolUseId: 'c' };
  expect(after(TURN, PENDING, own).calls).toHaveLength(2);
  expect(after(TURN, PENDING, own, ended('c')).calls).toEqual([]);
});

test('counts the calls of a subagent and shows the latest', () => {
  const inner = (callId: string): AgentEvent => ({ ...PENDING, callId, parentToolUseId: 'c' });
  const over = ended('a', { parent: 'c' });
  expect(after(TURN, PENDING, inner('a'), over).calls).toMatchObject([
    { callId: 'c', innerCalls: 1 },
    { callId: 'a', phase: 'success' },
  ]);
  expect(after(TURN, PENDING, inner('a'), over, inner('b')).calls).toMatchObject([
    { callId: 'c', innerCalls: 2 },
    { callId: 'b', phase: 'pending' },
  ]);
  expect(after(TURN, PENDING, inner('a'), inner('b')).calls.map(({ callId }) => callId)).toEqual(['c', 'a', 'b']);
});

test('a subagent shows what its model does, and the turn its own phase', () => {
  const inner = { parentToolUseId: 'c' } as const;
  const block: AgentEvent = {
    type: 'block_start',
    messageId: 'n',
    index: 0,
    block: { type: 'text', text: '' },
    ...inner,
  };
  expect(after(TURN, PENDING, block)).toMatchObject({ turn: { phase: 'waiting' }, calls: [{ activity: 'answering' }] });
  const end: AgentEvent = { type: 'message_start', messageId: 'o', model: 'qwen', ...inner };
  expect(after(TURN, PENDING, block, end).calls[0]).not.toHaveProperty('activity');
});

test('shows a failed attempt and the next retry until output arrives', () => {
  const error = new AgentError('rate_limited', 'Too many requests.');
  const retry: AgentEvent = { type: 'retry', attempt: 2, delayMs: 4_000, error, ...MAIN };
  expect(after(TURN, retry).turn).toMatchObject({
    phase: 'retrying',
    retry: { reason: 'Too many requests.', until: 5_000, attempt: 2 },
  });
  const start: AgentEvent = { type: 'message_start', messageId: 'm', model: 'qwen', ...MAIN };
  expect(after(TURN, retry, start).turn).not.toHaveProperty('retry');
});

test('keeps model, mode and plan after the turn', () => {
  const todos = [{ id: '1', content: 'first', status: 'pending' as const }];
  const state = after(
    TURN,
    { type: 'model_changed', model: 'other' },
    { type: 'permission_mode_changed', mode: 'plan' },
    ended('c', { display: { kind: 'todos', todos } }),
    endOfEmptyTurn('t', { type: 'success', text: '' }),
  );
  expect(state).toMatchObject({ model: 'other', permissionMode: 'plan', todos });
  expect(reduceEvent(state, { type: 'history_changed', reason: 'cleared', messages: 0 }, 0).todos).toEqual([]);
});

test('returns the same object if nothing changed, to avoid rendering', () => {
  const notice: AgentEvent = { type: 'notice', code: 'x', message: 'm', ...MAIN };
  expect(reduceEvent(START, notice, 1)).toBe(START);
  expect(reduceEvent(START, { type: 'model_changed', model: 'qwen' }, 1)).toBe(START);
  expect(reduceEvent(START, { type: 'budget', remaining: {}, ...MAIN }, 1)).toBe(START);
});
