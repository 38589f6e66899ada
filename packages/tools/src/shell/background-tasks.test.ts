import type { AnyTool, TaskEvent, ToolContext } from '@qwen/agent';
import { contentText } from '@qwen/protocol';
import { temporaryFolder, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runTool } from '../../test/run-tool.js';
import { builtinTools } from '../builtin-tools.js';
import { BackgroundTasks } from './background-tasks.js';
import { TaskLog } from './task-log.js';

async function openTasks() {
  const folder = await temporaryFolder();
  const background = new BackgroundTasks();
  const events: TaskEvent[] = [];
  background.subscribe((event) => events.push(event));
  const savedOutputs = new Set<string>();
  const tools = new Map<string, AnyTool>(builtinTools({ background, savedOutputs }).map((tool) => [tool.name, tool]));
  const run = async (name: string, input: object, context: Partial<ToolContext> = {}) => {
    const tool = tools.get(name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const { content, structured } = await runTool(tool, input, { cwd: folder.path, ...context });
    return { text: contentText(content), structured: structured as Record<string, unknown> };
  };
  const start = async (command: string) => {
    const { structured } = await run('run_shell_command', { command, is_background: true });
    return String(structured['backgroundTaskId']);
  };
  return {
    folder,
    background,
    events,
    savedOutputs,
    run,
    start,
    [Symbol.asyncDispose]: async () => {
      await background.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A command that goes on when a file exists. */
const gate = (name: string) => `until [ -e ${name} ]; do sleep 0.02; done`;

test('a command in the background returns at once, and its output is read from where the last read ended', async () => {
  await using tasks = await openTasks();
  const id = await tasks.start(`echo one; ${gate('go')}; echo two; exit 3`);
  const first = await tasks.run('task_output', { task_id: id, pattern: 'one' });
  expect(first.text).toMatch(new RegExp(`^one\\n\\[${id} is running; cursor 4\\]$`));
  expect((await tasks.run('task_output', { task_id: id })).text).toContain('no new output: set timeout to wait');
  await tasks.folder.write('go', '');
  const rest = await tasks.run('task_output', { task_id: id, timeout: 60_000 });
  expect(rest.text).toMatch(new RegExp(`^two\\n\\[${id} failed: .*exit code 3; cursor 8\\]$`));
  expect(rest.structured).toMatchObject({ output: 'two\n', cursor: 8, tasks: [{ task_id: id, status: 'failed' }] });
  expect((await tasks.run('task_output', { task_id: id, cursor: 0 })).structured).toMatchObject({
    output: 'one\ntwo\n',
  });
  expect(tasks.events.map(({ type, task }) => [type, task.status])).toEqual([
    ['task_started', 'running'],
    ['task_ended', 'failed'],
  ]);
  expect(tasks.savedOutputs).toEqual(new Set([tasks.background.list()[0]?.outputFile]));
});

test('a wait ends with the matching line, even one that is incomplete, and with the time', async () => {
  await using tasks = await openTasks();
  const id = await tasks.start(`for n in 1 2 3; do echo line $n; done; printf 'ready> '; sleep 1000`);
  const found = await tasks.run('task_output', { bash_id: id, filter: 'ready>$|ready> ' });
  expect(found.structured).toMatchObject({ matched: true, output: 'line 1\nline 2\nline 3\nready> ' });
  const late = await tasks.run('task_output', { task_id: id, pattern: 'never', timeout: 1000 });
  expect(late.structured).toMatchObject({ matched: false, tasks: [{ status: 'running' }] });
  expect(late.text).toContain('no line matched');
  await expect(tasks.run('task_output', { task_id: id, pattern: '(' })).rejects.toThrow('"pattern" is invalid');
});

test('the end of the turn ends a wait but not the command', async () => {
  await using tasks = await openTasks();
  const id = await tasks.start('sleep 1000');
  const turn = new AbortController();
  const waiting = tasks.run('task_output', { task_id: id, timeout: 600_000 }, { signal: turn.signal });
  turn.abort();
  expect((await waiting).structured).toMatchObject({ tasks: [{ status: 'running' }] });
});

test('a stop ends the whole group, an unknown id names the others, and no id lists all', async () => {
  await using tasks = await openTasks();
  const id = await tasks.start('trap "" TERM; sleep 1000 & echo $!; wait; sleep 1000');
  const { structured } = await tasks.run('task_output', { task_id: id, pattern: '\\d' });
  const child = Number(structured['output']);
  await expect(tasks.run('task_stop', { task_id: 'task_0' })).rejects.toThrow(`There are ${id}`);
  expect((await tasks.run('task_output', {})).text).toContain(`${id} is running: trap`);
  expect((await tasks.run('task_stop', { shell_id: id })).text).toBe(`${id} was stopped.`);
  await waitUntilGone(child, { deadlineMs: 2000 });
  expect((await tasks.run('task_stop', { task_id: id })).text).toBe(`${id} had already ended: stopped.`);
  expect(tasks.background.takeNotes()).toEqual([]);
});

test('an end that the model does not know becomes one note', async () => {
  await using tasks = await openTasks();
  const id = await tasks.start('exit 7');
  await expect.poll(() => tasks.background.list()[0]?.status).toBe('failed');
  expect(tasks.background.takeNotes()).toEqual([
    `The background command ${id} failed (exit code 7). Read its output with task_output. Command: exit 7`,
  ]);
  expect(tasks.background.takeNotes()).toEqual([]);
});

test('a running command moves to the background on request, and at its timeout where the call asks for it', async () => {
  await using tasks = await openTasks();
  const turn = new AbortController();
  const emit = () => {
    expect(tasks.background.moveToBackground('another')).toBe(0);
    expect(tasks.background.moveToBackground()).toBe(1);
  };
  const command = 'echo begun; sleep 1000';
  const moved = await tasks.run('run_shell_command', { command, timeout: 60_000 }, { emit, signal: turn.signal });
  expect(moved.text).toMatch(/^begun\n\[The command moved to the background and still runs as task_/);
  turn.abort();
  const late = await tasks.run('run_shell_command', {
    command: 'sleep 1000',
    timeout: 1000,
    background_on_timeout: true,
  });
  expect(late.structured).toMatchObject({ backgroundTaskId: expect.any(String), timedOut: false });
  expect(tasks.background.list().map(({ status }) => status)).toEqual(['running', 'running']);
  expect(tasks.background.moveToBackground()).toBe(0);
});

test('the timeout of a call no longer applies in the background', async () => {
  await using tasks = await openTasks();
  const command = `echo begun; ${gate('go')}`;
  const emit = () => tasks.background.moveToBackground();
  const { structured } = await tasks.run('run_shell_command', { command, timeout: 1000 }, { emit });
  const id = structured['backgroundTaskId'];
  expect((await tasks.run('task_output', { task_id: id, timeout: 1500 })).structured).toMatchObject({
    tasks: [{ status: 'running' }],
  });
  await tasks.folder.write('go', '');
  expect((await tasks.run('task_output', { task_id: id, timeout: 60_000 })).structured).toMatchObject({
    tasks: [{ status: 'completed' }],
  });
});

test('the number of commands is limited, and closing stops them all', async () => {
  await using tasks = await openTasks();
  const ids = await Promise.all(Array.from({ length: 16 }, () => tasks.start('exec sleep 1000')));
  await expect(tasks.start('sleep 1000')).rejects.toThrow('16 commands run in the background already');
  expect(new Set(ids).size).toBe(16);
  await tasks.background.close();
  expect(new Set(tasks.background.list().map(({ status }) => status))).toEqual(new Set(['stopped']));
  await expect(tasks.start('true')).rejects.toThrow('closed');
});

test('the log keeps the end in fixed memory and splits no character', () => {
  const log = new TaskLog();
  for (let index = 0; index < 5_000; index += 1) log.push(Buffer.from(`${index}`.padStart(99, '.').concat('\n')));
  expect(log.end).toBe(500_000);
  const { text, next } = log.read(0, { isOver: false });
  expect(text.startsWith(`[${500_000 - 256 * 1024} earlier bytes are not kept]\n`)).toBe(true);
  expect(text.endsWith('4999\n')).toBe(true);
  expect(next).toBe(500_000);
  log.push(Buffer.from('€').subarray(0, 2));
  expect(log.read(next, { isOver: false })).toEqual({ text: '', next });
  log.push(Buffer.from('€').subarray(2));
  expect(log.read(next, { isOver: false })).toEqual({ text: '€', next: next + 3 });
  expect(log.lastLine()).toBe('€');
});
