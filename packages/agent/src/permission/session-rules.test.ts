import type { PermissionUpdate } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import {
  call,
  calling,
  createTestSession,
  ofType,
  results,
  runAll,
  ScriptedPermissions,
  saying,
  tool,
} from '../../test/scripted-engine.js';

const edit = (id: string, file: string) => call(id, 'edit', { file });
const editor = () =>
  tool('edit', {
    kind: 'edit',
    paths: (input) => [{ path: (input as { file: string }).file, access: 'write' }],
    execute: async () => ({ content: 'edited' }),
  });

const adding = (behavior: 'allow' | 'deny', rules: Extract<PermissionUpdate, { rules: unknown }>['rules']) =>
  ({ type: 'addRules', behavior, rules, destination: 'session' }) as const;

test('what an answer allows for the session does not ask again, in either spelling of a rule', async () => {
  verifies('M-52', 'GAP-23');
  const ports = new ScriptedPermissions(() => ({
    behavior: 'allow',
    updatedPermissions: [adding('allow', ['Edit(/a)']), adding('allow', [{ toolName: 'Edit', ruleContent: '/b' }])],
  }));
  const { session } = createTestSession(
    [calling(edit('c1', '/w/app/a')), calling(edit('c2', '/w/app/a'), edit('c3', '/w/app/b')), saying('done')],
    { tools: [editor()], permissions: ports },
  );
  expect(results(await runAll(session, 'go'))).toEqual(['edit: edited', 'edit: edited', 'edit: edited']);
  expect(ports.questions.map(({ callId }) => callId)).toEqual(['c1']);
});

test('a denial with a rule applies to the rest of the session', async () => {
  verifies('S29');
  const ports = new ScriptedPermissions(() => ({
    behavior: 'deny',
    message: 'no',
    updatedPermissions: [adding('deny', ['Edit'])],
  }));
  const { session } = createTestSession(
    [calling(edit('c1', '/w/app/a')), calling(edit('c2', '/w/app/b')), saying('done')],
    {
      tools: [editor()],
      permissions: ports,
    },
  );
  const events = await runAll(session, 'go');
  expect(results(events).at(-1)).toBe('edit: [Operation Cancelled] Reason: Permission denied: Rule Edit forbids it.');
  expect(ports.questions).toHaveLength(1);
  expect(ofType(events, 'turn_end')[0]?.permissionDenials).toHaveLength(2);
});

test('an invalid rule in an answer denies and is reported', async () => {
  const ports = new ScriptedPermissions(() => ({
    behavior: 'allow',
    updatedPermissions: [adding('allow', ['Edit('])],
  }));
  const { session } = createTestSession([calling(edit('c1', '/w/app/a')), saying('done')], {
    tools: [editor()],
    permissions: ports,
  });
  const [told] = results(await runAll(session, 'go'));
  expect(told).toContain('[Operation Cancelled]');
  expect(told).toContain('Edit(');
});

test('stores a rule in the settings; if that fails, it applies to the session with a notice', async () => {
  const kept: PermissionUpdate[] = [];
  const update = { ...adding('allow', ['Edit(/a)']), destination: 'userSettings' } as const;
  const answers = [calling(edit('c1', '/w/app/a')), calling(edit('c2', '/w/app/a')), saying('done')];
  for (const fails of [false, true]) {
    const ports = new ScriptedPermissions(() => ({ behavior: 'allow', updatedPermissions: [update] }));
    const save = async (one: PermissionUpdate) => {
      if (fails) throw new Error('the disk is full');
      kept.push(one);
    };
    const { session } = createTestSession(answers, { tools: [editor()], permissions: ports, ruleStore: { save } });
    const events = await runAll(session, 'go');
    expect(ports.questions).toHaveLength(1);
    const notices = ofType(events, 'notice').map(({ code }) => code);
    expect(notices).toEqual(fails ? ['rule_not_kept'] : []);
  }
  expect(kept).toEqual([update]);
});

test('a closing session waits for rules that are being stored', async () => {
  const written = Promise.withResolvers<void>();
  const { session } = createTestSession([], { ruleStore: { save: () => written.promise } });
  session.updatePermissions([
    { type: 'addRules', behavior: 'allow', rules: ['Bash(pwd)'], destination: 'localSettings' },
  ]);
  const order: string[] = [];
  const closed = session.close().then(() => order.push('closed'));
  // Everything else that closing does is over by then.
  await new Promise((resolve) => setImmediate(resolve));
  order.push('written');
  written.resolve();
  await closed;
  expect(order).toEqual(['written', 'closed']);
});

test('a deny rule added meanwhile is final, even for an open question', async () => {
  verifies('S26', 'CF-48');
  const firstAnswered = Promise.withResolvers<void>();
  const ports = new ScriptedPermissions(async ({ callId }) => {
    if (callId === 'c1') {
      // Both questions are open before the first is answered.
      await secondAsked.promise;
      firstAnswered.resolve();
      return { behavior: 'deny', message: 'no', updatedPermissions: [adding('deny', ['Edit'])] };
    }
    secondAsked.resolve();
    await firstAnswered.promise;
    return new Promise((resolve) => {
      setImmediate(() => resolve({ behavior: 'allow' }));
    });
  });
  const secondAsked = Promise.withResolvers<void>();
  const { session } = createTestSession([calling(edit('c1', '/w/app/a'), edit('c2', '/w/app/b')), saying('done')], {
    tools: [editor()],
    permissions: ports,
  });
  expect(results(await runAll(session, 'go'))).toEqual([
    'edit: [Operation Cancelled] Reason: no',
    'edit: [Operation Cancelled] Reason: Permission denied: Rule Edit forbids it.',
  ]);
});
