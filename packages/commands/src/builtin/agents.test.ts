import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, messageOf } from '../../test/fake-host.js';

test('/agents lists its subcommands, and /agents list lists the subagents', async () => {
  verifies('GAP-03');
  expect(await messageOf('/agents list', fakeHost())).toBe('Subagents:\n  reviewer (project) - Reviews.');
  expect(await messageOf('/agents', fakeHost())).toContain('/agents create - Create a subagent.');
});
