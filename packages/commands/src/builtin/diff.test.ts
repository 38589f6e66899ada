import { expect, test } from 'vitest';
import { fakeHost, messageOf } from '../../test/fake-host.js';

const prompt = { messageId: 'm', text: 'go', sentAtMs: 0 };

test('/diff shows the changes of the session; lines that a rewind deletes were added', async () => {
  const { host } = fakeHost();
  const file = {
    path: '/work/a.ts',
    action: 'restore',
    diff: '--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-old\n+new\n',
  } as const;
  const files = [file, { path: '/work/b.png', action: 'delete' } as const];
  const preview = async () => ({ files, insertions: 1, deletions: 4 });
  const fake = fakeHost({ rewind: { ...host.rewind, prompts: async () => [prompt], preview } });
  expect(await messageOf('/diff', fake)).toBe(
    '2 files changed (+4 -1 lines)\n--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-old\n+new\n' +
      '/work/b.png: new, not shown: not a text file, or too large',
  );
});

test('/diff without changes, copies or prompts says so', async () => {
  const { host } = fakeHost();
  const withPreview = (preview: typeof host.rewind.preview, prompts = [prompt]) =>
    fakeHost({ rewind: { ...host.rewind, prompts: async () => prompts, preview } });
  const none = async () => ({ files: [], insertions: 0, deletions: 0 });
  expect(await messageOf('/diff', withPreview(none))).toBe('This session has changed no files.');
  expect(
    await messageOf(
      '/diff',
      withPreview(async () => undefined),
    ),
  ).toContain('fileHistory.enabled is false');
  expect(await messageOf('/diff', withPreview(none, []))).toContain('the conversation is empty');
});
