import { expect, test } from 'vitest';
import { fakeHost, messageOf, typeIn } from '../../test/fake-host.js';

test('/rewind lists the prompts, newest first', async () => {
  expect(await messageOf('/rewind', fakeHost())).toBe(
    [
      'Prompts, newest first:',
      '  1  2026-01-02 03:04 UTC  Second prompt',
      '  2  2026-01-02 03:04 UTC  First prompt',
      'Use /rewind NUMBER to go back to before a prompt.',
    ].join('\n'),
  );
  const none = fakeHost({ rewind: { ...fakeHost().host.rewind, prompts: async () => [] } });
  expect(await messageOf('/rewind', none)).toBe('There are no prompts to go back to.');
});

test('/rewind shows what changes and acts only after confirmation', async () => {
  const fake = fakeHost();
  expect(await typeIn('/rewind 2 files', fake)).toEqual({
    type: 'confirm_action',
    prompt: [
      'Go back to before "First prompt"?',
      'This changes 2 files (+3 -4 lines):',
      '  Restore /work/a.txt (warning: something else changed it too; a copy is kept)',
      '  Delete /work/b.txt',
      '  Keep /work/c.txt: It is a link now.',
    ].join('\n'),
    rawInvocation: '/rewind 2 files',
  });
  expect(await typeIn('/rewind 2 files', fake, { confirmationOutcome: 'cancel' })).toMatchObject({
    content: 'Cancelled. Nothing was changed.',
  });
  expect(fake.calls).toEqual([]);
  expect(await typeIn('/rewind m-2 conversation', fake, { confirmationOutcome: 'proceed_once' })).toMatchObject({
    content: 'The conversation was rewound.',
  });
  expect(await typeIn('/rewind 1', fake, { confirmationOutcome: 'proceed_once' })).toMatchObject({
    content: expect.stringContaining('Deleted /work/b.txt') as unknown,
  });
  expect(await messageOf('/rewind 2 preview', fake)).toContain('This changes 2 files (+3 -4 lines):');
  expect(await messageOf('/rewind m-1 files --yes', fake)).toContain('Rewound 2 files');
  expect(fake.calls).toEqual(['rewind conversation m-2', 'rewind both m-2', 'rewind files m-1']);
});

test('a prompt that does not exist and unknown words are refused', async () => {
  expect(await messageOf('/rewind 3', fakeHost())).toContain('There is no prompt 3.');
  expect(await messageOf('/rewind 1 everything', fakeHost())).toContain('Usage: /rewind');
});
