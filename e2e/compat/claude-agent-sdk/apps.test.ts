import { readdir } from 'node:fs/promises';
import { calls, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CLI, type Fixture, openFixture } from '../../spine/fixture.ts';
import { ask } from './programs/assistant.ts';
import { chat } from './programs/chat.ts';
import { guarded } from './programs/guards.ts';

// Whole apps that were written for the Claude Agent SDK: only the name of the package in their imports differs.

const base = ({ workspace, env }: Fixture) => ({ pathToClaudeCodeExecutable: CLI, cwd: workspace.path, env });

test('a chat continues after each result and sums up its cost', async () => {
  await using fixture = await openFixture([
    says('Hello!'),
    calls({ name: 'list_directory', input: { path: '.' } }),
    says('Two files.'),
  ]);
  const report = await chat(['Hi', 'How many files?'], base(fixture));
  expect(report).toMatchObject({
    sessionId: expect.stringMatching(/^[\da-f-]{36}$/),
    tools: expect.arrayContaining(['Read', 'Bash']),
    model: 'scripted in acceptEdits',
    results: ['ok: Hello!', 'ok: Two files.'],
    turns: 3,
  });
  expect(report.texts).toEqual(['Hello!', expect.stringContaining('[LS]'), 'Two files.', 'streamed: Hello!Two files.']);
  expect(report.tokens).toBeGreaterThan(0);
});

test('guards that compare Claude Code names block the calls that they were written for', async () => {
  await using fixture = await openFixture([
    calls({ name: 'run_shell_command', input: { command: 'rm -rf docs' } }),
    calls({ name: 'write_file', input: { file_path: 'secret.txt', content: 'x' } }),
    calls({ name: 'write_file', input: { file_path: 'out/note.txt', content: 'kept' } }),
    calls({ name: 'run_shell_command', input: { command: 'echo done > log.txt' } }),
    says('done'),
  ]);
  const { workspace } = fixture;
  await workspace.write('docs/a.md', 'a');
  await workspace.write('out/b.md', 'b');
  const seen = await guarded('Clean up.', workspace.resolve('out'), base(fixture));
  expect(seen).toEqual({
    asked: ['Bash', 'Write', 'Bash'],
    hooked: ['Write with an id', 'Write with an id'],
    denied: ['Bash', 'Write'],
  });
  expect((await readdir(workspace.path)).toSorted()).toEqual(['docs', 'home', 'log.txt', 'out']);
  expect(await readdir(workspace.resolve('docs'))).toEqual(['a.md']);
  expect(await workspace.read('out/note.txt')).toBe('kept');
});

test('an assistant uses the tools of its app and answers in the requested format', async () => {
  await using fixture = await openFixture([
    calls({ name: 'mcp__email__search_inbox', input: { query: 'invoice' } }),
    calls({ name: 'structured_output', input: { subject: 'Invoice 12' } }),
  ]);
  const answer = await ask('Which mail is an invoice?', { ...base(fixture), maxBudgetUsd: undefined });
  expect(answer).toMatchObject({
    tools: ['mcp__email__search_inbox', 'structured_output'],
    structured: { subject: 'Invoice 12' },
    cost: 'unknown',
  });
  const [first, second] = fixture.model.requests;
  expect(JSON.stringify(first?.messages)).toContain('You manage mails.');
  expect(JSON.stringify(second?.messages)).toContain('ann@example.org');
});
