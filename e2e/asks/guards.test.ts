import { existsSync } from 'node:fs';
import { createSdkMcpServer, type HookMatcher, type QueryOptions, tool } from '@qwen/sdk';
import { calls, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { collect, type Fixture, openFixture, results } from '../spine/fixture.ts';

const CANARY = 'canary.txt';

/** A call of every kind of tool that there is; those that could leave something behind would leave the canary. */
const EVERY_CALL = [
  { name: 'read_file', input: { file_path: 'secret.txt' } },
  { name: 'write_file', input: { file_path: CANARY, content: 'x' } },
  { name: 'edit', input: { file_path: 'secret.txt', old_string: 'the secret', new_string: 'changed' } },
  { name: 'list_directory', input: { path: '.' } },
  { name: 'read_many_files', input: { paths: ['*'] } },
  { name: 'glob', input: { pattern: '*' } },
  { name: 'grep_search', input: { pattern: 'secret' } },
  { name: 'run_shell_command', input: { command: `touch ${CANARY}` } },
  { name: 'todo_write', input: { todos: [] } },
  { name: 'mcp__app__mark', input: {} },
].map((call, index) => ({ ...call, id: `call_${index}` }));

/** What the model says: every call at once, by itself or through a subagent. */
const SCRIPTS = {
  'the agent': [calls(...EVERY_CALL), says('done')],
  'a subagent': [
    calls({ name: 'task', input: { description: 'all', prompt: 'Do it all.', subagent_type: 'worker' }, id: 'task_1' }),
    calls(...EVERY_CALL),
    says('reported'),
    says('done'),
  ],
};

async function openGuardedFixture(script: keyof typeof SCRIPTS) {
  const fixture = await openFixture(SCRIPTS[script]);
  await fixture.workspace.write('secret.txt', 'the secret\n');
  const marks: string[] = [];
  const mark = tool('mark', 'Leaves a mark.', { text: z.optional(z.string()) }, async () => {
    marks.push('mark');
    return { content: [{ type: 'text', text: 'marked' }] };
  });
  const run = async (guard: HookMatcher<'PreToolUse'>) => {
    const options: QueryOptions = {
      permissionMode: 'yolo',
      mcpServers: { app: createSdkMcpServer({ name: 'app', tools: [mark] }) },
      agents: { worker: { description: 'Works.', systemPrompt: 'You work.' } },
      hooks: { PreToolUse: [guard] },
    };
    return results(await collect(fixture.query('all of it', options)));
  };
  return { fixture, marks, run, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() };
}

async function expectUntouched({ workspace, model }: Fixture, marks: readonly string[]): Promise<void> {
  expect(existsSync(workspace.resolve(CANARY))).toBe(false);
  expect(await workspace.read('secret.txt')).toBe('the secret\n');
  expect(marks).toEqual([]);
  expect(
    JSON.stringify(model.requests.flatMap(({ messages }) => messages.filter(({ role }) => role === 'tool'))),
  ).not.toContain('the secret');
}

type Guard = HookMatcher<'PreToolUse'>['hooks'][number];

const GUARDS: Readonly<Record<string, Guard>> = {
  throws: () => {
    throw new Error('the guard is broken');
  },
  'answers nonsense': () => JSON.parse('{"decision":"perhaps"}'),
  'is late': () => new Promise(() => {}),
  denies: () => ({ hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'no' } }),
};

const SCENES = Object.entries(GUARDS).flatMap(([what, guard]) =>
  (['the agent', 'a subagent'] as const).map((who) => ({ what, guard, who })),
);

test.each(SCENES)('a guard that $what must judge every tool of $who, and none of them runs', async (scene) => {
  verifies('FB5', 'GAP-49');
  await using at = await openGuardedFixture(scene.who);
  const asked: string[] = [];
  const guard: Guard = (input, ...rest) => {
    if (input.tool_name === 'task') return undefined;
    asked.push(input.tool_use_id);
    return scene.guard(input, ...rest);
  };
  const [result] = await at.run({ hooks: [guard], timeout: 0.5 });
  expect(asked.toSorted()).toEqual(EVERY_CALL.map(({ id }) => id));
  expect(result).toMatchObject({ subtype: 'success', result: 'done' });
  expect(result?.permission_denials?.map((denial) => denial.tool_use_id).toSorted()).toEqual(asked.toSorted());
  await expectUntouched(at.fixture, at.marks);
});

test('a failing hook that is not a guard is reported, and the tools run', async () => {
  verifies('FB5', 'GAP-49');
  await using at = await openGuardedFixture('the agent');
  const [result] = await at.run({
    matcher: 'write_file',
    blocking: false,
    hooks: [
      () => {
        throw new Error('the watcher is broken');
      },
    ],
  });
  expect(result).toMatchObject({ control_errors: [{ event: 'PreToolUse' }], permission_denials: [] });
  expect(existsSync(at.fixture.workspace.resolve(CANARY))).toBe(true);
  expect(at.marks).toEqual(['mark']);
});
