import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, said, TALK, typeIn } from '../../test/fake-host.js';

test('/clear is done without a word', async () => {
  verifies('F-20', 'GAP-03');
  const fake = fakeHost();
  expect(await typeIn('/clear', fake)).toEqual({ type: 'handled' });
  expect(fake.doings).toEqual(['clear']);
});

test('/compress tells what it saved', async () => {
  verifies('GAP-03');
  expect(await said('/compress', fakeHost())).toBe('Compressed the context from 900 to 100 tokens.');
  const { host } = fakeHost();
  const nothing = fakeHost({ session: { ...host.session, compact: async () => undefined } });
  expect(await said('/summarize', nothing)).toBe('There is nothing to compress.');
});

test('/model shows and changes the model', async () => {
  verifies('GAP-03');
  const fake = fakeHost();
  expect(await said('/model', fake)).toBe('Model: qwen-plus\nOthers:\n  qwen-max');
  expect(await said('/model qwen-max', fake)).toBe('The model is now qwen-max.');
  expect(fake.doings).toEqual(['setModel qwen-max']);
  const { host } = fake;
  const refusing = { ...host.session, setModel: () => Promise.reject(new Error('no such model')) };
  expect(await typeIn('/model x', fakeHost({ session: refusing }))).toMatchObject({
    level: 'error',
    content: 'no such model',
  });
});

test('/approval-mode shows and changes the mode', async () => {
  verifies('GAP-03');
  const fake = fakeHost();
  expect(await said('/approval-mode', fake)).toContain('Approval mode: default\n');
  expect(await said('/approval-mode AUTO_EDIT', fake)).toContain('Approval mode is now auto-edit');
  expect(fake.doings).toEqual(['setMode auto-edit']);
  expect(await typeIn('/approval-mode all', fake)).toMatchObject({ level: 'error', code: 'usage' });
});

test('/resume lists the other sessions and goes on from one', async () => {
  verifies('F-25');
  const fake = fakeHost();
  expect(await said('/resume', fake)).toBe('Earlier sessions:\n  s-0  2026-01-02 03:04 UTC  Fix it');
  expect(await typeIn('/resume s-0', fake)).toEqual({ type: 'load_history', history: TALK });
  expect(fake.doings).toEqual([`restore ${TALK.length}`]);
  expect(await typeIn('/sessions s-1', fake)).toMatchObject({ level: 'error', code: 'session_busy' });
});

test('/quit ends the program, and asks first where it can', async () => {
  verifies('F-26', 'GAP-07');
  expect(await typeIn('/quit', fakeHost())).toEqual({ type: 'quit', messages: ['Session s-1 ended.'] });
  const live = fakeHost({ surface: { showsDialogs: true, confirmsQuit: true } });
  expect(await typeIn('/exit', live)).toEqual({ type: 'quit_confirmation', prompt: 'End the session?' });
  expect(await typeIn('/exit', live, { confirmationOutcome: 'proceed_once' })).toMatchObject({ type: 'quit' });
  expect(await typeIn('/exit', live, { confirmationOutcome: 'cancel' })).toMatchObject({ type: 'message' });
});

test('/copy copies the last answer, or its last code', async () => {
  const fake = fakeHost();
  expect(await said('/copy', fake)).toBe('Copied the last answer.');
  expect(await said('/copy code', fake)).toBe('Copied the last code of the answer.');
  expect(fake.doings).toEqual(['copy This:\n```ts\nconst a = 1;\n```\nDone.', 'copy const a = 1;\n']);
  const { host } = fake;
  const silent = fakeHost({ session: { ...host.session, records: async () => TALK.slice(0, 1) } });
  expect(await said('/copy', silent)).toBe('There is no answer to copy yet.');
  expect(await typeIn('/copy all', fake)).toMatchObject({ code: 'usage' });
});

test('/init and /summary are work for the model', async () => {
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

test('/directory shows and adds folders, each for itself', async () => {
  verifies('GAP-03');
  const fake = fakeHost();
  expect(await said('/directory show', fake)).toBe('Workspace:\n  /work\n  /more');
  expect(await said('/dir add a, b', fake)).toBe('Added /work/a\nAdded /work/b');
  expect(await typeIn('/dir add a,none', fake)).toMatchObject({
    level: 'error',
    content: 'Added /work/a\nnone: No such folder.',
  });
  expect(await typeIn('/dir add', fake)).toMatchObject({ code: 'usage' });
});

test('/memory shows, lists, adds and reads again', async () => {
  verifies('GAP-03');
  const fake = fakeHost();
  expect(await said('/memory show', fake)).toBe('--- /work/QWEN.md\nBe brief.');
  expect(await said('/memory list', fake)).toBe('Files in memory:\n  /work/QWEN.md');
  expect(await said('/memory add Use\n# tabs', fake)).toBe('Added to /work/QWEN.md: Use # tabs');
  expect(await said('/memory add --global Use tabs', fake)).toContain('/home/me/.qwen/QWEN.md');
  await said('/memory add --project x', fake);
  expect(await said('/memory refresh', fake)).toBe('Memory was read again: 10 characters of 1 file(s).');
  expect(fake.doings).toEqual([
    'remember project Use # tabs',
    'refresh',
    'remember user Use tabs',
    'refresh',
    'remember project x',
    'refresh',
    'refresh',
  ]);
  for (const text of ['/memory add', '/memory add --global', '/memory add --project  ']) {
    expect(await typeIn(text, fake)).toMatchObject({ code: 'usage' });
  }
});

test('/mcp lists servers, signs in and connects anew', async () => {
  verifies('GAP-03');
  const fake = fakeHost();
  const mail = 'mail - disconnected: /mcp auth mail signs in';
  expect(await said('/mcp', fake)).toBe(`maps - connected\n  find\n  /mcp__maps__route\n${mail}`);
  expect(await said('/mcp desc', fake)).toContain('  find\n    Finds.\n');
  expect(await said('/mcp schema', fake)).toContain('"type": "object"');
  expect(await said('/mcp auth', fake)).toBe('To be signed in to:\n  mail');
  expect(await said('/mcp auth mail', fake)).toBe('Signed in to mail; it is connected.');
  expect(await said('/mcp refresh maps', fake)).toBe('maps is connected');
  expect(await typeIn('/mcp refresh', fake)).toMatchObject({
    level: 'error',
    content: 'maps is connected\nmail failed: refused',
  });
  expect(fake.doings).toEqual(['signIn mail']);
});

test.each([
  ['export', 'j', ['json', 'jsonl']],
  ['approval-mode', '', ['default', 'plan', 'auto-edit', 'yolo']],
  ['model', 'QWEN-M', ['qwen-max']],
  ['resume', 's', ['s-1', 's-0']],
  ['mcp auth', 'm', ['maps', 'mail']],
  ['memory add', '--g', ['--global ']],
  ['tools run', 'read', ['read_file']],
  ['help', 'chat l', ['chat list']],
  ['copy', '', ['code']],
])('/%s completes "%s"', async (name, partial, values) => {
  const { builtinCommands, CommandRegistry } = await import('../index.js');
  const registry = new CommandRegistry([builtinCommands()]);
  const sources = { host: fakeHost().host, commands: registry.list() };
  const found = await registry.find(name)?.complete?.(partial, sources);
  expect(found?.map(({ value }) => value)).toEqual(values);
});
