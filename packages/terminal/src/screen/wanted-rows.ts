import type { TerminalState } from '../state/terminal-state.js';
import { wantedCallRows } from './call-rows.js';
import type { WantedRows } from './row-shares.js';
import { hasOpenTodos } from './todo-rows.js';

/** Screen readers get only finished lines. */
export function wantedRows({ turn, calls, todos, queued }: TerminalState, isSpoken: boolean): Omit<WantedRows, 'rows'> {
  return {
    hasTurn: turn !== undefined,
    calls: isSpoken ? 0 : wantedCallRows(calls),
    todos: isSpoken || turn === undefined || !hasOpenTodos(todos) ? 0 : todos.length,
    queued: queued.length,
  };
}
