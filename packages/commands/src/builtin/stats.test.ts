import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, messageOf } from '../../test/fake-host.js';

test('/stats', async () => {
  verifies('GAP-03');
  expect(await messageOf('/stats', fakeHost())).toBe(`Session: s-1
Turns: 2
Model calls: 3
Tokens: 40 in, 5 out
Context: about 1200 of 8000 tokens`);
  expect(await messageOf('/stats model', fakeHost())).toBe('Models:\n  qwen-plus: 3 calls, 40 tokens in, 5 out');
  expect(await messageOf('/stats tools', fakeHost())).toBe('Tools:\n  list_directory: 1 call');
  const { host } = fakeHost();
  expect(await messageOf('/stats tools', fakeHost({ session: { ...host.session, records: async () => [] } }))).toBe(
    'There are no tool calls in this conversation.',
  );
});
