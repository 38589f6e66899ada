import { readdir } from 'node:fs/promises';
import type { QueryOptions } from '@qwen/sdk';
import { calls, says } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { collect, openFixture } from './fixture.ts';

// Four programs name the tool that starts subagents in four ways. A guard must hold under each of them.

const agents: QueryOptions['agents'] = { writer: { description: 'Writes.', tools: ['write_file', 'Task'] } };

/** Starts a subagent that writes a file, with everything allowed that no guard forbids. */
async function start(options: QueryOptions) {
  const offered: (readonly string[])[] = [];
  const task = { subagent_type: 'writer', description: 'write', prompt: 'Write it.' };
  await using fixture = await openFixture([
    ({ messages, tools = [] }) => {
      const hasResult = messages.at(-1)?.role === 'tool';
      if (JSON.stringify(messages).includes('Start the writer.')) {
        return hasResult ? says('Done.') : calls({ name: 'task', input: task });
      }
      offered.push(tools.map((tool) => tool.function.name));
      return hasResult
        ? says('Written.')
        : calls({ name: 'write_file', input: { file_path: 'note.txt', content: 'x' } });
    },
  ]);
  await collect(fixture.query('Start the writer.', { permissionMode: 'yolo', agents, ...options }));
  const isWritten = (await readdir(fixture.workspace.path)).includes('note.txt');
  return { isWritten, offered: offered[0] };
}

describe.each(['task', 'Task', 'agent', 'Agent'])('under the name %s', (name) => {
  test('a deny rule stops subagents', async () => {
    expect(await start({ excludeTools: [name] })).toMatchObject({ isWritten: false });
  });

  test('a deny rule with an argument stops that subagent', async () => {
    expect(await start({ excludeTools: [`${name}(writer)`] })).toMatchObject({ isWritten: false });
  });

  test('a hook stops subagents, and receives the name that it matches', async () => {
    const seen: string[] = [];
    const guard = async (input: { tool_name: string }) => {
      seen.push(input.tool_name);
      return { hookSpecificOutput: { permissionDecision: 'deny' as const } };
    };
    const hooks = { PreToolUse: [{ matcher: name, hooks: [guard] }] };
    expect(await start({ hooks })).toMatchObject({ isWritten: false });
    expect(seen).toEqual([name]);
  });

  test('an allow rule and a list of tools include the tool', async () => {
    const options: QueryOptions = { permissionMode: 'default', allowedTools: [name, 'write_file'] };
    expect(await start(options)).toMatchObject({ isWritten: true });
    expect(await start({ coreTools: [name, 'write_file'] })).toMatchObject({ isWritten: true });
    expect(await start({ coreTools: ['write_file'] })).toMatchObject({ isWritten: false });
  });

  test('a subagent that lists it has its other tools, and starts no further subagents', async () => {
    const listed = { writer: { description: 'Writes.', tools: ['write_file', name] } };
    expect(await start({ agents: listed })).toMatchObject({ isWritten: true, offered: ['write_file'] });
  });
});
