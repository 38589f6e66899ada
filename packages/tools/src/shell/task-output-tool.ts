import { settlesWithin, type TaskView, type Tool } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../define-tool.js';
import type { BackgroundTasks, CommandTask } from './background-tasks.js';
import { inMilliseconds } from './shell-tool.js';

const MAX_WAIT_MS = 600_000;
const PATTERN_WAIT_MS = 30_000;
const MAX_OUTPUT_BYTES = 32 * 1024;

export const taskOutputInput = z.lazy(() =>
  z.object({
    task_id: z.optional(z.string().check(z.minLength(1), z.describe('Default: list all.'))),
    timeout: z.optional(
      z
        .int()
        .check(
          z.gte(0),
          z.lte(MAX_WAIT_MS),
          z.describe(
            `Milliseconds to wait for the end; below 1000, seconds. Default 0, with a pattern ${PATTERN_WAIT_MS}.`,
          ),
        ),
    ),
    pattern: z.optional(
      z.string().check(z.minLength(1), z.describe('Regular expression: wait only until a line matches.')),
    ),
    cursor: z.optional(z.int().check(z.gte(0), z.describe('Where to read from. Default: after the last read.'))),
  }),
);

export function taskOutputTool(background: BackgroundTasks): Tool<z.output<typeof taskOutputInput>> {
  return defineTool({
    name: 'task_output',
    description: 'Read new output of a background command, or wait for it without polling.',
    input: taskOutputInput,
    adapt: ({ block, timeout, ...others }) => ({
      ...others,
      ...(timeout !== undefined && { timeout: inMilliseconds(timeout) }),
      ...(block === true && timeout === undefined && { timeout: PATTERN_WAIT_MS }),
      ...(block === false && { timeout: 0 }),
    }),
    async execute({ task_id: taskId, timeout, pattern, cursor }, { signal }) {
      if (taskId === undefined) return toList(background.list());
      const task = background.find(taskId);
      const from = Math.min(cursor ?? task.cursor, task.log.end);
      const limitMs = timeout ?? (pattern === undefined ? 0 : PATTERN_WAIT_MS);
      const isMatched = await waitFor(task, { from, limitMs, signal, expression: compile(pattern) });
      const isOver = task.status !== 'running';
      const { text, next } = task.log.read(from, { isOver, maxBytes: MAX_OUTPUT_BYTES });
      task.cursor = next;
      if (isOver) task.isEndKnown = true;
      const isNews = isOver || isMatched || text !== '';
      // Counted, so that repeated waits are not taken for a loop.
      if (limitMs >= 1000 && !isMatched) task.waits += 1;
      const state = isOver ? toState(task.view) : runningState(task, { isNews, limitMs });
      const matched = pattern === undefined || isMatched ? '' : '; no line matched';
      const content = [text.trimEnd(), `[${state}${matched}; cursor ${next}]`].filter((part) => part !== '').join('\n');
      return {
        content,
        display: { kind: 'text', text: content },
        structured: {
          tasks: [toWire(task.view)],
          output: text,
          cursor: next,
          ...(pattern !== undefined && { matched: isMatched }),
        },
      };
    },
  });
}

function runningState(task: CommandTask, { isNews, limitMs }: { isNews: boolean; limitMs: number }): string {
  const state = `${toState(task.view)}${task.waits > 0 ? ` after wait ${task.waits}` : ''}`;
  if (isNews || limitMs > 0) return state;
  return `${state}; no new output: set timeout to wait for its end, or pattern for a line`;
}

function toState({ taskId, status, note }: TaskView): string {
  const words = status === 'running' ? 'is running' : status;
  return note === undefined ? `${taskId} ${words}` : `${taskId} ${words}: ${note}`;
}

function toList(tasks: readonly TaskView[]) {
  const lines = tasks.map((task) => `${toState(task)}: ${task.command}`);
  const content = lines.length === 0 ? 'No command runs in the background.' : lines.join('\n');
  return Promise.resolve({ content, structured: { tasks: tasks.map(toWire) } });
}

function toWire({ taskId, command, status, durationMs, outputFile, note }: TaskView) {
  return {
    task_id: taskId,
    command,
    status,
    duration_ms: Math.round(durationMs),
    ...(outputFile !== undefined && { output_file: outputFile }),
    ...(note !== undefined && { note }),
  };
}

function compile(pattern: string | undefined): RegExp | undefined {
  if (pattern === undefined) return undefined;
  try {
    return new RegExp(pattern);
  } catch (thrown) {
    const { message } = AgentError.from(thrown);
    throw new AgentError('invalid_tool_input', `task_output: "pattern" is invalid: ${message}`);
  }
}

interface Wait {
  readonly from: number;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly expression: RegExp | undefined;
}

async function waitFor(task: CommandTask, { from, limitMs, signal, expression }: Wait): Promise<boolean> {
  const endsAtMs = performance.now() + limitMs;
  const { promise: aborted, resolve: onAbort } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => onAbort(), { once: true });
  await using matcher = expression === undefined ? undefined : await createMatcher(expression);
  for (let at = from; ; ) {
    const { changed } = task;
    const isOver = task.status !== 'running';
    const { text, next } = task.log.read(at, { isOver });
    if (text !== '' && ((await matcher?.match([text])) ?? []).some((lines) => lines.length > 0)) return true;
    // The last line may be incomplete.
    at = next - Buffer.byteLength(text.slice(text.lastIndexOf('\n') + 1));
    const leftMs = endsAtMs - performance.now();
    if (isOver || signal.aborted || leftMs <= 0) return false;
    await settlesWithin(Promise.race([changed, aborted]), leftMs);
  }
}

async function createMatcher(expression: RegExp) {
  const { LineMatcher } = await import('../search/line-matcher.js');
  return new LineMatcher({ expression });
}
