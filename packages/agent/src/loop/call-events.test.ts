import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import {
  aborted,
  call,
  calling,
  createTestSession,
  hanging,
  ofType,
  readUntil,
  results,
  runAll,
  ScriptedPermissions,
  START,
  saying,
  tool,
} from '../../test/scripted-engine.js';
import { ScriptedHooks } from '../../test/scripted-hooks.js';
import type { PermissionAnswer } from '../ports.js';

/** The events of calls, shortened. */
const toolEvents = (events: Awaited<ReturnType<typeof runAll>>): string[] =>
  events.flatMap((event) => {
    if (event.type === 'tool_end') return [`${event.outcome.callId} ${event.outcome.status}`];
    return event.type.startsWith('tool_') && 'callId' in event ? [`${event.callId} ${event.type}`] : [];
  });

const change = tool('change', { kind: 'edit', aliases: ['Change'] });
const look = tool('look');

test('announces every call as pending, in order, before any other event', async () => {
  verifies('D-30', 'D-32');
  const permissions = new ScriptedPermissions(() => ({ behavior: 'allow' }));
  const all = calling(call('c1', 'look', { a: 1 }), call('c2', 'CHANGE'), call('c3', 'gone'));
  const { session } = createTestSession([all, saying('ok')], { tools: [look, change], permissions });
  const events = await runAll(session, 'go');
  expect(toolEvents(events).slice(0, 3)).toEqual(['c1 tool_pending', 'c2 tool_pending', 'c3 tool_pending']);
  expect(toolEvents(events).filter((line) => line.startsWith('c2'))).toEqual([
    'c2 tool_pending',
    'c2 tool_asking',
    'c2 tool_start',
    'c2 success',
  ]);
  expect(toolEvents(events).filter((line) => line.startsWith('c3'))).toEqual(['c3 tool_pending', 'c3 error']);
  expect(ofType(events, 'tool_pending')).toMatchObject([
    { name: 'look', input: { a: 1 }, kind: 'read' },
    { name: 'change', kind: 'edit' },
    { name: 'gone', kind: 'other' },
  ]);
});

test('a question event contains everything that the permission request contains', async () => {
  verifies('D-29', 'D-32');
  const preview = { type: 'edit', path: '/w/app/a', diff: 'd', original: '1', modified: '2' } as const;
  const edit = tool('edit', { kind: 'edit', preview: () => Promise.resolve(preview) });
  const permissions = new ScriptedPermissions(() => ({ behavior: 'allow' }));
  const { session } = createTestSession([calling(call('c1', 'edit', { b: 2 })), saying('ok')], {
    tools: [edit],
    permissions,
  });
  const [asking] = ofType(await runAll(session, 'go'), 'tool_asking');
  const labels = ['Allow this change', 'Reject this change', 'Edit first'];
  expect(asking?.suggestions.map(({ label }) => label)).toEqual(labels);
  expect(asking).toMatchObject({ callId: 'c1', name: 'edit', input: { b: 2 }, reason: 'Changes files.', preview });
  expect(permissions.questions).toMatchObject([{ callId: 'c1', preview }]);
});

test('a call without its own view shows its command or the reason; a failing view shows the reason', async () => {
  verifies('D-29');
  const permissions = new ScriptedPermissions(() => ({ behavior: 'deny', message: 'no' }));
  const shell = tool('run_shell_command', { kind: 'execute', command: ({ command }: { command: string }) => command });
  const broken = tool('broken', { kind: 'other', preview: () => Promise.reject(new Error('the file is gone')) });
  const command = 'cd src && /usr/bin/npm test | tee log; npm run x';
  const calls = calling(
    call('c1', 'run_shell_command', { command }),
    call('c2', 'run_shell_command', { command: 'echo "$(' }),
    call('c3', 'broken'),
    call('c4', 'change'),
  );
  const { session } = createTestSession([calls, saying('ok')], { tools: [shell, broken, change], permissions });
  await runAll(session, 'go');
  expect(permissions.questions.map(({ preview }) => preview)).toEqual([
    { type: 'exec', command, rootCommand: 'cd, npm, tee' },
    { type: 'exec', command: 'echo "$(', rootCommand: 'echo' },
    { type: 'info', prompt: 'Unknown effect.', urls: [] },
    { type: 'info', prompt: 'Changes files.', urls: [] },
  ]);
});

test('a call that cannot succeed fails without asking', async () => {
  const permissions = new ScriptedPermissions(() => ({ behavior: 'allow' }));
  const failing = tool('failing', {
    kind: 'edit',
    preview: () => Promise.reject(new AgentError('tool_failed', 'The text is absent.')),
  });
  const { session } = createTestSession([calling(call('c1', 'failing')), saying('ok')], {
    tools: [failing],
    permissions,
  });
  const [end] = ofType(await runAll(session, 'go'), 'tool_end');
  expect(end?.outcome).toMatchObject({ isError: true, content: 'The text is absent.' });
  expect(permissions.questions).toEqual([]);
});

