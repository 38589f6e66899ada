import type { HookMoment } from '@qwen/agent';
import { type HookInput, type HookOutput, hookInputSchema, type PermissionSuggestion } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { compileMatcher } from '../name-matcher.js';
import type { Hook, HookNotice } from './hook.js';
import type { HookReport } from './hook-report.js';
import { HookRunner } from './hook-runner.js';

const FACTS = { sessionId: 's', transcriptPath: '/s.jsonl', cwd: '/work', permissionMode: 'default' };
const CALL = { toolName: 'edit', aliases: ['Edit'], callId: 'call_1', input: { a: 1 }, parentToolUseId: null };
const BEFORE_EDIT: HookMoment = { event: 'PreToolUse', call: CALL };
const running = { signal: new AbortController().signal };

type Answer = (input: HookInput, options: { readonly signal: AbortSignal }) => Promise<HookOutput>;

function hook(event: string, ask: Answer, more: Partial<Hook> = {}): Hook {
  return { event, match: compileMatcher(undefined), blocking: undefined, label: 'guard', ask, ...more };
}

function runner(...hooks: readonly Hook[]) {
  const notices: HookNotice[] = [];
  const made = new HookRunner({ hooks: () => hooks, facts: () => FACTS, announce: (notice) => notices.push(notice) });
  return { notices, has: made.has.bind(made), run: made.run.bind(made) };
}

const MOMENTS: readonly HookMoment[] = [
  BEFORE_EDIT,
  { event: 'PreToolUse', call: { ...CALL, parentToolUseId: 'task_1', agent: 'helper' } },
  { event: 'PostToolUse', call: CALL, response: 'done', isError: false },
  { event: 'PostToolUseFailure', call: CALL, error: 'No such file.' },
  { event: 'PermissionRequest', call: CALL, reason: 'It edits.', blockedPath: null, suggestions: [] },
  { event: 'UserPromptSubmit', prompt: 'hi' },
  { event: 'SubagentStart', agent: 'helper', parentToolUseId: 'task_1', prompt: 'Help.' },
  { event: 'Stop', isActive: true, lastText: 'Done.' },
  { event: 'SubagentStop', isActive: false, lastText: 'Done.', agent: 'helper', parentToolUseId: 'task_1' },
  { event: 'SessionStart', source: 'resume' },
  { event: 'SessionEnd', reason: 'prompt_input_exit' },
  { event: 'PreCompact', trigger: 'auto' },
  { event: 'Notification', kind: 'permission_prompt', message: 'May I?' },
];

test.each(MOMENTS)('$event has an input that matches its schema', async (moment) => {
  verifies('GAP-49');
  const inputs: HookInput[] = [];
  const { has, run } = runner(
    hook(moment.event, async (input) => {
      inputs.push(input);
      return {};
    }),
  );
  expect(has(moment.event)).toBe(true);
  expect(has(moment.event === 'Stop' ? 'SessionEnd' : 'Stop')).toBe(false);
  expect(await run(moment, running)).toEqual({});
  expect(inputs).toMatchObject([{ hook_event_name: moment.event, session_id: 's', transcript_path: '/s.jsonl' }]);
  expect(hookInputSchema.safeParse(inputs[0]).success).toBe(true);
});

test.each([
  ['Edit', BEFORE_EDIT, true],
  ['edit', BEFORE_EDIT, true],
  ['Bash', BEFORE_EDIT, false],
  ['resume|fork', { event: 'SessionStart', source: 'resume' }, true],
  ['startup', { event: 'SessionStart', source: 'resume' }, false],
  ['auto', { event: 'PreCompact', trigger: 'manual' }, false],
  ['permission_.*', { event: 'Notification', kind: 'permission_prompt', message: '' }, true],
  [
    'helper',
    { event: 'SubagentStop', isActive: false, lastText: 'Done.', agent: 'other', parentToolUseId: 't' },
    false,
  ],
  ['never', { event: 'UserPromptSubmit', prompt: 'hi' }, true],
] satisfies [string, HookMoment, boolean][])('the matcher %s of %j: %s', async (pattern, moment, fits) => {
  let calls = 0;
  const count: Answer = async () => {
    calls += 1;
    return {};
  };
  await runner(hook(moment.event, count, { match: compileMatcher(pattern) })).run(moment, running);
  expect(calls).toBe(fits ? 1 : 0);
});

test('hooks of one event run at the same time', async () => {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { run } = runner(
    hook('PreToolUse', async () => {
      first.resolve();
      await second.promise;
      return { hookSpecificOutput: { additionalContext: 'one' } };
    }),
    hook('PreToolUse', async () => {
      await first.promise;
      second.resolve();
      return { hookSpecificOutput: { additionalContext: 'two' } };
    }),
  );
  expect(await run(BEFORE_EDIT, running)).toEqual({ additionalContext: 'one\n\ntwo' });
});

describe('a hook that fails', () => {
  const breaks: Answer = () => Promise.reject(new Error('boom\u001b[2J'));

  test.each([
    ['PreToolUse', undefined, { permission: { behavior: 'deny' } }],
    ['PreToolUse', false, {}],
    ['UserPromptSubmit', undefined, { block: {} }],
    ['Stop', undefined, {}],
    ['Stop', true, { block: {} }],
  ] as const)('at %s, blocking %s', async (event, blocking, verdict) => {
    verifies('FB5', 'GAP-49');
    const { run, notices } = runner(hook(event, breaks, { blocking }));
    const moment = MOMENTS.find((one) => one.event === event) ?? BEFORE_EDIT;
    expect(await run(moment, running)).toMatchObject(verdict);
    const message = `The ${event} hook guard failed: boom[2J`;
    expect(notices).toEqual([{ code: 'hook_error', message, data: { event, hook: 'guard' } }]);
  });

  test('an answer for another event is a failure', async () => {
    verifies('S89');
    const { run } = runner(
      hook('PreToolUse', async () => ({
        hookSpecificOutput: { hookEventName: 'Stop', permissionDecision: 'allow' },
      })),
    );
    expect(await run(BEFORE_EDIT, running)).toMatchObject({ permission: { behavior: 'deny' } });
  });
});

