import type { AgentEvent, PermissionAnswer } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import {
  aborted,
  call,
  calling,
  createTestSession,
  ofType,
  outcomes,
  readUntil,
  results,
  runAll,
  ScriptedPermissions,
  saying,
  tool,
} from '../../test/scripted-engine.js';

const answering = (answer: PermissionAnswer) => new ScriptedPermissions(() => answer);

describe('calls of one answer', () => {
  test('run together and are reported in the order of the calls', async () => {
    const gates = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
    const order: string[] = [];
    const slow = tool('slow', {
      execute: async () => {
        order.push('slow begins');
        gates.a.resolve();
        await gates.b.promise;
        return { content: 'slow' };
      },
    });
    const quick = tool('quick', {
      execute: async () => {
        // Ends only after the first one began, and the first one only after this one: they must overlap.
        await gates.a.promise;
        order.push('quick ends');
        gates.b.resolve();
        return { content: 'quick' };
      },
    });
    const { session, model } = createTestSession([calling(call('c1', 'slow'), call('c2', 'quick')), saying('done')], {
      tools: [slow, quick],
    });
    const events = await runAll(session, 'go');
    expect(order).toEqual(['slow begins', 'quick ends']);
    expect(results(events)).toEqual(['slow: slow', 'quick: quick']);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ results: [{ callId: 'c1' }, { callId: 'c2' }] });
  });

  test('ask in the order of the calls, even if a path resolves slowly', async () => {
    const quickIsKnown = Promise.withResolvers<void>();
    const paths = {
      resolve: async (path: string) => {
        if (path === '/w/app/slow') await quickIsKnown.promise;
        else setImmediate(quickIsKnown.resolve);
        return { path, realPath: path, insideRoots: true };
      },
    };
    const edit = tool('edit', {
      kind: 'edit',
      paths: (input: { file: string }) => [{ path: input.file, access: 'write' }],
    });
    const permissions = answering({ behavior: 'allow' });
    const answers = [
      calling(call('c1', 'edit', { file: '/w/app/slow' }), call('c2', 'edit', { file: '/w/app/quick' })),
      saying('done'),
    ];
    const { session } = createTestSession(answers, { tools: [edit], permissions, paths });
    await runAll(session, 'go');
    expect(permissions.questions.map(({ callId }) => callId)).toEqual(['c1', 'c2']);
  });

  test('run at most eight at a time', async () => {
    verifies('F80');
    let running = 0;
    let most = 0;
    const full = Promise.withResolvers<void>();
    const busy = tool('busy', {
      execute: async () => {
        running += 1;
        most = Math.max(most, running);
        if (running === 8) full.resolve();
        await full.promise;
        running -= 1;
        return { content: 'ok' };
      },
    });
    const many = Array.from({ length: 1000 }, (_, index) => call(`c${index}`, 'busy'));
    const { session } = createTestSession([calling(...many), saying('done')], { tools: [busy] });
    const events = await runAll(session, 'go');
    expect(most).toBe(8);
    expect(ofType(events, 'tool_end').map(({ outcome }) => outcome.callId)).toEqual(
      many.map((_, index) => `c${index}`),
    );
  });

  test('wait for an earlier one that changes the same file or runs a program', async () => {
    const log: string[] = [];
    const step = (name: string, kind: 'edit' | 'execute' | 'read', file?: string) =>
      tool(name, {
        kind,
        paths: () => (file === undefined ? [] : [{ path: file, access: kind === 'read' ? 'read' : 'write' }]),
        execute: async () => {
          log.push(`${name} begins`);
          await Promise.resolve();
          log.push(`${name} ends`);
          return { content: '' };
        },
      });
    const tools = [
      step('first', 'edit', 'a'),
      step('second', 'edit', 'a'),
      step('run', 'execute'),
      step('look', 'read', 'b'),
    ];
    const names = ['first', 'second', 'run', 'look'];
    const { session } = createTestSession([calling(...names.map((name) => call(name, name))), saying('done')], {
      tools,
      permissionMode: 'yolo',
    });
    await runAll(session, 'go');
    const at = (line: string) => log.indexOf(line);
    expect(at('second begins')).toBeGreaterThan(at('first ends'));
    expect(at('run begins')).toBeGreaterThan(at('second ends'));
    expect(at('look begins')).toBeLessThan(at('second begins'));
  });

  test('show live output and what is running, and each result after its output', async () => {
    const chatty = tool('chatty', {
      execute: (_input, { emit }) => {
        emit('one');
        emit('two');
        return Promise.resolve({ content: 'all', display: { kind: 'text', text: 'shown' } });
      },
    });
    const { session } = createTestSession([calling(call('c1', 'chatty', { a: 1 })), saying('done')], {
      tools: [chatty],
    });
    const events = (await runAll(session, 'go')).filter(({ type }) => type.startsWith('tool_'));
    expect(events).toMatchObject([
      { type: 'tool_pending', callId: 'c1', name: 'chatty', input: { a: 1 }, kind: 'read' },
      { type: 'tool_start', callId: 'c1', name: 'chatty', input: { a: 1 } },
      { type: 'tool_delta', text: 'one' },
      { type: 'tool_delta', text: 'two' },
      { type: 'tool_end', outcome: { content: 'all', display: { text: 'shown' }, isError: false, status: 'success' } },
    ]);
  });

  test('live output that is not read is dropped past a limit, the result is complete', async () => {
    const flood = tool('flood', {
      execute: (_input, { emit }) => {
        for (let index = 0; index < 1000; index += 1) emit('x'.repeat(1024));
        return Promise.resolve({ content: 'whole' });
      },
    });
    const { session } = createTestSession([calling(call('c1', 'flood')), saying('done')], { tools: [flood] });
    const events = await runAll(session, 'go');
    const told = ofType(events, 'tool_delta').reduce((sum, { text }) => sum + text.length, 0);
    expect(told).toBe(256 * 1024);
    expect(results(events)).toEqual(['flood: whole']);
  });
});

