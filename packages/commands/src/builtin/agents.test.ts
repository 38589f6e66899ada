import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, messageOf } from '../../test/fake-host.js';

test('/agents and /agents list name the subagents and their origin', async () => {
  verifies('GAP-03');
  expect(await messageOf('/agents list', fakeHost())).toBe('Subagents:\n  reviewer (project) - Reviews.');
  expect(await messageOf('/agents', fakeHost())).toMatch(/reviewer \(project\) - Reviews\.\n\/agents create adds/);
});
