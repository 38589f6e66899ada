import { existsSync } from 'node:fs';
import { calls, type LineProcess, lastText, says, verifies, waitUntilGone } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { answer, answerTo, type CliFixture, control, openCliFixture, prompt, QUESTION, RESULT } from './cli-fixture.js';
import { shareProgram } from './shared-program.js';

const WRITES = { name: 'write_file', input: { file_path: 'a.txt', content: 'new' } };
const HOOK = { type: 'control_request', request: { subtype: 'hook_callback' } };

type Registration = Readonly<Record<string, unknown>>;

/** A program whose app has registered hooks, and has been answered. */
async function startWithHooks(
  fixture: CliFixture,
  hooks: Registration | readonly Registration[],
  args: readonly string[] = [],
) {
  const agent = await fixture.startMachine(args);
  agent.send(control('init', { subtype: 'initialize', hooks }));
  expect(await agent.next(answerTo('init'))).toMatchObject({
    response: { subtype: 'success', response: { capabilities: { hooks: true } } },
  });
  return agent;
}

const GUARD = { PreToolUse: [{ hookCallbackIds: ['h1'] }] };
/** A program that asks h1 about each call, and nobody else; each test writes to a file of its own. */
const guarded = shareProgram((fixture) => startWithHooks(fixture, GUARD, ['--yolo']));
const writesTo = (file_path: string) => calls({ name: 'write_file', input: { file_path, content: 'new' } });
const isThere = (fixture: CliFixture, name: string) => existsSync(fixture.workspace.resolve(name));

/** Waits for the question about this hook. Returns its input. */
async function hookAsked(agent: LineProcess, event: string) {
  const { request_id: id, request } = await agent.next({
    ...HOOK,
    request: { subtype: 'hook_callback', input: { hook_event_name: event } },
  });
  return { id, ...(request as { callback_id: string; input: Record<string, unknown>; tool_use_id: string | null }) };
}

const decides = (permissionDecision: string, more: object = {}) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more },
});

const written = (fixture: CliFixture) => isThere(fixture, 'a.txt');
const toldModel = (fixture: CliFixture, call: number) => JSON.stringify(fixture.model.requests[call]?.messages);

