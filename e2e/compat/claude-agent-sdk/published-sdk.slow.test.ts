import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { calls, says, type TemporaryFolder, temporaryFolder } from '@qwen/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLI } from '../../spine/fixture.ts';
import { type AppRun, openBench } from '../run-app.ts';

// Whole apps with the SDK that they were written for, which starts our CLI: their guards must hold there too.

const run = promisify(execFile);
const PACKAGE = '@anthropic-ai/claude-agent-sdk@0.3.332';
const write = (path: string) => calls({ name: 'write_file', input: { file_path: path, content: 'x' } });
const shell = (command: string) => calls({ name: 'run_shell_command', input: { command } });

let installed: TemporaryFolder;
let isReachable = true;
beforeAll(async () => {
  installed = await temporaryFolder();
  await installed.write('package.json', '{ "private": true }');
  const args = ['install', PACKAGE, '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'];
  await run('npm', args, { cwd: installed.path, timeout: 240_000 }).catch(() => {
    isReachable = false;
  });
}, 250_000);
afterAll(() => installed[Symbol.asyncDispose]());

const how = (): AppRun => ({
  hook: new URL('published-sdk.mjs', import.meta.url),
  env: { QWEN_CLI: CLI, CLAUDE_SDK: installed.resolve('node_modules/@anthropic-ai/claude-agent-sdk') },
});

test('a guard keeps scripts in one folder, and an audit reads what commands printed', async ({ skip }) => {
  skip(!isReachable, 'the npm registry cannot be reached');
  await using bench = await openBench((folder) => [
    write(folder.resolve('custom_scripts/good.js')),
    shell('echo hello'),
    write(folder.resolve('evil.js')),
    says('never asked for'),
  ]);
  await bench.run('claude-agent-sdk/apps/hello', how());
  expect(await readdir(bench.workspace.path)).toEqual(['audit.log', 'custom_scripts']);
  expect(await bench.workspace.read('audit.log')).toBe('echo hello -> hello\n');
});

test('guards tell subagents apart, also from the main agent', async ({ skip }) => {
  skip(!isReachable, 'the npm registry cannot be reached');
  const task = (agent: string) =>
    calls({ name: 'task', input: { subagent_type: agent, description: 'work', prompt: 'Work.' } });
  await using bench = await openBench((folder) => [
    task('researcher'),
    write(folder.resolve('reports/sly.md')),
    says('One fact.'),
    task('writer'),
    write(folder.resolve('reports/bees.md')),
    says('Written.'),
    write(folder.resolve('lead.md')),
    says('All done.'),
  ]);
  const lines = await bench.run('claude-agent-sdk/apps/research', { ...how(), args: ['bees'] });
  expect(lines).toEqual(expect.arrayContaining(['lead starts writer', 'writer uses Write', 'lead uses Write']));
  expect(await readdir(bench.workspace.path)).toEqual(['activity.log', 'reports']);
  expect(await readdir(bench.workspace.resolve('reports'))).toEqual(['bees.md']);
  expect(await bench.workspace.read('activity.log')).toContain('stop writer: Written.');
});

test('a person changes a call, allows another for good, and never sees a deletion', async ({ skip }) => {
  skip(!isReachable, 'the npm registry cannot be reached');
  await using bench = await openBench((folder) => [
    shell('touch always.txt'),
    shell('touch always.txt'),
    shell('touch a.txt'),
    write(folder.resolve('no.txt')),
    shell('rm -rf always.txt'),
  ]);
  const input = ['always', 'run touch b.txt', 'no'];
  const lines = await bench.run('claude-agent-sdk/apps/approvals', { ...how(), input });
  expect(lines.filter((line) => line.startsWith('? '))).toHaveLength(3);
  expect(lines.slice(3)).toEqual(['result error_during_execution', 'denied Write', 'denied Bash']);
  expect(await readdir(bench.workspace.path)).toEqual(['always.txt', 'b.txt']);
});

test('a policy hides secrets, moves writes into its folder and asks for a review', async ({ skip }) => {
  skip(!isReachable, 'the npm registry cannot be reached');
  await using bench = await openBench((folder) => [
    shell('cat secret.txt'),
    calls({ name: 'read_file', input: { file_path: folder.resolve('secret.txt') } }),
    write(folder.resolve('a.txt')),
    says('Finished.'),
    write(folder.resolve('REVIEW.md')),
    says('Reviewed.'),
  ]);
  await bench.workspace.write('secret.txt', 'the key is sk-abc123');
  expect(await bench.run('claude-agent-sdk/apps/policy', how())).toContain('about to stop: Finished.');
  expect(JSON.stringify(bench.model.requests)).not.toContain('sk-abc123');
  expect(await readdir(bench.workspace.path)).toEqual(['sandbox', 'secret.txt']);
  expect((await readdir(bench.workspace.resolve('sandbox'))).toSorted()).toEqual(['REVIEW.md', 'a.txt']);
});

test('an assistant behind a socket uses tools of its app', async ({ skip }) => {
  skip(!isReachable, 'the npm registry cannot be reached');
  await using bench = await openBench(() => [
    calls({ name: 'mcp__inbox__archive', input: { id: 'm1' } }),
    says('Archived.'),
  ]);
  const input = [{ type: 'chat', text: 'Archive the first.' }, { type: 'close' }].map((line) => JSON.stringify(line));
  const lines = await bench.run('claude-agent-sdk/apps/inbox', { ...how(), input });
  expect(lines.at(-1)).toBe('{"archived":1}');
});

test('a review reads structured results of tools', async ({ skip }) => {
  skip(!isReachable, 'the npm registry cannot be reached');
  await using bench = await openBench((folder) => [
    calls({ name: 'edit', input: { file_path: folder.resolve('a.txt'), old_string: 'one', new_string: 'two' } }),
    says('Done.'),
  ]);
  await bench.workspace.write('a.txt', 'one\n');
  expect(await bench.run('claude-agent-sdk/apps/review', how())).toContain('edited a.txt one -one +two of 4');
});
