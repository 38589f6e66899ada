import { calls, lastText, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answerMcp, openFixture, PYTHON_ARGUMENTS, replay, success, TYPESCRIPT_ARGUMENTS } from './fixture.ts';

const sum = ({ a, b }: Record<string, unknown>) => `sum:${Number(a) + Number(b)}`;

test('python: every request is answered; an unsupported one gets an error text with its name', async () => {
  verifies('M-07', 'M-27', 'CF-43');
  await using fixture = await openFixture(() => [says('one')]);
  const program = await fixture.start('python', PYTHON_ARGUMENTS);
  await replay(program, 'python-verbs');
  const answers: Record<string, unknown>[] = [];
  for (let count = 0; count < 11; count += 1) {
    const { response } = await program.next({ type: 'control_response' });
    answers.push(response as Record<string, unknown>);
  }
  const byId = (number: number) => answers.find(({ request_id: id }) => String(id).startsWith(`req_${number}_`));
  expect(byId(1)).toMatchObject({ subtype: 'success', response: { models: [{ value: 'scripted' }], account: {} } });
  expect(byId(2)).toMatchObject({ subtype: 'success' });
  expect(byId(3)).toMatchObject({ subtype: 'success', response: { mode: 'auto-edit' } });
  expect(byId(4)).toMatchObject({ subtype: 'success', response: { model: 'the-other' } });
  expect(byId(5)).toMatchObject({ subtype: 'success', response: { model: 'scripted' } });
  expect(byId(6)).toMatchObject({ subtype: 'success', response: { mcpServers: [] } });
  expect(byId(7)).toMatchObject({ subtype: 'error', error: expect.stringContaining('nobody') });
  expect(byId(8)).toMatchObject({ subtype: 'error', error: expect.stringContaining('nobody') });
  expect(byId(9)).toMatchObject({ subtype: 'error', error: expect.stringContaining('no user message') });
  expect(byId(10)).toMatchObject({ subtype: 'error', error: expect.stringContaining('"task-1"') });
  expect(byId(11)).toMatchObject({ subtype: 'success' });
});

test.each([
  [
    'python',
    [...PYTHON_ARGUMENTS, '--mcp-config', '{"mcpServers": {"calc": {"type": "sdk", "name": "calc"}}}'],
    'python-query',
  ],
  ['typescript', TYPESCRIPT_ARGUMENTS, 'typescript-full'],
] as const)('%s: a server in the app is connected, needs permission, and is called', async (language, args, script) => {
  verifies('M-10', 'M-64', 'M-65', 'M-66');
  await using fixture = await openFixture(() => [
    calls({ name: 'mcp__calc__sum', input: { a: 2, b: 40 } }),
    (request) => says(lastText(request)),
  ]);
  const program = await fixture.start(language, args);
  await replay(program, script);
  const asked: unknown[] = [];
  for (;;) {
    const line = await program.next(({ type }) => type === 'control_request' || type === 'result');
    if (line['type'] === 'result') {
      expect(line).toMatchObject({ subtype: 'success', result: expect.stringContaining('sum:42') });
      break;
    }
    const request = line['request'] as Record<string, unknown>;
    if (request['subtype'] === 'mcp_message') {
      expect(request['server_name']).toBe('calc');
      const message = request['message'] as Record<string, unknown>;
      program.send(success(line['request_id'], { mcp_response: answerMcp(message, { sum }) }));
    } else if (request['subtype'] === 'can_use_tool') {
      asked.push(request['tool_name']);
      program.send(success(line['request_id'], { behavior: 'allow', updatedInput: request['input'] }));
    } else {
      program.send(success(line['request_id'], {}));
    }
  }
  expect(asked).toEqual(['mcp__calc__sum']);
  program.endInput();
  expect(await program.exited).toEqual({ code: 0, signal: null });
});

test.each([
  ['python', PYTHON_ARGUMENTS, 'python-client'],
  ['typescript', TYPESCRIPT_ARGUMENTS, 'typescript-full'],
] as const)('%s: a registered hook is called, and its answer applies', async (language, args, script) => {
  verifies('FB5');
  await using fixture = await openFixture((workspace) => [
    calls({ name: 'write_file', input: { file_path: workspace.resolve('note.txt'), content: 'written' }, id: 'c1' }),
    says('then not'),
  ]);
  const program = await fixture.start(language, [...args, '--permission-mode', 'bypassPermissions']);
  await replay(program, script);
  const hooks: unknown[] = [];
  for (;;) {
    const line = await program.next(({ type }) => type === 'control_request' || type === 'result');
    if (line['type'] === 'result') break;
    const request = line['request'] as Record<string, unknown>;
    if (request['subtype'] === 'mcp_message') {
      const message = request['message'] as Record<string, unknown>;
      program.send(success(line['request_id'], { mcp_response: answerMcp(message, { sum }) }));
      continue;
    }
    expect(request['subtype']).toBe('hook_callback');
    const input = request['input'] as Record<string, unknown>;
    hooks.push([request['callback_id'], input['hook_event_name'], input['tool_name']]);
    const hookSpecificOutput = {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'the hook says no',
    };
    program.send(success(line['request_id'], request['callback_id'] === 'hook_0' ? { hookSpecificOutput } : {}));
  }
  expect(hooks[0]).toEqual(['hook_0', 'PreToolUse', 'Write']);
  await expect(fixture.workspace.read('note.txt')).rejects.toThrow('ENOENT');
  expect(JSON.stringify(fixture.model.requests[1]?.messages.at(-1))).toContain('the hook says no');
  program.endInput();
  expect(await program.exited).toEqual({ code: 0, signal: null });
});