describe('reports problems of a call to the model', () => {
  test('an unknown tool, bad input and a throw each return a paired error', async () => {
    verifies('F76');
    const strict = tool('strict', {
      parse: () => {
        throw new AgentError('invalid_tool_input', 'path is missing');
      },
    });
    const broken = tool('broken', { execute: () => Promise.reject(new Error('disk on fire')) });
    const failing = tool('failing', { execute: () => Promise.resolve({ content: 'not found', isError: true }) });
    const answer = calling(call('c1', 'nothing'), call('c2', 'strict'), call('c3', 'broken'), call('c4', 'failing'));
    const { session, model } = createTestSession([answer, saying('done')], { tools: [strict, broken, failing] });
    const events = await runAll(session, 'go');
    expect(results(events)).toEqual([
      'nothing: There is no tool named nothing. The tools are: strict, broken, failing.',
      'strict: path is missing',
      'broken: disk on fire',
      'failing: not found',
    ]);
    expect(ofType(events, 'tool_end').every(({ outcome }) => outcome.isError)).toBe(true);
    expect(outcomes(events)).toEqual([{ type: 'success', text: 'done' }]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ results: [{}, {}, {}, { isError: true }] });
  });

  test('a tool answers to its aliases', async () => {
    const reader = tool('read_file', { aliases: ['Leser'] });
    const answer = calling(call('c1', 'READ'), call('c2', 'leser'));
    const { session } = createTestSession([answer, saying('done')], { tools: [reader] });
    expect(results(await runAll(session, 'go'))).toEqual(['READ: read_file ran', 'leser: read_file ran']);
  });

  test('a tool receives the resolved paths, and those that rules hide', async () => {
    const seen: unknown[] = [];
    const reader = tool('read_file', {
      paths: () => [{ path: '/w/app/x/../y', access: 'read' }],
      execute: (_input, { realPaths, isHidden, cwd }) => {
        seen.push(realPaths?.get('/w/app/x/../y'), isHidden?.('/w/app/.env'), isHidden?.('/w/app/y'), cwd);
        return Promise.resolve({ content: '' });
      },
    });
    const { session } = createTestSession([calling(call('c1', 'read_file')), saying('done')], {
      tools: [reader],
      rules: { allow: [], ask: [], deny: ['Read(.env)'] },
    });
    await runAll(session, 'go');
    expect(seen).toEqual(['/w/app/y', true, false, '/w/app']);
  });
});

