import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, messageOf } from '../../test/fake-host.js';

test('/agents lists its subcommands, /agents list the subagents', async () => {
  verifies('GAP-03');
  expect(await messageOf('/agents list', fakeHost())).toBe('Subagents:\n  reviewer (project) - Reviews.');
  expect(await messageOf('/agents', fakeHost())).toContain('/agents create - Makes a subagent.');
});
