import { readdir } from 'node:fs/promises';
import { calls, says, startByteServer, verifies, waitUntilGone } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { BIN, openCliFixture, textChunk } from './cli-fixture.js';

const text = (lines: readonly { text: string }[]) => lines.map((line) => line.text).join('\n');
const OK = { code: 0, signal: null };
const writes = { name: 'write_file', input: { file_path: 'a.txt', content: 'new' } };

describe('the prompt', () => {
  test.each([
    ['as words', ['say', 'hello'], 'say hello'],
    ['with -p', ['-p', 'say hello'], 'say hello'],
    ['with -p and words', ['-p', 'say', 'hello'], 'say hello'],
    ['behind --', ['--', '--say', 'hello'], '--say hello'],
  ])('%s', async (_how, args, prompt) => {
    verifies('A-02', 'A-04', 'A-11', 'A-12', 'A-20');
    await using fixture = await openCliFixture([says('Hello.')]);
    const program = await fixture.start(args);
    program.endInput();
    expect(await program.exited).toEqual(OK);
    expect(text(program.lines)).toBe('Hello.');
    expect(program.stderr).toBe('');
    expect(fixture.model.requests[0]?.messages.at(-1)?.content).toBe(prompt);
  });

  test.each([
    ['alone', [], 'from the pipe'],
    ['alone, with -p', ['-p'], 'from the pipe'],
    ['behind what was said', ['say', 'this:'], 'say this:\n\nfrom the pipe'],
  ])('from a pipe, %s', async (_how, args, prompt) => {
    verifies('F26');
    await using fixture = await openCliFixture([says('Hello.')]);
    const program = await fixture.start(args);
    program.write('from the pipe\n');
    program.endInput();
    expect(await program.exited).toEqual(OK);
    expect(fixture.model.requests[0]?.messages.at(-1)?.content).toBe(prompt);
  });

  test.each([
    ['closed', '<&-'],
    ['/dev/null', '</dev/null'],
  ])('as arguments while stdin is %s', async (_what, redirection) => {
    verifies('F27');
    await using fixture = await openCliFixture([says('Hello.')]);
    const args = ['-c', `"$0" "$@" ${redirection}`, process.execPath, BIN, 'hi'];
    const program = await fixture.start([], { command: '/bin/sh', args });
    expect(await program.exited).toEqual(OK);
    expect(text(program.lines)).toBe('Hello.');
  });

  test('as an argument while stdin stays open and silent: the run continues without stdin and reports it', async () => {
    verifies('F27', 'FB7');
    await using fixture = await openCliFixture([says('Hello.')]);
    const program = await fixture.start(['hi']);
    expect(await program.exited).toEqual(OK);
    expect(text(program.lines)).toBe('Hello.');
    expect(program.stderr).toContain('stdin was empty');
  });

  test('missing: prints the usage and exits with code 2', async () => {
    verifies('GAP-11', 'A-09');
    await using fixture = await openCliFixture();
    const program = await fixture.start([]);
    program.endInput();
    expect(await program.exited).toMatchObject({ code: 2 });
    expect(program.stderr).toMatch(/^qwen: no prompt given. .*--help\n$/);
    expect(program.lines).toEqual([]);
  });
});

test('a call that needs approval is denied, and stderr explains how to allow it', async () => {
  verifies('S28', 'J-09');
  await using fixture = await openCliFixture([calls(writes), says('I may not.')]);
  const program = await fixture.start(['write']);
  program.endInput();
  expect(await program.exited).toEqual(OK);
  expect(text(program.lines)).toBe('I may not.');
  expect(program.stderr).toContain("--allowed-tools 'Edit(/a.txt)'");
  await expect(fixture.workspace.read('a.txt')).rejects.toThrow(/ENOENT/);
});

test('unapproved MCP servers are reported', async () => {
  verifies('FB15');
  await using fixture = await openCliFixture([says('Hello.')]);
  const program = await fixture.start(['--mcp-config', '{"mcpServers":{"theirs":{"command":"server"}}}', 'hi']);
  program.endInput();
  expect(await program.exited).toEqual(OK);
  expect(program.stderr).toContain('The MCP server "theirs" is not connected: Could not start the program server');
});

test.each([
  ['an invalid rule', ['--allowed-tools', 'Bash('], 'Write it as Tool or Tool(pattern).'],
  ['an invalid schema', ['--json-schema', '{"type":"objekt"}'], '/type must be'],
])('%s is refused before a session file exists', async (_what, flags, problem) => {
  await using fixture = await openCliFixture([says('Never.')]);
  const program = await fixture.start([...flags, 'hi']);
  program.endInput();
  expect((await program.exited).code).not.toBe(0);
  expect(program.stderr).toContain(problem);
  expect(await readdir(fixture.workspace.resolve('home/.qwen/sessions')).catch(() => [])).toEqual([]);
});

test('a missing workspace folder is reported', async () => {
  await using fixture = await openCliFixture([says('Hello.')]);
  const program = await fixture.start(['--add-dir', '../gone', 'hi']);
  program.endInput();
  expect(await program.exited).toEqual(OK);
  expect(program.stderr).toMatch(/The workspace folder .*gone does not exist\./);
});

test('flags allow it', async () => {
  await using fixture = await openCliFixture([calls(writes), says('Done.')]);
  const program = await fixture.start(['--allowed-tools', 'write_file', 'write']);
  program.endInput();
  expect(await program.exited).toEqual(OK);
  expect(await fixture.workspace.read('a.txt')).toBe('new');
  expect(program.stderr).toMatch(/^> write_file /);
});

