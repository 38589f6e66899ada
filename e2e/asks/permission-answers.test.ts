import type { CanUseTool, QueryOptions } from '@qwen/sdk';
import { calls, says } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { collect, type Fixture, openFixture, results } from '../spine/fixture.ts';

const touch = (file: string) => ({ name: 'run_shell_command', input: { command: `touch ${file}` } });
const write = (file: string) => ({ name: 'write_file', input: { file_path: file, content: 'x' } });

async function run(fixture: Fixture, options: QueryOptions) {
  const lines: string[] = [];
  const messages = await collect(fixture.query('go', { stderr: (line) => lines.push(line), ...options }));
  const told = JSON.stringify(fixture.model.requests.at(-1)?.messages);
  return { messages, told, result: results(messages)[0], lines: lines.join('\n') };
}

describe('an approval that changes permissions', () => {
  test.each(['qwen', 'claude'] as const)('%s: the suggestions can be returned unchanged', async (toolNames) => {
    await using fixture = await openFixture([calls(touch('a')), calls(touch('a')), says('done')]);
    const asked: string[] = [];
    const canUseTool: CanUseTool = (name, updatedInput, { suggestions }) => {
      asked.push(name);
      return { behavior: 'allow', updatedInput, updatedPermissions: suggestions };
    };
    const { result } = await run(fixture, { toolNames, canUseTool });
    expect(asked).toEqual([toolNames === 'qwen' ? 'run_shell_command' : 'Bash']);
    expect(result).toMatchObject({ result: 'done', permission_denials: [] });
  });

  test('may set a mode by its Claude Code name', async () => {
    await using fixture = await openFixture([calls(write('a')), calls(write('b')), says('done')]);
    let asked = 0;
    const canUseTool = () => {
      asked += 1;
      return {
        behavior: 'allow',
        updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      };
    };
    await run(fixture, { canUseTool: canUseTool as unknown as CanUseTool });
    expect(asked).toBe(1);
    expect(await fixture.workspace.read('b')).toBe('x');
  });

  test('may store a rule for this project', async () => {
    await using fixture = await openFixture([calls(touch('a')), says('done')]);
    const canUseTool: CanUseTool = () => ({
      behavior: 'allow',
      updatedPermissions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'Bash', ruleContent: 'touch a' }],
          behavior: 'allow',
          destination: 'projectSettings',
        },
      ],
    });
    await run(fixture, { canUseTool });
    expect(JSON.parse(await fixture.workspace.read('.qwen/settings.json'))).toMatchObject({
      permissions: { allow: ['Bash(touch a)'] },
    });
  });

  test('denies the call if it cannot be applied, and the app learns which member is wrong', async () => {
    await using fixture = await openFixture([calls(write('a')), says('done')]);
    const canUseTool = () => ({
      behavior: 'allow',
      updatedPermissions: [{ type: 'addDirectories', directories: ['/x'], destination: 'session' }],
    });
    const { result, told, lines } = await run(fixture, { canUseTool: canUseTool as unknown as CanUseTool });
    const problem = 'updatedPermissions.0.type: addDirectories is not supported';
    expect(result?.permission_denials).toMatchObject([{ reason: expect.stringContaining(problem) }]);
    expect(lines).toContain(problem);
    expect(told).not.toContain('addDirectories');
    await expect(fixture.workspace.read('a')).rejects.toThrow('ENOENT');
  });

  test('applies no rule if one of them is invalid', async () => {
    await using fixture = await openFixture([calls(touch('a')), calls(touch('a')), says('done')]);
    let asked = 0;
    const canUseTool: CanUseTool = () => {
      asked += 1;
      const rules = ['Bash(touch a)', 'Bash('];
      return {
        behavior: 'allow',
        updatedPermissions: [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }],
      };
    };
    const { result } = await run(fixture, { canUseTool });
    expect(asked).toBe(2);
    expect(result?.permission_denials).toHaveLength(2);
  });
});

test('a callback that throws is reported to the app but not to the model', async () => {
  await using fixture = await openFixture([calls(write('a')), says('done')]);
  const canUseTool: CanUseTool = () => {
    throw new Error('policy.example.org is down');
  };
  const { result, told, lines } = await run(fixture, { canUseTool });
  expect(lines).toContain('canUseTool failed for write_file: policy.example.org is down');
  expect(result?.permission_denials).toMatchObject([{ reason: expect.stringContaining('policy.example.org is down') }]);
  expect(told).not.toContain('policy.example.org');
});

test('a call that no one can answer lists the options that would decide it', async () => {
  await using fixture = await openFixture([calls(touch('a')), says('done')]);
  const { result, told } = await run(fixture, { permissionMode: 'default' });
  const [denial] = result?.permission_denials ?? [];
  expect(denial?.reason).toMatch(/canUseTool .* permissionMode .* allowedTools to \["Bash\(touch a\)"\]/);
  expect(told).not.toContain('canUseTool');
});

describe('options of the Claude Agent SDK', () => {
  test('a guard in its style limits files to a folder', async () => {
    await using fixture = await openFixture([calls(write('x.ts')), calls(write('scripts/y.ts')), says('done')]);
    const folder = fixture.workspace.resolve('scripts');
    const guard = async (input: { tool_name: string; tool_input: unknown }) => {
      if (!['Write', 'Edit', 'MultiEdit'].includes(input.tool_name)) return { continue: true };
      const { file_path: path } = input.tool_input as { file_path: string };
      if (path.startsWith(folder)) return { continue: true };
      return { decision: 'block' as const, reason: 'Only in scripts.' };
    };
    await run(fixture, {
      maxTurns: 5,
      permissionMode: 'bypassPermissions',
      hooks: { PreToolUse: [{ hooks: [guard] }] },
    });
    expect(await fixture.workspace.read('scripts/y.ts')).toBe('x');
    await expect(fixture.workspace.read('x.ts')).rejects.toThrow('ENOENT');
  });

  test('a subagent has its prompt, and dontAsk asks no questions', async () => {
    const task = { name: 'task', input: { description: 'd', prompt: 'Work.', subagent_type: 'worker' } };
    await using fixture = await openFixture([calls(task), says('worked'), calls(touch('a')), says('done')]);
    let asked = 0;
    const canUseTool: CanUseTool = () => {
      asked += 1;
      return { behavior: 'allow' };
    };
    const agents = { worker: { description: 'Works.', prompt: 'SECRET-MARKER', model: 'haiku' } };
    const { result } = await run(fixture, { agents, permissionMode: 'dontAsk', canUseTool });
    expect(JSON.stringify(fixture.model.requests[1]?.messages[0])).toContain('SECRET-MARKER');
    expect(asked).toBe(0);
    expect(result?.permission_denials).toHaveLength(1);
  });
});
