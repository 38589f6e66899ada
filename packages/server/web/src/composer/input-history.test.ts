import { expect, test } from 'vitest';
import { InputHistory } from './input-history.js';

test('walks to the oldest message and back to what was typed', () => {
  const history = new InputHistory();
  const messages = ['one', 'two'];
  expect(history.newer(messages)).toBeUndefined();
  expect(history.older(messages, 'draft')).toBe('two');
  expect(history.older(messages, 'two')).toBe('one');
  expect(history.older(messages, 'one')).toBeUndefined();
  expect(history.newer(messages)).toBe('two');
  expect(history.newer(messages)).toBe('draft');
  expect(history.newer(messages)).toBeUndefined();
  history.older(messages, 'draft');
  history.leave();
  expect(history.older(messages, 'edited')).toBe('two');
});
