import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CONVERSATION, fakeHost, messageOf, typeIn } from '../../test/fake-host.js';
import { chatCommands } from './chat.js';

test('/chat lists its subcommands', async () => {
  verifies('GAP-03');
  expect(await messageOf('/chat', fakeHost())).toMatch(/^\/chat delete TAG - .*\n\/chat list - /);
});

test('a checkpoint is saved, listed, resumed and deleted', async () => {
  verifies('GAP-03', 'F-25');
  const fake = fakeHost();
  expect(await messageOf('/chat list', fake)).toBe('There are no saved checkpoints.');
  expect(await messageOf('/chat save my tag', fake)).toBe('Saved checkpoint "my tag".');
  expect(await messageOf('/chat list', fake)).toBe('Saved checkpoints:\n  my tag  2026-01-02 03:04 UTC');
  expect(await typeIn('/chat load my tag', fake)).toEqual({ type: 'load_history', history: CONVERSATION });
  expect(fake.calls).toEqual([`restore ${CONVERSATION.length}`]);
  expect(await messageOf('/chat delete my tag', fake)).toBe('Deleted checkpoint "my tag".');
  expect(await typeIn('/chat delete my tag', fake)).toMatchObject({ level: 'error' });
  expect(await typeIn('/chat resume my tag', fake)).toMatchObject({ level: 'error' });
});

test('a checkpoint is replaced only after confirmation', async () => {
  verifies('F-28', 'GAP-25');
  const fake = fakeHost();
  fake.checkpoints.set('one', []);
  expect(await typeIn('/chat save one', fake)).toEqual({
    type: 'confirm_action',
    prompt: 'Checkpoint "one" already exists. Replace it?',
    rawInvocation: '/chat save one',
  });
  expect(await typeIn('/chat save one', fake, { confirmationOutcome: 'cancel' })).toMatchObject({
    content: 'Cancelled. Nothing was changed.',
  });
  expect(fake.checkpoints.get('one')).toEqual([]);
  await typeIn('/chat save one', fake, { confirmationOutcome: 'proceed_once' });
  expect(fake.checkpoints.get('one')).toBe(CONVERSATION);
});

test.each(['/chat save', '/chat resume', '/chat delete', '/chat share notes.txt'])(
  '%s without valid arguments prints its usage',
  async (text) => {
    expect(await typeIn(text, fakeHost())).toMatchObject({ level: 'error', code: 'usage' });
  },
);

test('an empty conversation is not saved or exported', async () => {
  const { host } = fakeHost();
  const fake = fakeHost({ session: { ...host.session, records: async () => [] } });
  for (const text of ['/chat save x', '/chat share', '/export md', '/summary']) {
    expect(await messageOf(text, fake)).toBe('The conversation is empty.');
  }
  expect([fake.checkpoints.size, fake.files.size]).toEqual([0, 0]);
});

test('/chat share writes Markdown or JSON, and asks before it replaces a file', async () => {
  verifies('GAP-03', 'F-28');
  const fake = fakeHost();
  expect(await messageOf('/chat share out/talk.md', fake)).toBe('Wrote the conversation to /work/out/talk.md');
  expect(fake.files.get('out/talk.md')).toContain('## Assistant\n\nThis:');
  expect(await messageOf('/chat share', fake)).toContain('qwen-conversation-s-1.json');
  expect(await typeIn('/chat share out/talk.md', fake)).toMatchObject({ type: 'confirm_action' });
});

test('the default file name is safe for any session id', async () => {
  const { host } = fakeHost();
  const fake = fakeHost({ session: { ...host.session, sessionId: '../a b/########8' } });
  await messageOf('/chat share', fake);
  await messageOf('/export md', fake);
  expect([...fake.files.keys()]).toEqual([
    'qwen-conversation-___a_b_________8.json',
    'qwen-session-___a_b_________8.md',
  ]);
});

test('tags are completed', async () => {
  const fake = fakeHost();
  for (const tag of ['one', 'two', 'On']) fake.checkpoints.set(tag, []);
  const command = chatCommands.find(({ name }) => name === 'chat delete');
  const found = await command?.complete?.('o', { host: fake.host, commands: [] });
  expect(found?.map(({ value }) => value)).toEqual(['one', 'On']);
});