test('a call that an earlier one may make possible asks', async () => {
  const permissions = new ScriptedPermissions(() => ({ behavior: 'allow' }));
  const paths = () => [{ path: '/w/app/a', access: 'write' as const }];
  const first = tool('first', { kind: 'edit', paths });
  const second = tool('second', {
    kind: 'edit',
    paths,
    preview: () => Promise.reject(new AgentError('tool_failed', 'The text is absent.')),
  });
  const calls = calling(call('c1', 'first'), call('c2', 'second'));
  const { session } = createTestSession([calls, saying('ok')], { tools: [first, second], permissions });
  await runAll(session, 'go');
  expect(permissions.questions.map(({ callId }) => callId)).toEqual(['c1', 'c2']);
});

test('an edit that cannot succeed fails without a question, unless its failure could reveal a file', async () => {
  const edit = tool('edit', {
    kind: 'edit',
    paths: ({ path }: { path: string }) => [{ path, access: 'write' }],
    preview: () => Promise.reject(new Error('line 3 has another text')),
    execute: (_input, { approvedPreview }) => Promise.resolve({ content: JSON.stringify(approvedPreview) }),
  });
  const permissions = new ScriptedPermissions(() => ({ behavior: 'allow' }));
  const paths = ['/w/app/a', '/etc/passwd', '/w/app/.aws/x'];
  const calls = paths.map((path, index) => call(`c${index}`, 'edit', { path }));
  const { session } = createTestSession([calling(...calls), saying('ok')], { tools: [edit], permissions });
  const seen = await runAll(session, 'go');
  expect(permissions.questions.map(({ callId }) => callId)).toEqual(['c1', 'c2']);
  expect(results(seen)).toEqual([
    'edit: line 3 has another text',
    expect.stringContaining('is outside the workspace'),
    expect.stringContaining('is protected'),
  ]);
});

test('questions appear in the order of the calls, even if the first view takes longer', async () => {
  const shown = Promise.withResolvers<void>();
  const slow = tool('slow', {
    kind: 'edit',
    preview: async () => {
      await shown.promise;
      return { type: 'info', prompt: 'slow', urls: [] };
    },
  });
  const permissions = new ScriptedPermissions(() => ({ behavior: 'allow' }));
  const { session } = createTestSession([calling(call('c1', 'slow'), call('c2', 'change')), saying('ok')], {
    tools: [slow, change],
    permissions,
  });
  const reading = runAll(session, 'go');
  await new Promise((resolve) => setImmediate(resolve));
  expect(permissions.questions).toEqual([]);
  shown.resolve();
  await reading;
  expect(permissions.questions.map(({ callId }) => callId)).toEqual(['c1', 'c2']);
});

/** Allows all changes from now on. */
const ALWAYS: PermissionAnswer = {
  behavior: 'allow',
  updatedPermissions: [{ type: 'addRules', behavior: 'allow', rules: ['change'], destination: 'session' }],
};

test('a question that another answer made unnecessary is skipped', async () => {
  verifies('D-32', 'M-52');
  const looking = Promise.withResolvers<void>();
  const shown = Promise.withResolvers<void>();
  const slow = tool('change', {
    kind: 'edit',
    preview: async (input) => {
      if (input === 'second') {
        looking.resolve();
        await shown.promise;
      }
      return { type: 'info', prompt: '', urls: [] };
    },
    parse: (input) => (input as { order: string }).order,
  });
  const permissions = new ScriptedPermissions(async () => {
    await looking.promise;
    setImmediate(() => shown.resolve());
    return ALWAYS;
  });
  const both = calling(call('c1', 'change', { order: 'first' }), call('c2', 'change', { order: 'second' }));
  const { session } = createTestSession([both, saying('ok')], { tools: [slow], permissions });
  const told = toolEvents(await runAll(session, 'go'));
  expect(told).not.toContain('c2 tool_asking');
  expect(told).toContain('c2 success');
  expect(permissions.questions.map(({ callId }) => callId)).toEqual(['c1']);
});

test('questions beyond the limit that an answer makes unnecessary are not prepared', async () => {
  verifies('D-32', 'M-52');
  const looked: unknown[] = [];
  const seen = tool('change', {
    kind: 'edit',
    preview: (input) => {
      looked.push(input);
      return Promise.resolve({ type: 'info', prompt: '', urls: [] });
    },
  });
  const sixteen = Promise.withResolvers<void>();
  const permissions = new ScriptedPermissions(async () => {
    if (permissions.questions.length === 16) sixteen.resolve();
    await sixteen.promise;
    return ALWAYS;
  });
  const all = Array.from({ length: 20 }, (_, index) => call(`c${index}`, 'change', { index }));
  const { session } = createTestSession([calling(...all), saying('ok')], { tools: [seen], permissions });
  const told = toolEvents(await runAll(session, 'go'));
  expect(told.filter((line) => line.endsWith(' success'))).toHaveLength(20);
  expect(permissions.questions).toHaveLength(16);
  expect(looked.length).toBeLessThan(20);
});

