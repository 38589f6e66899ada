import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, messageOf, typeIn } from '../../test/fake-host.js';
import { builtinCommands, CommandRegistry } from '../index.js';

const registry = new CommandRegistry([builtinCommands()]);

test('/about', async () => {
  verifies('GAP-03', 'F-16');
  expect(await messageOf('/about', fakeHost())).toBe(`qwen 1.2.3
Platform: linux x64, Node.js 24.0.0
Model: qwen-plus
Account: openai at api.example.com (credentials: OPENAI_API_KEY)
Approval mode: default
Session: s-1
Folder: /work`);
  const { host } = fakeHost();
  expect(await messageOf('/status', fakeHost({ facts: { ...host.facts, account: {} } }))).toContain(
    'Account: not configured',
  );
});

test('/bug and /docs show links', async () => {
  const text = await messageOf('/bug It broke & burns', fakeHost());
  const [address = ''] = /https:\S+/.exec(text) ?? [];
  const { origin, pathname, searchParams } = new URL(address);
  expect(origin + pathname).toBe('https://example.com/qwen/issues/new');
  expect(searchParams.get('title')).toBe('It broke & burns');
  expect(searchParams.get('body')).toContain('Version: 1.2.3\nPlatform: linux x64, Node.js 24.0.0\nModel: qwen-plus');
  expect(await messageOf('/docs', fakeHost())).toBe('Documentation: https://example.com/qwen#readme');
});

test('/corgi toggles corgi mode per session', async () => {
  const fake = fakeHost();
  const corgi = registry.find('corgi');
  const call = {
    args: '',
    raw: '/corgi',
    approvedCommands: [],
    signal: new AbortController().signal,
    commands: [],
    conflicts: [],
  };
  expect(await corgi?.run(call, fake.host)).toMatchObject({ content: expect.stringContaining('Corgi mode is on.') });
  expect(await corgi?.run(call, fake.host)).toMatchObject({ content: 'Corgi mode is off.' });
  await corgi?.run(call, fake.host);
  expect(await messageOf('/corgi', fake)).toContain('Corgi mode is on.');
});

test('/quit ends the program and asks first if the host can', async () => {
  verifies('F-26', 'GAP-07');
  expect(await typeIn('/quit', fakeHost())).toEqual({ type: 'quit', messages: ['Session s-1 ended.'] });
  const live = fakeHost({ surface: { showsDialogs: true, confirmsQuit: true } });
  expect(await typeIn('/exit', live)).toEqual({ type: 'quit_confirmation', prompt: 'End the session?' });
  expect(await typeIn('/exit', live, { confirmationOutcome: 'proceed_once' })).toMatchObject({ type: 'quit' });
  expect(await typeIn('/exit', live, { confirmationOutcome: 'cancel' })).toMatchObject({ type: 'message' });
});
