import type { TodoItem } from '@qwen/agent';
import { expect, test } from 'vitest';
import { plainText } from '../lines/styled-line.js';
import { hasOpenTodos, todoRows } from './todo-rows.js';

const todos = (...states: readonly TodoItem['status'][]): readonly TodoItem[] =>
  states.map((status, index) => ({ id: `${index}`, content: `step ${index}`, status }));

const rows = (list: readonly TodoItem[], limit: number) => todoRows(list, { columns: 12, rows: limit }).map(plainText);

test('keeps the current item and its predecessor visible', () => {
  const list = todos('completed', 'completed', 'completed', 'in_progress', 'pending', 'pending');
  expect(rows(list, 3)).toEqual(['[x] step 2', '[~] step 3', '[ ] step 4']);
  expect(rows(list, 10)).toHaveLength(6);
});

test('shows nothing when all items are done', () => {
  expect(hasOpenTodos(todos('completed', 'pending'))).toBe(true);
  expect(hasOpenTodos(todos('completed'))).toBe(false);
  expect(hasOpenTodos([])).toBe(false);
});