describe('callbacks of the app', () => {
  test('every event of a turn is sent in order', async () => {
    verifies('GAP-49', 'J-07', 'M-69', 'FB5', 'CF-39', 'M-71');
    await using fixture = await openCliFixture([calls(WRITES), says('done')]);
    const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'];
    const hooks = events.map((event) => ({ event, callback_id: `on ${event}` }));
    const agent = await startWithHooks(fixture, hooks, ['--yolo']);
    agent.send(prompt('write'));
    const call = { tool_name: 'write_file', tool_input: WRITES.input, tool_use_id: 'call_1', parent_tool_use_id: null };
    const expected = {
      SessionStart: { source: 'startup' },
      UserPromptSubmit: { prompt: 'write' },
      PreToolUse: call,
      PostToolUse: { ...call, is_error: false },
      Stop: { stop_hook_active: false },
    };
    for (const [event, input] of Object.entries(expected)) {
      const asked = await hookAsked(agent, event);
      expect(asked).toMatchObject({
        callback_id: `on ${event}`,
        tool_use_id: 'tool_use_id' in input ? 'call_1' : null,
        input: { ...input, cwd: fixture.workspace.path, permission_mode: 'yolo' },
      });
      expect(asked.input['transcript_path']).toMatch(new RegExp(`${String(asked.input['session_id'])}\\.jsonl$`));
      expect(event === 'PreToolUse' && written(fixture)).toBe(false);
      agent.send(answer(asked.id, {}));
    }
    expect(await agent.next(RESULT)).toMatchObject({ result: 'done', subtype: 'success' });
    expect(written(fixture)).toBe(true);
  });

  test('a hook decides, and the app is not asked', async () => {
    verifies('GAP-49');
    await using fixture = await openCliFixture([calls(WRITES), says('no'), calls(WRITES), says('done')]);
    const agent = await startWithHooks(fixture, { PreToolUse: [{ matcher: 'Write|Edit', hookCallbackIds: ['h1'] }] });
    const decide = async (decision: string) => {
      agent.send(prompt('write'));
      const { id } = await hookAsked(agent, 'PreToolUse');
      agent.send(answer(id, decides(decision, { permissionDecisionReason: 'The hook knows.' })));
      return agent.next(RESULT);
    };
    const reason = 'A hook forbids it: The hook knows.';
    const denied = { tool_name: 'write_file', tool_use_id: 'call_1', tool_input: WRITES.input, reason };
    expect(await decide('deny')).toMatchObject({ permission_denials: [denied] });
    expect(written(fixture)).toBe(false);
    expect(toldModel(fixture, 1)).toContain('The hook knows.');
    expect(await decide('allow')).toMatchObject({ permission_denials: [] });
    expect(written(fixture)).toBe(true);
    expect(agent.lines.some(({ text }) => text.includes('"subtype":"can_use_tool"'))).toBe(false);
  });

  test('if a hook asks, the app is asked even if the mode would allow the call', async () => {
    const { agent, fixture } = await guarded(writesTo('asked.txt'), says('done'));
    agent.send(prompt('write'));
    agent.send(answer((await hookAsked(agent, 'PreToolUse')).id, decides('ask')));
    const { request_id } = await agent.next(QUESTION);
    agent.send(answer(request_id, { behavior: 'deny', message: 'No.' }));
    await agent.next(RESULT);
    expect(isThere(fixture, 'asked.txt')).toBe(false);
  });

  test('an allow of a hook overrides no deny rule', async () => {
    verifies('S17');
    await using fixture = await openCliFixture([calls(WRITES), says('done')]);
    const agent = await startWithHooks(fixture, { PreToolUse: [{ hookCallbackIds: ['h1'] }] }, [
      '--exclude-tools',
      'Write(*.txt)',
    ]);
    agent.send(prompt('write'));
    agent.send(answer((await hookAsked(agent, 'PreToolUse')).id, decides('allow')));
    expect(await agent.next(RESULT)).toMatchObject({ permission_denials: [{ tool_use_id: 'call_1' }] });
    expect(written(fixture)).toBe(false);
  });

  test('changed input of a hook is what runs', async () => {
    verifies('S26');
    const { agent, fixture } = await guarded(writesTo('before.txt'), says('done'));
    agent.send(prompt('write'));
    const updatedInput = { file_path: 'b.txt', content: 'of the hook' };
    agent.send(answer((await hookAsked(agent, 'PreToolUse')).id, decides('allow', { updatedInput })));
    await agent.next(RESULT);
    expect(isThere(fixture, 'before.txt')).toBe(false);
    expect(await fixture.workspace.read('b.txt')).toBe('of the hook');
  });

  test('context of hooks reaches the model', async () => {
    await using fixture = await openCliFixture([calls(WRITES), says('done')]);
    const agent = await startWithHooks(
      fixture,
      ['UserPromptSubmit', 'PostToolUse'].map((event) => ({ event, callback_id: event })),
      ['--yolo'],
    );
    agent.send(prompt('write'));
    for (const event of ['UserPromptSubmit', 'PostToolUse']) {
      const { id } = await hookAsked(agent, event);
      agent.send(
        answer(id, { hookSpecificOutput: { hookEventName: event, additionalContext: `context of ${event}` } }),
      );
    }
    await agent.next(RESULT);
    expect(toldModel(fixture, 0)).toContain('context of UserPromptSubmit');
    expect(toldModel(fixture, 1)).toContain('context of PostToolUse');
  });

  test('a blocked prompt does not reach the model', async () => {
    await using fixture = await openCliFixture([says('done')]);
    const agent = await startWithHooks(fixture, { UserPromptSubmit: [{ hookCallbackIds: ['h1'] }] });
    agent.send(prompt('my password is hunter2'));
    agent.send(answer((await hookAsked(agent, 'UserPromptSubmit')).id, { decision: 'block', reason: 'A secret.' }));
    expect(await agent.next(RESULT)).toMatchObject({
      is_error: true,
      error: { code: 'hook_blocked', message: expect.stringContaining('A secret.') },
    });
    expect(fixture.model.requests).toHaveLength(0);
  });

  test('a Stop hook continues the turn, and its next call reports that', async () => {
    await using fixture = await openCliFixture([says('first'), (request) => says(`heard: ${lastText(request)}`)]);
    const agent = await startWithHooks(fixture, { Stop: [{ hookCallbackIds: ['h1'] }] });
    agent.send(prompt('hi'));
    agent.send(answer((await hookAsked(agent, 'Stop')).id, { decision: 'block', reason: 'Run the tests.' }));
    const again = await hookAsked(agent, 'Stop');
    expect(again.input).toMatchObject({ stop_hook_active: true });
    agent.send(answer(again.id, {}));
    expect(await agent.next(RESULT)).toMatchObject({ result: expect.stringContaining('Run the tests.') });
  });

  test('a hook with continue: false ends the turn', async () => {
    await using fixture = await openCliFixture([calls(WRITES), says('never')]);
    const agent = await startWithHooks(fixture, { PostToolUse: [{ hookCallbackIds: ['h1'] }] }, ['--yolo']);
    agent.send(prompt('write'));
    agent.send(answer((await hookAsked(agent, 'PostToolUse')).id, { continue: false, stopReason: 'Enough.' }));
    expect(await agent.next(RESULT)).toMatchObject({ subtype: 'interrupted', terminal_reason: 'hook' });
    expect(fixture.model.requests).toHaveLength(1);
  });

  test('a matcher that does not match causes no request', async () => {
    await using fixture = await openCliFixture([calls(WRITES), says('done')]);
    const agent = await startWithHooks(fixture, { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['h1'] }] }, [
      '--yolo',
    ]);
    agent.send(prompt('write'));
    await agent.next(RESULT);
    expect(agent.lines.some(({ text }) => text.includes('"subtype":"hook_callback"'))).toBe(false);
    expect(written(fixture)).toBe(true);
  });

  describe('a failing guard blocks the tool and is reported', () => {
    const fails = {
      throws: (id: unknown) => ({
        type: 'control_response',
        response: { subtype: 'error', request_id: id, error: { message: 'boom' } },
      }),
      'answers garbage': (id: unknown) => answer(id, { decision: 'perhaps' }),
      'answers the placeholder of the seed': (id: unknown) =>
        answer(id, { result: 'Hook callback processing not yet implemented', callback_id: 'h1' }),
    };

    const blocked = async (agent: LineProcess) => {
      expect(await agent.next({ type: 'system', subtype: 'notice' })).toMatchObject({
        data: { code: 'hook_error', event: 'PreToolUse', hook: 'h1' },
      });
      expect(await agent.next(RESULT)).toMatchObject({
        permission_denials: [{ tool_name: 'write_file' }],
        control_errors: [{ event: 'PreToolUse', hook: 'h1', message: expect.stringContaining('h1 failed') }],
      });
    };

    test.each(Object.entries(fails))('a guard that %s', async (_what, fail) => {
      verifies('FB5', 'GAP-49', 'M-70');
      const { agent, fixture } = await guarded(writesTo('failed.txt'), says('done'));
      agent.send(prompt('write'));
      agent.send(fail((await hookAsked(agent, 'PreToolUse')).id));
      await blocked(agent);
      expect(isThere(fixture, 'failed.txt')).toBe(false);
    });

    test('a guard that is late', async () => {
      verifies('FB5', 'GAP-49', 'M-70');
      await using fixture = await openCliFixture([calls(WRITES), says('done')]);
      const hooks = { PreToolUse: [{ hookCallbackIds: ['h1'], timeout: 0.2 }] };
      const agent = await startWithHooks(fixture, hooks, ['--yolo']);
      agent.send(prompt('write'));
      await hookAsked(agent, 'PreToolUse');
      await blocked(agent);
      expect(written(fixture)).toBe(false);
    });

    test('a guard whose app is gone', async () => {
      verifies('FB5');
      await using fixture = await openCliFixture([calls(WRITES), says('done')]);
      const agent = await startWithHooks(fixture, { PreToolUse: [{ hookCallbackIds: ['h1'] }] }, ['--yolo']);
      agent.send(prompt('write'));
      await hookAsked(agent, 'PreToolUse');
      agent.endInput();
      await agent.exited;
      expect(written(fixture)).toBe(false);
    });

    test('unless it is registered as not blocking', async () => {
      verifies('FB5');
      await using fixture = await openCliFixture([calls(WRITES), says('done')]);
      const hooks = { PreToolUse: [{ hookCallbackIds: ['h1'], blocking: false }] };
      const agent = await startWithHooks(fixture, hooks, ['--yolo']);
      agent.send(prompt('write'));
      agent.send(fails.throws((await hookAsked(agent, 'PreToolUse')).id));
      expect(await agent.next(RESULT)).toMatchObject({ control_errors: [{ event: 'PreToolUse' }] });
      expect(written(fixture)).toBe(true);
    });
  });

  test('an interrupt withdraws the hook and ends the turn', async () => {
    const { agent, fixture } = await guarded(writesTo('stopped.txt'), says('done'));
    agent.send(prompt('write'));
    const { id } = await hookAsked(agent, 'PreToolUse');
    agent.send(control('stop', { subtype: 'interrupt' }));
    await agent.next({ type: 'control_cancel_request', request_id: id });
    expect(await agent.next(RESULT)).toMatchObject({ subtype: 'interrupted' });
    expect(isThere(fixture, 'stopped.txt')).toBe(false);
  });

  test('a permission question also emits a Notification', async () => {
    verifies('GAP-49');
    await using fixture = await openCliFixture([calls(WRITES), says('done')]);
    const hooks = [{ event: 'Notification', callback_id: 'h1', matcher: 'permission_prompt' }];
    const agent = await startWithHooks(fixture, hooks);
    agent.send(prompt('write'));
    const { input } = await hookAsked(agent, 'Notification');
    expect(input).toMatchObject({ notification_type: 'permission_prompt', message: expect.any(String) });
  });

  test('a matcher with unbounded run time is refused', async () => {
    await using fixture = await openCliFixture([]);
    const agent = await fixture.startMachine();
    const hooks = { PreToolUse: [{ matcher: '(a+)+', hookCallbackIds: ['h1'] }] };
    agent.send(control('init', { subtype: 'initialize', hooks }));
    expect(await agent.next(answerTo('init'))).toMatchObject({
      response: { subtype: 'error', error: { code: 'invalid_payload' } },
    });
  });
});