describe('-o json', () => {
  test('prints one array of messages at the end, whatever the result', async () => {
    verifies('GAP-13');
    await using fixture = await openCliFixture([says('Hello.')]);
    const program = await fixture.start(['-o', 'json', 'hi']);
    program.endInput();
    expect(await program.exited).toEqual(OK);
    expect(JSON.parse(text(program.lines))).toMatchObject([
      { type: 'system', subtype: 'init' },
      { type: 'assistant' },
      { type: 'result', subtype: 'success', result: 'Hello.' },
    ]);
  });

  test('calls denied without a user are in the result', async () => {
    verifies('S28');
    await using fixture = await openCliFixture([calls(writes), says('I may not.')]);
    const program = await fixture.start(['-o', 'json', 'write']);
    program.endInput();
    expect(await program.exited).toEqual(OK);
    const messages: unknown[] = JSON.parse(text(program.lines));
    expect(messages.at(-1)).toMatchObject({
      type: 'result',
      permission_denials: [{ tool_name: 'write_file', tool_use_id: 'call_1', tool_input: writes.input }],
    });
    await expect(fixture.workspace.read('a.txt')).rejects.toThrow(/ENOENT/);
  });

  test('also if the session cannot be opened', async () => {
    verifies('GAP-13', 'FB9');
    await using fixture = await openCliFixture();
    const program = await fixture.start(['-o', 'json', '-r', '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b11', 'hi']);
    program.endInput();
    expect(await program.exited).toMatchObject({ code: 1 });
    expect(JSON.parse(text(program.lines))).toMatchObject([
      { type: 'system' },
      { type: 'result', is_error: true, error: { code: 'session_not_found' } },
    ]);
  });
});

describe('exit codes', () => {
  test.each<[string, readonly string[], number, RegExp]>([
    ['an unknown flag', ['--no-such-flag', 'hi'], 2, /unknown flag --no-such-flag\. See qwen --help/],
    ['an unknown format', ['-o', 'xml', 'hi'], 2, /"xml" is not one of text, json/],
    ['a flag that must not be ignored', ['--worktree', 'hi'], 2, /--worktree is not supported/],
    [
      'an unknown sandbox',
      ['--sandbox', 'hi'],
      2,
      /"hi" is not one of read-only, workspace-write, off; before a prompt, write --sandbox=workspace-write/,
    ],
    ['a rule that cannot be read', ['--allowed-tools', 'Bash(git', 'hi'], 2, /Bash\(git/],
    ['a prompt in structured mode', ['--channel', 'SDK', 'hi'], 2, /read from stdin/],
    ['one document in structured mode', ['--channel', 'SDK', '-o', 'json'], 2, /stream-json/],
    ['a session that is not there', ['-r', '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b11', 'hi'], 1, /There is no session/],
    ['nothing to continue', ['-c', 'hi'], 1, /no session to continue/],
  ])('%s', async (_what, args, code, message) => {
    verifies('GAP-11', 'GAP-14');
    await using fixture = await openCliFixture([says('never')]);
    const program = await fixture.start(args);
    program.endInput();
    expect(await program.exited).toEqual({ code, signal: null });
    expect(program.stderr).toMatch(message);
    expect(program.stderr).not.toMatch(/\n {4}at /);
    expect(program.lines).toEqual([]);
    expect(fixture.model.requests).toEqual([]);
  });

  test('without credentials: one message that lists the options, exit code 1, no session stored', async () => {
    verifies('GAP-11');
    await using fixture = await openCliFixture();
    const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, ...env } = fixture.env;
    const program = await fixture.start(['hi'], { env });
    program.endInput();
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.stderr.match(/^qwen: /gm)).toHaveLength(1);
    for (const way of ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'DASHSCOPE_API_KEY', 'GEMINI_API_KEY', 'VERTEXAI']) {
      expect(program.stderr).toContain(way);
    }
    await expect(fixture.workspace.read('home/.qwen/sessions')).rejects.toThrow(/ENOENT/);
  });

  test('a provider error: its reason, exit code 1', async () => {
    await using server = await startByteServer([
      { status: 401, headers: { 'content-type': 'application/json' }, chunks: ['{"error":{"message":"no such key"}}'] },
    ]);
    await using fixture = await openCliFixture();
    const program = await fixture.start(['hi'], { env: { ...fixture.env, OPENAI_BASE_URL: `${server.url}/v1` } });
    program.endInput();
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.stderr).toMatch(/^qwen: .*no such key/);
  });

  test('Ctrl-C: the tool exits, exit code 130', async () => {
    verifies('F56');
    const sleeps = calls({ name: 'run_shell_command', input: { command: 'echo $$ > pid; sleep 1000' } });
    await using fixture = await openCliFixture([sleeps]);
    const program = await fixture.start(['--yolo', 'sleep']);
    program.endInput();
    await expect.poll(() => fixture.workspace.read('pid').catch(() => ''), { timeout: 10_000 }).toMatch(/\d+\n/);
    program.kill('SIGINT');
    expect(await program.exited).toEqual({ code: 130, signal: null });
    await waitUntilGone(Number(await fixture.workspace.read('pid')));
    expect(program.stderr).toContain('! Interrupted.');
  });

  test('a closed pipe (| head): the model call is closed, no stack trace, exit code 1', async () => {
    verifies('F28');
    await using server = await startByteServer([
      { chunks: [textChunk('a\n'), textChunk('b\n'.repeat(100_000))], ending: 'hang' },
    ]);
    await using fixture = await openCliFixture();
    const program = await fixture.start(['tell'], {
      env: { ...fixture.env, OPENAI_BASE_URL: `${server.url}/v1` },
      reads: 'later',
    });
    program.endInput();
    program.closeOutput();
    expect(await program.exited).toEqual({ code: 1, signal: null });
    await server.closed(1);
    expect(program.stderr).not.toMatch(/\n {4}at |EPIPE/);
  });
});
