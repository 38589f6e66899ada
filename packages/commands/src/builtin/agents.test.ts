import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, said } from '../../test/fake-host.js';

test('/agents lists its subcommands, /agents list the subagents', async () => {
  verifies('GAP-03');
  expect(await said('/agents list', fakeHost())).toBe('Subagents:\n  reviewer (project) - Reviews.');
  expect(await said('/agents', fakeHost())).toContain('/agents create - Makes a subagent.');
});