describe('permission', () => {
  const editor = (ran: unknown[]) =>
    tool('edit', {
      kind: 'edit',
      parse: (input) => {
        if (typeof input === 'object' && input !== null && 'file' in input) return input;
        throw new AgentError('invalid_tool_input', 'file is missing');
      },
      paths: (input: { file: string }) => [{ path: input.file, access: 'write' }],
      execute: (input) => {
        ran.push(input);
        return Promise.resolve({ content: 'edited' });
      },
    });
  const edit = (file: string) => calling(call('c1', 'edit', { file }));

  test('the question describes the call', async () => {
    verifies('M-49', 'M-52');
    const ports = answering({ behavior: 'allow' });
    const { session } = createTestSession([edit('/etc/hosts'), saying('done')], {
      tools: [editor([])],
      permissions: ports,
    });
    expect(results(await runAll(session, 'go'))).toEqual(['edit: edited']);
    expect(ports.questions).toMatchObject([
      {
        toolName: 'edit',
        callId: 'c1',
        input: { file: '/etc/hosts' },
        blockedPath: '/etc/hosts',
        reason: '/etc/hosts is outside the workspace.',
        suggestions: [
          { type: 'allow' },
          { type: 'deny' },
          { type: 'modify' },
          { type: 'allow', rules: ['Edit(//etc/hosts)'], destination: 'session' },
        ],
      },
    ]);
  });

  test('a denial is reported to the model and counted', async () => {
    verifies('M-50', 'S28');
    const ran: unknown[] = [];
    const { session } = createTestSession([edit('/w/app/a'), saying('done')], {
      tools: [editor(ran)],
      permissions: answering({ behavior: 'deny', message: 'not today' }),
    });
    const events = await runAll(session, 'go');
    expect(ran).toEqual([]);
    expect(results(events)).toEqual(['edit: [Operation Cancelled] Reason: not today']);
    expect(ofType(events, 'turn_end')[0]?.permissionDenials).toEqual([
      { tool_name: 'edit', tool_use_id: 'c1', tool_input: { file: '/w/app/a' }, reason: 'not today' },
    ]);
    expect(ofType(events, 'tool_start')).toEqual([]);
  });

  test('a port that rejects is a denial', async () => {
    verifies('S28');
    const ran: unknown[] = [];
    const permissions = { ask: () => Promise.reject(new Error('the channel closed')) };
    const { session } = createTestSession([edit('/w/app/a'), saying('done')], { tools: [editor(ran)], permissions });
    expect(results(await runAll(session, 'go'))[0]).toContain(
      '[Operation Cancelled] Reason: The question could not be asked',
    );
    expect(ran).toEqual([]);
  });

  test('a rule denies without a question', async () => {
    const permissions = answering({ behavior: 'allow' });
    const { session } = createTestSession([edit('/w/app/a'), saying('done')], {
      tools: [editor([])],
      permissions,
      permissionMode: 'yolo',
      rules: { allow: [], ask: [], deny: ['Edit'] },
    });
    const events = await runAll(session, 'go');
    expect(results(events)).toEqual(['edit: [Operation Cancelled] Reason: Permission denied: Rule Edit forbids it.']);
    expect(ofType(events, 'turn_end')[0]?.permissionDenials).toHaveLength(1);
    expect(permissions.questions).toEqual([]);
  });

  test('changed input is checked and decided again before it runs', async () => {
    verifies('M-42', 'S26', 'GAP-48');
    const answerWith = async (updatedInput: Readonly<Record<string, unknown>>) => {
      const ran: unknown[] = [];
      const { session } = createTestSession([edit('/w/app/a'), saying('done')], {
        tools: [editor(ran)],
        permissions: answering({ behavior: 'allow', updatedInput }),
        rules: { allow: [], ask: [], deny: ['Edit(.env)'] },
      });
      return { ran, events: await runAll(session, 'go') };
    };
    const changed = await answerWith({ file: '/w/app/b' });
    expect(changed.ran).toEqual([{ file: '/w/app/b' }]);
    expect(ofType(changed.events, 'tool_start')[0]?.input).toEqual({ file: '/w/app/b' });
    const forbidden = await answerWith({ file: '/w/app/.env' });
    expect(forbidden.ran).toEqual([]);
    expect(results(forbidden.events)).toEqual([
      'edit: [Operation Cancelled] Reason: Permission denied: Rule Edit(.env) forbids it.',
    ]);
    const invalid = await answerWith({ path: 'x' });
    expect(invalid.ran).toEqual([]);
    expect(results(invalid.events)[0]).toContain('The changed input is invalid: file is missing');
  });

  test('two questions are open at the same time and may be answered in any order', async () => {
    const open: { resolve: (answer: PermissionAnswer) => void }[] = [];
    const both = Promise.withResolvers<void>();
    const permissions = new ScriptedPermissions(() => {
      const { promise, resolve } = Promise.withResolvers<PermissionAnswer>();
      open.push({ resolve });
      if (open.length === 2) both.resolve();
      return promise;
    });
    const answer = calling(call('c1', 'edit', { file: 'a' }), call('c2', 'edit', { file: 'b' }));
    const { session } = createTestSession([answer, saying('done')], { tools: [editor([])], permissions });
    const reading = runAll(session, 'go');
    await both.promise;
    open[1]?.resolve({ behavior: 'deny', message: 'second' });
    open[0]?.resolve({ behavior: 'allow' });
    expect(results(await reading)).toEqual(['edit: edited', 'edit: [Operation Cancelled] Reason: second']);
  });

  test('a denial with interrupt stops the turn after every call has a result', async () => {
    verifies('M-43');
    const waiting = tool('wait', {
      execute: async (_input, { signal }) => {
        await aborted(signal);
        throw new Error('stopped');
      },
    });
    const answer = calling(call('c0', 'wait'), call('c1', 'edit', { file: 'a' }), call('c2', 'edit', { file: 'b' }));
    const permissions = new ScriptedPermissions((request) =>
      request.callId === 'c1'
        ? { behavior: 'deny', message: 'stop all', interrupt: true }
        : new Promise<PermissionAnswer>(() => {}),
    );
    const { session, model } = createTestSession([answer, saying('next')], {
      tools: [waiting, editor([])],
      permissions,
    });
    const events = await runAll(session, 'one', 'two');
    expect(outcomes(events)).toEqual([
      { type: 'interrupted', by: 'permission', reason: 'stop all' },
      { type: 'success', text: 'next' },
    ]);
    expect(results(events)).toEqual([
      'wait: Interrupted: this call was stopped before it was done.',
      'edit: [Operation Cancelled] Reason: stop all',
      'edit: Interrupted: this call did not run.',
    ]);
    expect(model.requests).toHaveLength(2);
  });

  test('a change of mode applies to later calls, not to the open question', async () => {
    verifies('S27', 'M-57');
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<PermissionAnswer>();
    const permissions = new ScriptedPermissions(() => {
      asked.resolve();
      return answer.promise;
    });
    const { session } = createTestSession([edit('/w/app/a'), edit('/w/app/b'), saying('done')], {
      tools: [editor([])],
      permissions,
    });
    session.submit({ uuid: 'u', content: 'go' });
    const events = session.events();
    // The news arrives while the question is still open.
    const news = readUntil(events, 'permission_mode_changed');
    await asked.promise;
    session.setPermissionMode('yolo');
    expect((await news).at(-1)).toEqual({ type: 'permission_mode_changed', mode: 'yolo' });
    answer.resolve({ behavior: 'deny', message: 'no' });
    const rest: AgentEvent[] = await readUntil(events, 'turn_end');
    expect(results(rest)).toEqual(['edit: [Operation Cancelled] Reason: no', 'edit: edited']);
    expect(permissions.questions).toHaveLength(1);
    await session.close();
  });
});
