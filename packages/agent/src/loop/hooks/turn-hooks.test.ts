import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createTestSession, hanging, ofType, outcomes, runAll, START, saying } from '../../../test/scripted-engine.js';
import { ScriptedHooks } from '../../../test/scripted-hooks.js';
import { foldRecords } from '../../conversation/model-history.js';

const user = (...texts: readonly string[]) => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});

test('a prompt that a hook blocks reaches neither the model nor the session file', async () => {
  verifies('GAP-49', 'FB5');
  const hooks = new ScriptedHooks({
    UserPromptSubmit: ({ prompt }) => (prompt.includes('secret') ? { block: { reason: 'no secrets' } } : {}),
  });
  const { session, model, log } = createTestSession([saying('hello')], { hooks });
  const events = await runAll(session, 'a secret', 'hi');
  expect(outcomes(events)).toMatchObject([
    { type: 'error', error: { code: 'hook_blocked', message: 'A hook blocked the prompt: no secrets' } },
    { type: 'success', text: 'hello' },
  ]);
  expect(model.requests.map(({ messages }) => messages)).toEqual([[user('hi')]]);
  expect(JSON.stringify(log.records)).not.toContain('secret');
});

test('context from hooks goes to the model with the prompt, and is restored by a resume', async () => {
  verifies('GAP-49', 'FB5');
  const hooks = new ScriptedHooks({
    SessionStart: () => ({ additionalContext: 'the branch is main' }),
    UserPromptSubmit: ({ prompt }) => ({ additionalContext: `about ${prompt}` }),
  });
  const { session, model, log } = createTestSession([saying('hello')], { hooks, source: 'resume' });
  await runAll(session, 'one', 'two');
  const first = user(
    'one',
    '<hook-context from="SessionStart">\nthe branch is main\n</hook-context>',
    '<hook-context from="UserPromptSubmit">\nabout one\n</hook-context>',
  );
  const second = user('two', '<hook-context from="UserPromptSubmit">\nabout two\n</hook-context>');
  expect(model.requests[1]?.messages).toMatchObject([first, { role: 'assistant' }, second]);
  expect(foldRecords(log.records).slice(0, 3)).toEqual(model.requests[1]?.messages);
  expect(hooks.of('SessionStart')).toEqual([{ event: 'SessionStart', source: 'resume' }]);
});

test('context from the start of the session waits for an accepted prompt', async () => {
  let isFirst = true;
  const hooks = new ScriptedHooks({
    SessionStart: () => ({ additionalContext: 'facts' }),
    UserPromptSubmit: () => {
      const block = isFirst ? { block: { reason: 'no' } } : {};
      isFirst = false;
      return block;
    },
  });
  const { session, model } = createTestSession([saying('hello')], { hooks });
  await runAll(session, 'one', 'two');
  expect(model.requests[0]?.messages).toEqual([
    user('two', '<hook-context from="SessionStart">\nfacts\n</hook-context>'),
  ]);
});

test('an interrupt during a prompt hook ends the turn without it', async () => {
  verifies('GAP-46');
  const asked = Promise.withResolvers<void>();
  const hooks = new ScriptedHooks({
    UserPromptSubmit: () => {
      asked.resolve();
      return new Promise(() => {});
    },
  });
  const { session, model, log } = createTestSession([saying('never')], { hooks });
  const reading = runAll(session, 'go');
  await asked.promise;
  session.interrupt({ by: 'user', reason: 'stop' });
  expect(outcomes(await reading)).toMatchObject([{ type: 'interrupted', by: 'user' }]);
  expect(model.requests).toEqual([]);
  expect(log.records.map(({ type }) => type)).toEqual(['turn_end']);
});

test('a Stop hook makes the agent continue, and sees that it did so', async () => {
  verifies('GAP-49', 'FB5');
  const hooks = new ScriptedHooks({
    Stop: ({ isActive }) => (isActive ? {} : { block: { reason: 'the tests fail' } }),
  });
  const { session, model } = createTestSession([saying('done'), saying('really done')], { hooks });
  const events = await runAll(session, 'go');
  expect(outcomes(events)).toEqual([{ type: 'success', text: 'really done' }]);
  expect(model.requests[1]?.messages.at(-1)).toEqual(
    user('<hook-context from="Stop">\nthe tests fail\n</hook-context>'),
  );
  expect(hooks.of('Stop').map(({ isActive }) => isActive)).toEqual([false, true]);
  expect(ofType(events, 'notice').map(({ code }) => code)).toEqual(['stop_hook']);
});

test('a hook that never accepts the end continues the turn ten times at most', async () => {
  const hooks = new ScriptedHooks({ Stop: () => ({ block: { reason: 'more' } }) });
  const { session, model } = createTestSession([saying('done')], { hooks });
  const events = await runAll(session, 'go');
  expect(model.requests).toHaveLength(11);
  expect(outcomes(events)).toEqual([{ type: 'success', text: 'done' }]);
  expect(ofType(events, 'notice').at(-1)?.code).toBe('stop_hook_limit');
});

test('hooks that know the session are notified before it closes', async () => {
  verifies('GAP-49');
  const hooks = new ScriptedHooks({ SessionEnd: () => ({}) });
  const { session } = createTestSession([saying('hello')], { hooks });
  await runAll(session, 'go');
  await Promise.all([session.close(), session.close()]);
  expect(hooks.moments).toEqual([{ event: 'SessionEnd', reason: 'other' }]);
  const left = createTestSession([saying('hello')], { hooks });
  await runAll(left.session, 'go');
  await left.session.close('prompt_input_exit');
  expect(hooks.moments.at(-1)).toEqual({ event: 'SessionEnd', reason: 'prompt_input_exit' });

  const unused = new ScriptedHooks({ SessionEnd: () => ({}) });
  await createTestSession([], { hooks: unused }).session.close();
  expect(unused.moments).toEqual([]);
});

test('an interrupted turn runs no Stop hooks', async () => {
  const hooks = new ScriptedHooks({ Stop: () => ({ block: { reason: 'more' } }) });
  const { session } = createTestSession([hanging(START)], { hooks });
  const reading = session.events();
  session.submit({ uuid: 'u', content: 'go' });
  session.endInput();
  for await (const event of reading) {
    if (event.type === 'message_start') session.interrupt({ by: 'user', reason: 'stop' });
  }
  expect(hooks.moments).toEqual([]);
});
