import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, typeIn } from '../../test/fake-host.js';

test('/init and /summary submit a prompt', async () => {
  verifies('F-24', 'F-28', 'GAP-03');
  const fake = fakeHost();
  expect(await typeIn('/init', fake)).toMatchObject({
    type: 'submit_prompt',
    content: expect.stringContaining('QWEN.md'),
  });
  expect(await typeIn('/summary', fake)).toMatchObject({
    type: 'submit_prompt',
    content: expect.stringContaining('.qwen/PROJECT_SUMMARY.md'),
  });
  fake.files.set('QWEN.md', ' \n');
  expect(await typeIn('/init', fake)).toMatchObject({ type: 'submit_prompt' });
  fake.files.set('QWEN.md', 'Be brief.');
  expect(await typeIn('/init', fake)).toMatchObject({ type: 'confirm_action', rawInvocation: '/init' });
  expect(await typeIn('/init', fake, { confirmationOutcome: 'proceed_once' })).toMatchObject({ type: 'submit_prompt' });
});
