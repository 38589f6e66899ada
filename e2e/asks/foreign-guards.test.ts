import { resolve } from 'node:path';
import type { HookInputOf, HookOutput, QueryOptions } from '@qwen/sdk';
import { calls, says, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { collect, type Fixture, openFixture } from '../spine/fixture.ts';

// Guards as people write them for Claude Code: they compare the names and members that they know there.

const ENDING = says('done');

interface Call {
  readonly name: string;
  readonly input: unknown;
  readonly id?: string;
}
type Seen = readonly [name: string, canonical: string | undefined, input: unknown];

/** What the model got for each of its calls, in their order. */
function answersTo({ model }: Fixture): string[] {
  const { messages = [] } = model.requests.at(-1) ?? {};
  return messages.filter(({ role }) => role === 'tool').map((message) => JSON.stringify(message));
}

async function runGuard(call: Call | readonly Call[], { matcher }: { matcher: string }) {
  const fixture = await openFixture([calls(...[call].flat()), ENDING]);
  const { workspace } = fixture;
  await workspace.write('a.txt', 'the secret');
  await workspace.write('b.txt', 'b');
  await workspace.write('sub/c.txt', 'c');
  const seen: Seen[] = [];
  const look = (input: HookInputOf<'PreToolUse'>): undefined => {
    seen.push([input.tool_name, input.canonical_tool_name, input.tool_input]);
  };
  const hooks = { PreToolUse: [{ matcher, hooks: [look] }] };
  await collect(fixture.query('go', { permissionMode: 'yolo', hooks }));
  const answers = answersTo(fixture);
  return {
    seen,
    answers,
    told: answers.join('\n'),
    at: (name: string) => resolve(workspace.path, name),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

const write = { name: 'write_file', input: { path: 'new.txt', content: 'x' } };
const edit = { name: 'edit', input: { absolute_path: 'a.txt', old_string: 'the', new_string: 'a' } };
const create = { name: 'edit', input: { file_path: 'new.txt', old_string: '', new_string: 'x' } };
const shell = { name: 'run_shell_command', input: { command: 'pwd', directory: 'sub' } };

test('a hook receives the tool name that its matcher uses', async () => {
  verifies('GAP-49');
  const rows = [
    ['Write|Edit|MultiEdit', write, 'Write', 'write_file'],
    ['Write|Edit|MultiEdit', edit, 'Edit', 'edit'],
    ['Write, Edit', edit, 'Edit', 'edit'],
    ['MultiEdit', edit, 'MultiEdit', 'edit'],
    ['Write', create, 'Write', 'edit'],
    ['edit', edit, 'edit', 'edit'],
    ['Bash', shell, 'Bash', 'run_shell_command'],
    ['Shell.*', shell, 'Shell', 'run_shell_command'],
    ['LS', { name: 'list_directory', input: { path: '.' } }, 'LS', 'list_directory'],
    ['Grep', { name: 'grep_search', input: { pattern: 'x' } }, 'Grep', 'grep_search'],
    ['Glob', { name: 'glob', input: { pattern: '*' } }, 'Glob', 'glob'],
    ['TodoWrite', { name: 'todo_write', input: { todos: [] } }, 'TodoWrite', 'todo_write'],
    ['.*', write, 'write_file', 'write_file'],
    ['*', write, 'write_file', 'write_file'],
  ] as const;
  // One session: the hook of each row looks only at the call of its row, which has its own files.
  const own = (call: Call, row: number): Call =>
    JSON.parse(JSON.stringify(call).replace(/(a|new)\.txt/, `$1${row}.txt`));
  await using fixture = await openFixture([
    calls(...rows.map(([, call], row) => ({ ...own(call, row), id: `call_${row}` }))),
    ENDING,
  ]);
  const seen: [row: number, ...names: unknown[]][] = [];
  const PreToolUse = rows.map(([matcher], row) => ({
    matcher,
    hooks: [
      (input: HookInputOf<'PreToolUse'>): undefined => {
        if (input.tool_use_id === `call_${row}`) seen.push([row, input.tool_name, input.canonical_tool_name]);
      },
    ],
  }));
  for (const row of rows.keys()) await fixture.workspace.write(`a${row}.txt`, 'the secret');
  await fixture.workspace.write('sub/c.txt', 'c');
  await collect(fixture.query('go', { permissionMode: 'yolo', hooks: { PreToolUse } }));
  expect(seen.toSorted(([one], [other]) => one - other)).toEqual(
    rows.map(([, , name, canonical], row) => [row, name, canonical]),
  );
});

test('with toolNames: claude, every matcher receives the name of Claude Code', async () => {
  await using fixture = await openFixture([calls(write), ENDING]);
  const seen: unknown[] = [];
  const matchers = [undefined, '*', '.*', 'rite$'];
  const PreToolUse = matchers.map((matcher) => ({
    ...(matcher !== undefined && { matcher }),
    hooks: [
      ({ tool_name: name, canonical_tool_name: own, tool_input: input }: HookInputOf<'PreToolUse'>): undefined => {
        seen.push([name, own, input]);
      },
    ],
  }));
  await collect(fixture.query('go', { permissionMode: 'yolo', toolNames: 'claude', hooks: { PreToolUse } }));
  const view = { file_path: fixture.workspace.resolve('new.txt'), content: 'x' };
  expect(seen).toEqual(matchers.map(() => ['Write', 'write_file', view]));
});

test('the members have the documented names, whatever names the model used', async () => {
  await using run = await runGuard(write, { matcher: 'write_file' });
  expect(run.seen).toEqual([['write_file', 'write_file', { file_path: 'new.txt', content: 'x' }]]);
});

test('a foreign guard gets absolute paths, edits as a list, a new file as a whole, and the folder of a command', async () => {
  await using multi = await runGuard(edit, { matcher: 'MultiEdit' });
  expect(multi.seen[0]?.[2]).toMatchObject({
    file_path: multi.at('a.txt'),
    edits: [{ old_string: 'the', new_string: 'a' }],
  });
  await using whole = await runGuard(create, { matcher: 'Write' });
  expect(whole.seen[0]?.[2]).toEqual({ file_path: whole.at('new.txt'), content: 'x' });
  await using command = await runGuard(shell, { matcher: 'Bash' });
  expect(command.seen[0]?.[2]).toEqual({ command: `cd '${command.at('sub')}' && pwd` });
});

describe('a guard of Read also judges read_many_files', () => {
  test.each(['Read', 'read_file'])('%s: judged file by file', async (matcher) => {
    await using run = await runGuard({ name: 'read_many_files', input: { paths: ['a.txt', 'b.txt'] } }, { matcher });
    expect(run.seen).toEqual(
      ['a.txt', 'b.txt'].map((file) => [matcher, 'read_many_files', { file_path: run.at(file) }]),
    );
    expect(run.told).toContain('the secret');
  });

  test('a folder or a pattern is refused, because it may touch many files', async () => {
    const paths = ['.', 'sub', '*.txt', '\\a.txt', '[a].txt'];
    const many = paths.map((path, row) => ({ name: 'read_many_files', input: { paths: [path] }, id: `call_${row}` }));
    await using run = await runGuard(many, { matcher: 'Read' });
    expect(run.seen).toEqual([]);
    for (const answer of run.answers) expect(answer).toContain('is a folder or a pattern');
    expect(run.answers).toHaveLength(paths.length);
    expect(run.told).not.toContain('the secret');
  });
});

describe('canUseTool with toolNames: claude', () => {
  const ask = async (call: Call, answer: NonNullable<QueryOptions['canUseTool']>) => {
    const fixture = await openFixture([calls(call), ENDING]);
    await fixture.workspace.write('a.txt', 'the secret');
    await collect(fixture.query('go', { toolNames: 'claude', canUseTool: answer }));
    return fixture;
  };

  test('gets the tool name and may return its input unchanged', async () => {
    const seen: unknown[] = [];
    await using fixture = await ask(write, (name, input) => {
      seen.push(name);
      return { behavior: 'allow', updatedInput: input };
    });
    expect(seen).toEqual(['Write']);
    expect(await fixture.workspace.read('new.txt')).toBe('x');
  });

  test('may change the input', async () => {
    await using fixture = await ask(write, (_name, input) => ({
      behavior: 'allow',
      updatedInput: { ...input, content: 'changed' },
    }));
    expect(await fixture.workspace.read('new.txt')).toBe('changed');
  });

  test('changing one of several files is refused', async () => {
    await using fixture = await ask(
      { name: 'read_many_files', input: { paths: ['/etc/hostname', '/etc/hosts'] } },
      (_name, input) => ({ behavior: 'allow', updatedInput: { ...input, file_path: '/etc/passwd' } }),
    );
    expect(JSON.stringify(fixture.model.requests.at(-1))).toContain('the call reads several files');
  });
});

describe('a hook that changes the input of its view', () => {
  const change = async (call: Call, matcher: string, members: object) => {
    const fixture = await openFixture([calls(call), ENDING]);
    await fixture.workspace.write('a.txt', 'the secret');
    await fixture.workspace.write('sub/c.txt', 'c');
    const guard = ({ tool_input: input }: HookInputOf<'PreToolUse'>): HookOutput => ({
      hookSpecificOutput: { updatedInput: { ...(input as object), ...members } },
    });
    const hooks = { PreToolUse: [{ matcher, hooks: [guard] }] };
    await collect(fixture.query('go', { permissionMode: 'yolo', hooks }));
    return fixture;
  };

  test('has the requested effect', async () => {
    await using created = await change(create, 'Write', { content: 'changed' });
    expect(await created.workspace.read('new.txt')).toBe('changed');
    await using ran = await change(shell, 'Bash', { command: 'echo changed > out.txt' });
    expect(await ran.workspace.read('out.txt')).toBe('changed\n');
  });

  test('is refused if the tool has no such member', async () => {
    await using fixture = await change(edit, 'MultiEdit', { edits: [{ old_string: 'the', new_string: 'no' }] });
    expect(await fixture.workspace.read('a.txt')).toBe('the secret');
    expect(JSON.stringify(fixture.model.requests.at(-1))).toContain('it changed edits');
  });
});

describe('no output of a hook is ignored', () => {
  /** One call for each output, which the hook returns for it. */
  const outputs = async (event: 'PreToolUse' | 'PostToolUse', given: readonly object[]) => {
    const reads = given.map((_, row) => ({ name: 'read_file', input: { file_path: 'a.txt' }, id: `call_${row}` }));
    await using fixture = await openFixture([calls(...reads), ENDING]);
    await fixture.workspace.write('a.txt', 'the secret');
    const guard = ({ tool_use_id: id }: { tool_use_id: string }): HookOutput => given[Number(id.slice(5))] ?? {};
    const messages = await collect(fixture.query('go', { hooks: { [event]: [{ hooks: [guard] }] } }));
    const answers = answersTo(fixture);
    expect(answers).toHaveLength(given.length);
    return { answers, all: JSON.stringify(messages) };
  };

  test('PreToolUse denies', async () => {
    const { answers } = await outputs('PreToolUse', [
      { desicion: 'block' },
      { permissionDecision: 'deny' },
      { decision: 'perhaps' },
      { async: true },
      { hookSpecificOutput: { permissionDecision: 'defer' } },
      { hookSpecificOutput: { permisionDecision: 'deny' } },
      { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'x' } },
      { hookSpecificOutput: { updatedToolOutput: 'x' } },
    ]);
    for (const answer of answers) {
      expect(answer).toContain('A hook forbids it: The PreToolUse hook');
      expect(answer).not.toContain('the secret');
    }
  });

  test('PostToolUse withholds the result', async () => {
    const { answers, all } = await outputs('PostToolUse', [
      { desicion: 'block' },
      { decision: 'perhaps' },
      { decision: 'ask' },
      { updatedToolOutput: 'x' },
      { hookSpecificOutput: { redactedOutput: 'x' } },
      { hookSpecificOutput: { updatedInput: {} } },
      { hookSpecificOutput: { permissionDecision: 'deny' } },
      { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedToolOutput: 'x' } },
      { hookSpecificOutput: { updatedToolOutput: 7 } },
      { hookSpecificOutput: { updatedToolOutput: { output: 'x' } } },
      { hookSpecificOutput: { updatedToolOutput: [{ type: 'video' }] } },
      { hookSpecificOutput: { updatedToolOutput: [{ type: 'tool_use', id: '1', name: 'x', input: {} }] } },
    ]);
    for (const answer of answers) expect(answer).toContain('its result is withheld');
    expect(answers.join('')).not.toContain('the secret');
    expect(all).not.toContain('the secret');
  });

  test('PostToolUse replaces the result', async () => {
    const replacements = [
      { updatedToolOutput: 'redacted' },
      { updatedMCPToolOutput: 'redacted' },
      { updatedToolOutput: [{ type: 'text', text: 'redacted' }] },
      { updatedToolOutput: { stdout: 'redacted', stderr: '' } },
      { updatedMCPToolOutput: { content: [{ type: 'text', text: 'redacted' }], isError: false } },
    ];
    const { answers, all } = await outputs(
      'PostToolUse',
      replacements.map((hookSpecificOutput) => ({ hookSpecificOutput })),
    );
    for (const answer of answers) expect(answer).toContain('redacted');
    expect(answers.join('')).not.toContain('the secret');
    expect(all).not.toContain('the secret');
  });

  test.each([
    ['Read', true],
    ['read_file', false],
  ])('PostToolUse with the matcher %s that throws: withheld %s', async (matcher, isWithheld) => {
    await using fixture = await openFixture([calls({ name: 'read_file', input: { file_path: 'a.txt' } }), ENDING]);
    await fixture.workspace.write('a.txt', 'the secret');
    const redact = ({ tool_response: response }: { tool_response: unknown }): HookOutput => {
      const { later: file } = response as { later: { content: string } };
      return { hookSpecificOutput: { updatedToolOutput: file.content.replace('secret', '') } };
    };
    const hooks = { PostToolUse: [{ matcher, hooks: [redact] }] };
    await collect(fixture.query('go', { hooks, stderr: () => undefined }));
    const told = JSON.stringify(fixture.model.requests.at(-1)?.messages.at(-1));
    expect(told.includes('its result is withheld')).toBe(isWithheld);
    expect(told.includes('the secret')).toBe(!isWithheld);
  });

  test.each([
    ['Read', { type: 'text', file: expect.objectContaining({ content: 'the secret' }) }],
    ['read_file', '1\tthe secret'],
  ])(
    'PostToolUse with the matcher %s gets the form that it expects, and its redaction applies',
    async (matcher, form) => {
      await using fixture = await openFixture([calls({ name: 'read_file', input: { file_path: 'a.txt' } }), ENDING]);
      await fixture.workspace.write('a.txt', 'the secret');
      const inputs: HookInputOf<'PostToolUse'>[] = [];
      const redact = (input: HookInputOf<'PostToolUse'>): HookOutput => {
        inputs.push(input);
        return { hookSpecificOutput: { updatedToolOutput: 'redacted' } };
      };
      const hooks = { PostToolUse: [{ matcher, hooks: [redact, redact] }] };
      const messages = JSON.stringify(await collect(fixture.query('go', { hooks })));
      expect(inputs[0]?.tool_response).toEqual(form);
      expect(inputs[0]?.tool_use_result).toMatchObject({ file: { content: 'the secret' } });
      expect(inputs.at(-1)?.tool_response).toBe('redacted');
      expect(inputs.at(-1)).not.toHaveProperty('tool_use_result');
      expect(messages).toContain('redacted');
      expect(messages).not.toContain('the secret');
    },
  );

  test('a read of several files is text for a hook that knows a read of one', async () => {
    const call = { name: 'read_many_files', input: { paths: ['a.txt', 'b.txt'] } };
    await using fixture = await openFixture([calls(call), ENDING]);
    await fixture.workspace.write('a.txt', 'one');
    await fixture.workspace.write('b.txt', 'two');
    const responses: unknown[] = [];
    const look = ({ tool_response: response }: HookInputOf<'PostToolUse'>): undefined => {
      responses.push(typeof response);
    };
    await collect(fixture.query('go', { hooks: { PostToolUse: [{ matcher: 'Read', hooks: [look] }] } }));
    expect(responses).toEqual(['string', 'string']);
  });

  test('hooks that replace the same result run one after the other', async () => {
    await using fixture = await openFixture([calls({ name: 'read_file', input: { file_path: 'a.txt' } }), ENDING]);
    await fixture.workspace.write('a.txt', 'the secret');
    const responses: unknown[] = [];
    const guards = ['one', undefined, 'two'].map((text) => (input: HookInputOf<'PostToolUse'>): HookOutput => {
      responses.push(input.tool_response);
      return text === undefined ? {} : { hookSpecificOutput: { updatedToolOutput: text } };
    });
    await collect(fixture.query('go', { hooks: { PostToolUse: [{ hooks: guards }] } }));
    expect(responses.at(-1)).toBe('one');
    expect(answersTo(fixture).join('')).toContain('two');
  });

  test('a hook that requests nothing changes nothing', async () => {
    const { answers } = await outputs('PostToolUse', [
      {
        continue: true,
        suppressOutput: true,
        async: true,
        decision: 'approve',
        hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: null },
      },
    ]);
    expect(answers.join('')).toContain('the secret');
  });
});