test('a systemMessage is announced; so are inputs that override each other', async () => {
  const changes =
    (n: number): Answer =>
    async () => ({
      systemMessage: `Changed to ${n}.`,
      hookSpecificOutput: { updatedInput: { n } },
    });
  const { run, notices } = runner(
    hook('PreToolUse', changes(1), { label: 'a' }),
    hook('PreToolUse', changes(2), { label: 'b' }),
  );
  expect(await run(BEFORE_EDIT, running)).toEqual({ updatedInput: { n: 2 } });
  expect(notices.map(({ message }) => message)).toEqual([
    'Changed to 1.',
    'Changed to 2.',
    'Several hooks changed the input of the same call (a, b). The change by b applies.',
  ]);
});

test('an aborted turn waits for no hook', async () => {
  const turn = new AbortController();
  const signals: AbortSignal[] = [];
  const { run, notices } = runner(
    hook('PreToolUse', (_input, { signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    }),
  );
  const verdict = run(BEFORE_EDIT, { signal: turn.signal });
  turn.abort();
  expect(await verdict).toEqual({});
  expect(signals[0]?.aborted).toBe(true);
  expect(notices).toEqual([]);
  expect(await run(BEFORE_EDIT, { signal: turn.signal })).toEqual({});
  expect(signals).toHaveLength(1);
});

test('the end of a session waits at most a second for its hooks', async () => {
  const { run, notices } = runner(hook('SessionEnd', () => new Promise(() => {})));
  expect(await run({ event: 'SessionEnd', reason: 'prompt_input_exit' }, running)).toEqual({});
  expect(notices).toMatchObject([{ code: 'hook_error', data: { event: 'SessionEnd' } }]);
});

test('the outcome of each hook is reported', async () => {
  verifies('GAP-49');
  const answers: Readonly<Record<string, Answer>> = {
    silent: async () => ({}),
    refusing: async () => ({ hookSpecificOutput: { permissionDecision: 'deny' } }),
    stopping: async () => ({ continue: false }),
    broken: () => Promise.reject(new Error('boom')),
  };
  const reports: HookReport[] = [];
  const hooks = Object.entries(answers).map(([label, ask]) => hook('PreToolUse', ask, { label }));
  const made = (chosen: readonly Hook[]) =>
    new HookRunner({
      hooks: () => chosen,
      facts: () => FACTS,
      announce: () => undefined,
      report: (one) => reports.push(one),
    });
  await made(hooks).run(BEFORE_EDIT, running);
  const turn = new AbortController();
  const asking = Promise.withResolvers<void>();
  const withdrawn: Answer = (_input, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('withdrawn')));
      asking.resolve();
    });
  const asked = made([hook('PreToolUse', withdrawn, { label: 'slow' })]).run(BEFORE_EDIT, { signal: turn.signal });
  await asking.promise;
  turn.abort();
  await asked;
  await expect.poll(() => reports.length).toBe(5);
  expect(Object.fromEntries(reports.map((one) => [one.hook, one.outcome]))).toEqual({
    silent: 'success',
    refusing: 'blocked',
    stopping: 'blocked',
    broken: 'error',
    slow: 'cancelled',
  });
  expect(reports[0]).toEqual({
    event: 'PreToolUse',
    hook: 'silent',
    outcome: 'success',
    durationMs: expect.any(Number),
  });
});

test.each([
  ['each file', 2, { permission: { behavior: 'allow', reason: 'A hook allows it.' } }],
  ['one of two files', 1, {}],
])('a PermissionRequest hook that judges file by file and allows %s', async (_name, allowed, verdict) => {
  let calls = 0;
  const ask: Answer = async () => {
    calls += 1;
    return calls > allowed ? {} : { hookSpecificOutput: { decision: { behavior: 'allow' } } };
  };
  const call = { ...CALL, toolName: 'read_many_files', aliases: [], input: { paths: ['a.txt', 'b.txt'] } };
  const { run } = runner(hook('PermissionRequest', ask, { match: compileMatcher('Read'), toolNames: 'qwen' }));
  const moment = { event: 'PermissionRequest', call, reason: '', blockedPath: null, suggestions: [] } as const;
  expect(await run(moment, running)).toEqual(verdict);
  expect(calls).toBe(2);
});

test('suggestions have the documented form', async () => {
  const seen: unknown[] = [];
  const ask: Answer = async (input) => {
    if (input.hook_event_name === 'PermissionRequest') seen.push(input.permission_suggestions);
    return {};
  };
  const suggestion: PermissionSuggestion = {
    type: 'allow',
    label: 'Always',
    rules: ['Bash(ls)'],
    destination: 'session',
  };
  const moment: HookMoment = {
    event: 'PermissionRequest',
    call: CALL,
    reason: '',
    blockedPath: null,
    suggestions: [suggestion],
  };
  await runner(hook('PermissionRequest', ask), hook('PermissionRequest', ask, { toolNames: 'claude' })).run(
    moment,
    running,
  );
  expect(seen).toEqual([
    [suggestion],
    [{ type: 'addRules', behavior: 'allow', rules: [{ toolName: 'Bash', ruleContent: 'ls' }], destination: 'session' }],
  ]);
});
