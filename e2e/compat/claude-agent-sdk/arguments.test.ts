import { readdir } from 'node:fs/promises';
import { calls, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openFixture, PYTHON_ARGUMENTS, replay, TYPESCRIPT_ARGUMENTS, words } from './fixture.ts';

/** Everything that the Python SDK may put on a command line and that has an effect, or asks for what holds anyway. */
const PYTHON_FULL = [
  ...words('--output-format stream-json --verbose --tools Read,Bash --allowedTools Read --max-turns 7'),
  ...words('--disallowedTools WebFetch --model the-other --betas context-1m-2025-08-07 --permission-prompt-tool stdio'),
  ...words('--permission-mode acceptEdits --session-id=3f2b8c1e-6d4a-4b7e-9c58-0a1b2c3d4e5f --add-dir .'),
  ...words('--settings {"permissions":{"deny":["Edit"]}} --include-partial-messages --include-hook-events'),
  ...words('--strict-mcp-config --setting-sources=user,project --thinking adaptive --thinking-display summarized'),
  ...words('--max-thinking-tokens 1024 --effort high --input-format stream-json --append-system-prompt'),
  'Be kind.',
];

const TYPESCRIPT_FULL = [
  ...TYPESCRIPT_ARGUMENTS,
  ...words('--max-turns=9 --model=the-other --permission-prompt-tool=stdio --allowedTools=Read --effort=high'),
  ...words('--disallowedTools=WebFetch --setting-sources=project --permission-mode=default --thinking=adaptive'),
  ...words('--include-partial-messages --add-dir=. --await-initialize --allow-dangerously-skip-permissions'),
];

test.each([
  ['python', PYTHON_FULL],
  ['typescript', TYPESCRIPT_FULL],
] as const)('%s: a command line with every option is understood', async (language, args) => {
  await using fixture = await openFixture(() => [says('one')]);
  const program = await fixture.start(language, args);
  await replay(program, `${language}-query`);
  expect(await program.next({ type: 'result' })).toMatchObject({ result: 'one' });
  expect(fixture.model.requests[0]?.model).toBe('the-other');
  expect(program.stderr).not.toContain('is unknown');
});

test('dontAsk denies what no rule allows, without a question', async () => {
  await using fixture = await openFixture((workspace) => [
    calls({ name: 'write_file', input: { file_path: workspace.resolve('a.txt'), content: 'x' } }),
    calls({ name: 'run_shell_command', input: { command: 'touch b.txt' } }),
    says('done'),
  ]);
  const flags = words('--permission-mode=dontAsk --permission-prompt-tool=stdio --allowedTools=Bash');
  const program = await fixture.start('typescript', [...TYPESCRIPT_ARGUMENTS, ...flags]);
  await replay(program, 'typescript-query');
  const line = await program.next(({ type }) => type === 'control_request' || type === 'result');
  expect(line).toMatchObject({ type: 'result', permission_denials: [{ tool_name: 'Write' }] });
  expect(await readdir(fixture.workspace.path)).toContain('b.txt');
});

test('--tools accepts its tool names, none, and all', async () => {
  await using fixture = await openFixture(() => [says('one')]);
  const offered: string[][] = [];
  for (const tools of ['Read,Bash', '', 'default']) {
    const program = await fixture.start('python', [...PYTHON_ARGUMENTS, '--tools', tools]);
    await replay(program, 'python-query');
    await program.next({ type: 'result' });
    const names = fixture.model.requests.at(-1)?.tools?.map((tool) => tool.function.name) ?? [];
    offered.push(names.toSorted());
  }
  expect(offered[0]).toEqual(['read_file', 'run_shell_command']);
  expect(offered[1]).toEqual([]);
  expect(offered[2]).toEqual(expect.arrayContaining(['edit', 'read_file', 'run_shell_command', 'write_file']));
});

test('--continue and --resume=ID resume a session, and --fork-session resumes a copy', async () => {
  verifies('FB18');
  await using fixture = await openFixture(() => [says('one'), says('two'), says('three'), says('four')]);
  const sessionId = '3f2b8c1e-6d4a-4b7e-9c58-0a1b2c3d4e5f';
  const seen: unknown[] = [];
  for (const choice of [
    [`--session-id=${sessionId}`],
    [`--resume=${sessionId}`],
    ['--continue'],
    [`--resume=${sessionId}`, '--fork-session'],
  ]) {
    const program = await fixture.start('python', [...PYTHON_ARGUMENTS, ...choice]);
    await replay(program, 'python-query');
    const { session_id: id } = await program.next({ type: 'result' });
    program.endInput();
    await program.exited;
    seen.push(id);
  }
  expect(seen.slice(0, 3)).toEqual([sessionId, sessionId, sessionId]);
  expect(seen[3]).not.toBe(sessionId);
  expect(fixture.model.requests.at(-1)?.messages.filter(({ role }) => role === 'user')).toHaveLength(4);
});

test.each([
  ['--max-budget-usd', '0.5'],
  ['--task-budget', '1000'],
  ['--resume-session-at=3f2b8c1e-6d4a-4b7e-9c58-0a1b2c3d4e5f'],
])('%s is unsupported and refused by name before anything runs', async (...flag) => {
  await using fixture = await openFixture(() => [says('never')]);
  const program = await fixture.start('python', [...PYTHON_ARGUMENTS, ...flag]);
  expect(await program.exited).toMatchObject({ code: 2 });
  expect(program.stderr).toContain(flag[0]?.split('=')[0]);
  expect(program.lines).toEqual([]);
});