test('no view is created for a call without a question', async () => {
  let looks = 0;
  const edit = tool('edit', {
    kind: 'edit',
    preview: () => {
      looks += 1;
      return Promise.resolve({ type: 'info', prompt: '', urls: [] });
    },
  });
  const { session } = createTestSession([calling(call('c1', 'edit')), saying('ok')], {
    tools: [edit],
    permissionMode: 'yolo',
  });
  expect(toolEvents(await runAll(session, 'go'))).toEqual(['c1 tool_pending', 'c1 tool_start', 'c1 success']);
  expect(looks).toBe(0);
});

test('an interrupt during the creation of a view withdraws the question', async () => {
  const looking = Promise.withResolvers<void>();
  const edit = tool('edit', {
    kind: 'edit',
    preview: () => {
      looking.resolve();
      return new Promise(() => {});
    },
  });
  const permissions = new ScriptedPermissions(() => ({ behavior: 'allow' }));
  const { session } = createTestSession([calling(call('c1', 'edit'))], { tools: [edit], permissions });
  const reading = runAll(session, 'go');
  await looking.promise;
  session.interrupt({ by: 'user', reason: 'stop' });
  expect(toolEvents(await reading)).toEqual(['c1 tool_pending', 'c1 canceled']);
  expect(permissions.questions).toEqual([]);
});

test.each([
  ['by a person', {}, 'canceled'],
  ['by a rule', { rules: { allow: [], ask: [], deny: ['change'] } }, 'error'],
  ['by the mode', { permissionMode: 'plan' }, 'error'],
  [
    'by a hook',
    { hooks: new ScriptedHooks({ PreToolUse: () => ({ permission: { behavior: 'deny', reason: 'no' } }) }) },
    'error',
  ],
] as const)('reports a call denied %s as denied', async (_, options, status) => {
  verifies('D-21', 'D-32');
  const { session } = createTestSession([calling(call('c1', 'change')), saying('ok')], { tools: [change], ...options });
  const events = await runAll(session, 'go');
  expect(toolEvents(events).at(-1)).toBe(`c1 ${status}`);
  expect(ofType(events, 'turn_end')[0]?.permissionDenials).toHaveLength(1);
});

test('calls that an interrupt stops or prevents are canceled', async () => {
  verifies('D-21', 'D-32');
  const running = Promise.withResolvers<void>();
  const slow = tool('slow', {
    execute: async (_input, { signal }) => {
      running.resolve();
      await aborted(signal);
      return { content: 'half' };
    },
  });
  const { session } = createTestSession([calling(call('c1', 'slow'))], { tools: [slow] });
  const reading = runAll(session, 'go');
  await running.promise;
  session.interrupt({ by: 'user', reason: 'stop' });
  expect(toolEvents(await reading)).toEqual(['c1 tool_pending', 'c1 tool_start', 'c1 canceled']);

  const half = createTestSession([hanging(START, ...call('c2', 'look'))], { tools: [look] }).session;
  half.submit({ uuid: 'u', content: 'go' });
  const events = half.events();
  await readUntil(events, 'block_end');
  half.interrupt({ by: 'user', reason: 'stop' });
  expect(toolEvents(await readUntil(events, 'turn_end'))).toEqual(['c2 tool_pending', 'c2 canceled']);
});

test.each([
  ['git init && git add .', 'git commit -m x', 'one after the other'],
  ['cat a', 'echo x > a', 'one after the other'],
  ['cat a', 'ls b', 'together'],
])('commands of one answer: %j and %j run %s', async (first, second, how) => {
  const order: string[] = [];
  const shell = tool('run_shell_command', {
    kind: 'execute',
    command: ({ command }: { command: string }) => command,
    execute: async ({ command }: { command: string }) => {
      order.push(`begin ${command}`);
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      order.push(`end ${command}`);
      return { content: 'done' };
    },
  });
  const answers = [
    calling(call('c1', shell.name, { command: first }), call('c2', shell.name, { command: second })),
    saying('done'),
  ];
  const { session } = createTestSession(answers, {
    tools: [shell],
    permissions: new ScriptedPermissions(() => ({ behavior: 'allow' })),
  });
  await runAll(session, 'go');
  const inTurn = [`begin ${first}`, `end ${first}`, `begin ${second}`, `end ${second}`];
  expect(order).toHaveLength(4);
  expect(JSON.stringify(order) === JSON.stringify(inTurn)).toBe(how !== 'together');
});
