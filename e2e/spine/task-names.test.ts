import { readdir } from 'node:fs/promises';
import type { QueryOptions } from '@qwen/sdk';
import { calls, says } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { collect, openFixture } from './fixture.ts';

// Four programs name the tool that starts subagents in four ways. A guard must hold under each of them.

const NAMES = ['task', 'Task', 'agent', 'Agent'] as const;

/** One subagent for each of the names. */
const agentOf = (name: string): string => `writer-${NAMES.findIndex((each) => each === name)}`;
const agentsWith = (tools: (name: string) => readonly string[]): NonNullable<QueryOptions['agents']> =>
  Object.fromEntries(NAMES.map((name) => [agentOf(name), { description: 'Writes.', tools: [...tools(name)] }]));

/** Starts subagents that each write a file, with everything allowed that no guard forbids. */
async function start(options: QueryOptions, names: readonly string[] = ['task']) {
  const offered: (readonly string[])[] = [];
  const tasks = names.map((name, row) => ({
    name: 'task',
    input: { subagent_type: agentOf(name), description: 'write', prompt: `Write ${agentOf(name)}.txt.` },
    id: `call_${row}`,
  }));
  await using fixture = await openFixture([
    ({ messages, tools = [] }) => {
      const hasResult = messages.at(-1)?.role === 'tool';
      const text = JSON.stringify(messages);
      if (text.includes('Start the writers.')) return hasResult ? says('Done.') : calls(...tasks);
      offered.push(tools.map((tool) => tool.function.name));
      const [, file = ''] = /Write (writer-\d\.txt)/.exec(text) ?? [];
      return hasResult ? says('Written.') : calls({ name: 'write_file', input: { file_path: file, content: 'x' } });
    },
  ]);
  const agents = agentsWith(() => ['write_file', 'Task']);
  await collect(fixture.query('Start the writers.', { permissionMode: 'yolo', agents, ...options }));
  const files = await readdir(fixture.workspace.path);
  return { written: names.filter((name) => files.includes(`${agentOf(name)}.txt`)), offered };
}

test('a hook stops subagents, and receives the name that it matches, under each name', async () => {
  const seen: string[] = [];
  const guardOf = (name: string) => async (input: { tool_name: string; tool_input: unknown }) => {
    // Each guard stops one subagent, so that none hides another that does not work.
    if (Object(input.tool_input).subagent_type !== agentOf(name)) return {};
    seen.push(input.tool_name);
    return { hookSpecificOutput: { permissionDecision: 'deny' as const } };
  };
  const hooks = { PreToolUse: NAMES.map((name) => ({ matcher: name, hooks: [guardOf(name)] })) };
  expect(await start({ hooks }, NAMES)).toMatchObject({ written: [] });
  expect(seen.toSorted()).toEqual(NAMES.toSorted());
});

test('a subagent that lists it has its other tools, and starts no further subagents, under each name', async () => {
  const agents = agentsWith((name) => ['write_file', name]);
  const { written, offered } = await start({ agents }, NAMES);
  expect(written).toEqual(NAMES);
  expect(new Set(offered.map((tools) => tools.join()))).toEqual(new Set(['write_file']));
});

test('a list of tools without it offers no subagents', async () => {
  expect(await start({ coreTools: ['write_file'] })).toMatchObject({ written: [] });
});

describe.each(NAMES)('under the name %s', (name) => {
  test('a deny rule stops subagents', async () => {
    expect(await start({ excludeTools: [name] })).toMatchObject({ written: [] });
  });

  test('a deny rule with an argument stops that subagent', async () => {
    expect(await start({ excludeTools: [`${name}(${agentOf('task')})`] })).toMatchObject({ written: [] });
  });

  test('an allow rule and a list of tools include the tool', async () => {
    const allowedTools = [name, 'write_file'];
    expect(await start({ permissionMode: 'default', allowedTools, coreTools: allowedTools })).toMatchObject({
      written: ['task'],
    });
  });
});
