import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { AbortError, isAbortError } from './errors.js';

test('recognizes an abort by its code, from any copy of the package and from the platform', () => {
  verifies('T28');
  const fromAnotherCopy = { [Symbol.for('qwen.AgentError')]: true, code: 'aborted' };
  expect(isAbortError(new AbortError())).toBe(true);
  expect(isAbortError(fromAnotherCopy)).toBe(true);
  expect(isAbortError(AbortSignal.abort().reason)).toBe(true);
  expect(isAbortError(Object.assign(new Error('x'), { name: 'AbortError' }))).toBe(true);
  expect(isAbortError(new AgentError('timeout', 'x'))).toBe(false);
  expect(isAbortError('AbortError')).toBe(false);
});

test('has the name AbortError and the code aborted', () => {
  const error = new AbortError();
  expect(error).toMatchObject({ name: 'AbortError', code: 'aborted' });
  expect(AgentError.is(error)).toBe(true);
});
