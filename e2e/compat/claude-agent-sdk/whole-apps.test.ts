import { readdir } from 'node:fs/promises';
import { calls, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openBench } from '../run-app.ts';

// Programs as users of the Claude Agent SDK write them. Only the package that they import is another one.

const write = (path: string, content = 'x') => calls({ name: 'write_file', input: { file_path: path, content } });
const shell = (command: string) => calls({ name: 'run_shell_command', input: { command } });
const task = (agent: string) =>
  calls({ name: 'task', input: { subagent_type: agent, description: 'work', prompt: 'Work.' } });

test('a guard keeps scripts in one folder, and an audit reads what commands printed', async () => {
  await using bench = await openBench((folder) => [
    write(folder.resolve('custom_scripts/good.js')),
    write(folder.resolve('notes.txt')),
    shell('echo hello'),
    write(folder.resolve('evil.js')),
    says('never asked for'),
  ]);
  expect(await bench.run('claude-agent-sdk/apps/hello')).toEqual([]);
  expect((await readdir(bench.workspace.path)).toSorted()).toEqual(['audit.log', 'custom_scripts', 'notes.txt']);
  expect(await bench.workspace.read('custom_scripts/good.js')).toBe('x');
  expect(await bench.workspace.read('audit.log')).toBe('echo hello -> hello\n');
  expect(bench.model.requests).toHaveLength(4);
});

test('an assistant behind a socket uses tools of its app, and no others', async () => {
  await using bench = await openBench((folder) => [
    calls({ name: 'mcp__inbox__search_inbox', input: { words: 'invoice' } }),
    says('Two invoices.'),
    calls(
      { name: 'mcp__inbox__archive', input: { id: 'm1' } },
      { name: 'mcp__inbox__archive', input: { id: 'm9' } },
      { name: 'write_file', input: { file_path: folder.resolve('x.txt'), content: 'x' } },
    ),
    says('Archived.'),
  ]);
  const chat = (text: string) => JSON.stringify({ type: 'chat', text });
  const input = [chat('Find invoices.'), chat('Archive the first.'), JSON.stringify({ type: 'close' })];
  const events = (await bench.run('claude-agent-sdk/apps/inbox', { input })).map(
    (line) => JSON.parse(line) as Record<string, unknown>,
  );
  const tools = ['mcp__inbox__search_inbox', 'mcp__inbox__archive'];
  expect(events[0]).toEqual({ type: 'ready', servers: ['inbox connected'], tools });
  expect(events.filter(({ type }) => type === 'tool').map(({ name }) => name)).toEqual([
    'mcp__inbox__search_inbox',
    'mcp__inbox__archive',
    'mcp__inbox__archive',
    'Write',
  ]);
  expect(events.filter(({ type }) => type === 'tool_result').map(({ failed }) => failed)).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(events.filter(({ type }) => type === 'result')).toEqual([
    { type: 'result', ok: true, turns: 2, cost: 'NaN' },
    { type: 'result', ok: true, turns: 2, cost: 'NaN' },
  ]);
  expect(events.at(-1)).toEqual({ archived: 1 });
  expect(await readdir(bench.workspace.path)).toEqual([]);
  expect(JSON.stringify(bench.model.requests[1]?.messages.at(-1))).toContain('ann@example.org');
});

test('guards tell subagents apart, also from the main agent', async () => {
  await using bench = await openBench((folder) => [
    task('researcher'),
    write(folder.resolve('reports/sly.md')),
    says('One fact.'),
    task('writer'),
    write(folder.resolve('reports/bees.md'), '# Bees'),
    says('Written.'),
    write(folder.resolve('lead.md')),
    says('All done.'),
  ]);
  expect(await bench.run('claude-agent-sdk/apps/research', { args: ['bees'] })).toEqual([
    'lead starts researcher',
    'researcher uses Write',
    'researcher: One fact.',
    'lead starts writer',
    'writer uses Write',
    'writer: Written.',
    'lead uses Write',
    'lead: All done.',
    'done: All done.',
  ]);
  expect(await readdir(bench.workspace.path)).toEqual(['activity.log', 'reports']);
  expect(await readdir(bench.workspace.resolve('reports'))).toEqual(['bees.md']);
  expect((await bench.workspace.read('activity.log')).trim().split('\n')).toEqual([
    'lead uses Agent',
    'start researcher',
    'researcher uses Write',
    'stop researcher: One fact.',
    'lead uses Agent',
    'start writer',
    'writer uses Write',
    'stop writer: Written.',
    'lead uses Write',
  ]);
});
