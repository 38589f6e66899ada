import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import {
  fromCloudSessionId,
  newApprovalId,
  newRequestId,
  newSessionId,
  newTurnId,
  primaryThreadId,
  subagentThreadId,
  toCloudSessionId,
  toMessageId,
} from './session-ids.js';

test('a session has an ID for each surface, and each maps back to it', () => {
  verifies('GAP-100', 'S74');
  const id = newSessionId();
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(toCloudSessionId(id)).toMatch(/^sess_[\da-f]{32}$/);
  expect(fromCloudSessionId(toCloudSessionId(id))).toBe(id);
  for (const other of ['', id, 'sess_', `sess_${'g'.repeat(32)}`, `${toCloudSessionId(id)}0`, 'sess___proto__']) {
    expect(fromCloudSessionId(other)).toBeUndefined();
  }
});

test('a request ID consists of unguessable digits and letters', () => {
  verifies('Q-65', 'S79');
  expect(newRequestId(1_234_567_890)).toMatch(/^req_1234567890_[a-z\d]{32}$/);
  const ids = Array.from({ length: 100 }, () => [newRequestId(1), newTurnId(), newApprovalId()]).flat();
  expect(new Set(ids).size).toBe(300);
});

test('IDs of threads and messages contain those of their parents', () => {
  verifies('GAP-97', 'R-35');
  expect(primaryThreadId('a-b-c')).toBe('thrd_abc');
  expect(toMessageId('1-2')).toBe('asst_12');
  // Some providers number the calls of each answer from one.
  expect(subagentThreadId('turn_1', 'call_1')).not.toBe(subagentThreadId('turn_2', 'call_1'));
  expect(subagentThreadId('turn_1', 'call_1')).toBe(subagentThreadId('turn_1', 'call_1'));
});