describe('commands of the settings', () => {
  const settings = (hooks: object) => JSON.stringify({ hooks });
  const runs = (command: string, more: object = {}) => [{ hooks: [{ type: 'command', command, ...more }] }];

  test('each event runs its command with its input on stdin, also in print mode', async () => {
    verifies('GAP-49');
    await using fixture = await openCliFixture([calls(WRITES), says('done')]);
    const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'];
    const log = runs('cat >> events.jsonl');
    await fixture.workspace.write(
      'home/.qwen/settings.json',
      settings(Object.fromEntries(events.map((event) => [event, log]))),
    );
    const program = await fixture.start(['--yolo', 'write']);
    program.endInput();
    expect(await program.exited).toMatchObject({ code: 0 });
    const lines = (await fixture.workspace.read('events.jsonl')).trim().split('\n');
    const inputs = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(inputs.map((input) => input['hook_event_name'])).toEqual(events);
    expect(inputs.at(-1)).toMatchObject({ reason: 'prompt_input_exit' });
    expect(inputs[2]).toMatchObject({ tool_name: 'write_file', tool_input: WRITES.input, permission_mode: 'yolo' });
  });

  test('exit code 2 blocks, and the model reads the reason', async () => {
    await using fixture = await openCliFixture([calls(WRITES), says('done')]);
    const guard = [{ matcher: 'Write', ...runs('echo "Not today." >&2; exit 2')[0] }];
    const agent = await fixture.startMachine(['--yolo', '--settings', settings({ PreToolUse: guard })]);
    agent.send(prompt('write'));
    expect(await agent.next(RESULT)).toMatchObject({ permission_denials: [{ tool_use_id: 'call_1' }] });
    expect(toldModel(fixture, 1)).toContain('Not today.');
    expect(written(fixture)).toBe(false);
  });

  /** A program whose guard each test writes. */
  const withScript = shareProgram((fixture) =>
    fixture.startMachine(['--yolo', '--settings', settings({ PreToolUse: runs('sh ./guard.sh') })]),
  );

  test.each<readonly [string, string]>([
    ['ends with another code', 'exit 1'],
    ['is killed', 'kill -KILL $$'],
    ['says half an answer', `echo '{"decision":'`],
    ['floods', `printf '{'; head -c 5000000 /dev/zero | tr '\\0' ' '`],
    ...[{ tool_name: 'run_shell_command' }, { tools: ['*'] }, { permissions: { allow: ['*'] } }].map((more) => {
      const answered = JSON.stringify({ ...decides('allow'), ...more });
      return [`requests more, such as ${JSON.stringify(more)},`, `echo '${answered}'`] as const;
    }),
  ])('a guard that %s blocks', async (_what, command) => {
    verifies('FB5', 'S89');
    const { agent, fixture } = await withScript(calls(WRITES), says('done'));
    await fixture.workspace.write('guard.sh', `${command}\n`);
    agent.send(prompt('write'));
    expect(await agent.next(RESULT)).toMatchObject({ control_errors: [{ event: 'PreToolUse' }] });
    expect(written(fixture)).toBe(false);
  });

  test('a guard that is late blocks', async () => {
    verifies('FB5', 'S89');
    await using fixture = await openCliFixture([calls(WRITES), says('done')]);
    const hooks = settings({ PreToolUse: runs('sleep 1000', { timeout: 0.2 }) });
    const agent = await fixture.startMachine(['--yolo', '--settings', hooks]);
    agent.send(prompt('write'));
    expect(await agent.next(RESULT)).toMatchObject({ control_errors: [{ event: 'PreToolUse' }] });
    expect(written(fixture)).toBe(false);
  });

  test('an answer decides only its own call', async () => {
    verifies('S89');
    const other = { name: 'run_shell_command', input: { command: 'touch other.txt' }, id: 'call_2' };
    await using fixture = await openCliFixture([calls(WRITES, other), says('done')]);
    const hooks = settings({
      PreToolUse: [{ matcher: 'Write', ...runs(`echo '${JSON.stringify(decides('allow'))}'`)[0] }],
    });
    const agent = await fixture.startMachine(['--settings', hooks]);
    agent.send(prompt('write'));
    const { request_id, request } = await agent.next(QUESTION);
    expect(request).toMatchObject({ tool_name: 'run_shell_command' });
    agent.send(answer(request_id, { behavior: 'deny', message: 'No.' }));
    await agent.next(RESULT);
    expect(written(fixture)).toBe(true);
    expect(existsSync(fixture.workspace.resolve('other.txt'))).toBe(false);
  });

  test('SessionEnd hooks run, even after a signal, and delay the exit by at most a second', async () => {
    await using fixture = await openCliFixture([says('done')]);
    const command = 'cat > end.json; touch told; sleep 1000';
    const agent = await fixture.startMachine(['--settings', settings({ SessionEnd: runs(command) })]);
    agent.send(prompt('hi'));
    await agent.next(RESULT);
    agent.kill('SIGTERM');
    expect(await agent.exited).toMatchObject({ code: 143 });
    expect(JSON.parse(await fixture.workspace.read('end.json'))).toMatchObject({
      hook_event_name: 'SessionEnd',
      reason: 'other',
    });
  });

  test('--include-hook-events reports the outcome of each hook; without it the stream contains none', async () => {
    verifies('GAP-49');
    for (const wants of [true, false]) {
      await using fixture = await openCliFixture([calls(WRITES), says('done')]);
      const hooks = { PreToolUse: runs('exit 2'), Stop: runs('true') };
      const flags = ['--yolo', '--settings', settings(hooks), ...(wants ? ['--include-hook-events'] : [])];
      const agent = await fixture.startMachine(flags);
      agent.send(prompt('write'));
      await agent.next(RESULT);
      agent.endInput();
      await agent.exited;
      const shown = agent.lines.flatMap(({ json }) => (json?.['subtype'] === 'hook_event' ? [json['data']] : []));
      const events = [
        { hook_event_name: 'PreToolUse', hook: '"exit 2"', outcome: 'blocked', duration_ms: expect.any(Number) },
        { hook_event_name: 'Stop', hook: '"true"', outcome: 'success', duration_ms: expect.any(Number) },
      ];
      expect(shown).toEqual(wants ? events : []);
    }
  });

  test('the end of input is the reason of SessionEnd, and its matcher is tested against it', async () => {
    verifies('GAP-49');
    await using fixture = await openCliFixture([says('done')]);
    const [leaving] = runs('cat > end.json');
    const [other] = runs('touch other');
    const groups = [
      { matcher: 'prompt_input_exit', ...leaving },
      { matcher: 'other', ...other },
    ];
    const agent = await fixture.startMachine(['--settings', settings({ SessionEnd: groups })]);
    agent.send(prompt('hi'));
    await agent.next(RESULT);
    agent.endInput();
    expect(await agent.exited).toMatchObject({ code: 0 });
    expect(JSON.parse(await fixture.workspace.read('end.json'))).toMatchObject({ reason: 'prompt_input_exit' });
    expect(existsSync(fixture.workspace.resolve('other'))).toBe(false);
  });

  describe('before a conversation is summarized', () => {
    const LONG = 'word '.repeat(2_000);
    const BOUNDARY = { type: 'system', subtype: 'compact_boundary' };
    const full = { usage: { prompt_tokens: 5_000, completion_tokens: 10, total_tokens: 5_010 } };

    test('PreCompact receives the trigger, and SessionStart runs afterwards', async () => {
      verifies('GAP-49', 'GAP-59');
      await using fixture = await openCliFixture([{ ...says('one'), ...full }, says('in short'), says('two')]);
      const hooks = { PreCompact: runs('cat > before.json'), SessionStart: runs('cat >> starts.jsonl') };
      const agent = await fixture.startMachine(['--context-window', '1000', '--settings', settings(hooks)]);
      agent.send(prompt(LONG));
      await agent.next(RESULT);
      agent.send(prompt('second'));
      await agent.next(BOUNDARY);
      expect(await agent.next(RESULT)).toMatchObject({ result: 'two' });
      expect(JSON.parse(await fixture.workspace.read('before.json'))).toMatchObject({
        hook_event_name: 'PreCompact',
        trigger: 'auto',
        cwd: fixture.workspace.path,
      });
      const starts = (await fixture.workspace.read('starts.jsonl')).trim().split('\n');
      expect(starts.map((line) => (JSON.parse(line) as { source: string }).source)).toEqual(['startup', 'compact']);
    });

    test('a blocking one keeps the conversation complete', async () => {
      verifies('GAP-49');
      await using fixture = await openCliFixture([{ ...says('one'), ...full }, says('two')]);
      const hooks = { PreCompact: runs('echo "Not now." >&2; exit 2') };
      const agent = await fixture.startMachine(['--context-window', '1000', '--settings', settings(hooks)]);
      agent.send(prompt(LONG));
      await agent.next(RESULT);
      agent.send(prompt('second'));
      expect(await agent.next(RESULT)).toMatchObject({ result: 'two' });
      expect(toldModel(fixture, 1)).toContain(LONG);
    });
  });

  test('no hook outlives the program', async () => {
    verifies('F36', 'F38');
    await using fixture = await openCliFixture([calls(WRITES), says('done')]);
    const hooks = settings({ PreToolUse: runs('echo $$ > pid; mv pid running; sleep 1000') });
    const agent = await fixture.startMachine(['--yolo', '--settings', hooks]);
    agent.send(prompt('write'));
    await expect.poll(() => existsSync(fixture.workspace.resolve('running')), { timeout: 10_000 }).toBe(true);
    const pid = Number(await fixture.workspace.read('running'));
    process.kill(agent.pid, 'SIGKILL');
    await waitUntilGone(pid, { deadlineMs: 2000 });
  });
});
