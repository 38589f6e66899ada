import { mkdtempSync, realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tool, ToolContext } from '@qwen/agent';
import { AgentError, escapeHidden } from '@qwen/protocol';
import * as z from 'zod/mini';
import { defineTool, type StructuredToolResult } from '../define-tool.js';
import { toFileError } from '../files/file-error.js';
import { realPathFor, toAbsolutePath } from '../paths/path-resolver.js';
import type { CommandSandbox } from '../sandbox/command-sandbox.js';
import { BackgroundTasks, type CommandTask, type TaskEnd } from './background-tasks.js';
import { commandEnvironment, type Environment, withheldVariables } from './command-environment.js';
import type { CommandResult } from './run-command.js';

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 32 * 1024;

export const shellInput = z.lazy(() =>
  z.object({
    command: z.string().check(
      z.minLength(1),
      z.refine((value) => !value.includes('\0'), 'a command must not contain a NUL byte'),
    ),
    description: z.optional(z.string().check(z.describe('What it does, shown to the user.'))),
    timeout: z.optional(
      z
        .int()
        .check(
          z.gte(1),
          z.lte(MAX_TIMEOUT_MS),
          z.describe(`Milliseconds; below 1000, seconds. Default ${DEFAULT_TIMEOUT_MS}; in the background none.`),
        ),
    ),
    directory: z.optional(z.string().check(z.minLength(1), z.describe('Default: the workspace.'))),
    is_background: z.optional(
      z.boolean().check(z.describe('Return at once; it runs until it ends, task_stop, or the end of the session.')),
    ),
    background_on_timeout: z.optional(
      z.boolean().check(z.describe('At the timeout, move it to the background instead of stopping it.')),
    ),
  }),
);
const LEAVING = 'Run it outside the sandbox, after the sandbox stopped it. The user decides.';
const leavingInput = z.lazy(() => z.extend(shellInput._zod.innerType, { outside_sandbox: z.optional(z.boolean()) }));
type ShellInput = z.output<typeof shellInput> & { readonly outside_sandbox?: boolean | undefined };

export interface ShellToolOptions {
  readonly environment: Environment;
  readonly keepEnvironment: readonly string[];
  /** Gets the real path of each file to which long output was saved. Missing: none is saved. */
  readonly savedOutputs?: Set<string>;
  /** Missing: commands have all rights of the user. */
  readonly sandbox?: CommandSandbox;
  /** Default: a new one, which the caller cannot close. */
  readonly background?: BackgroundTasks;
}

/** Models often write seconds; no one waits for less than a second on purpose. */
export function inMilliseconds(timeout: unknown): unknown {
  return typeof timeout === 'number' && timeout >= 1 && timeout < 1000
    ? Math.min(timeout * 1000, MAX_TIMEOUT_MS)
    : timeout;
}

/** Stops with the turn, or in the background with the session, and leaves no process of its group. */
export function shellTool(options: ShellToolOptions): Tool<ShellInput> {
  const { environment, keepEnvironment, savedOutputs, sandbox, background = new BackgroundTasks() } = options;
  const keep = new Set(keepEnvironment);
  const reported = new Set<string>();
  const outputs = new SavedOutputs();
  return defineTool({
    name: 'run_shell_command',
    description:
      'Run a command with bash. It has no input and no terminal, and its background processes end with it: ' +
      'for servers and other long work use is_background, not "&". ' +
      `The middle of long output is omitted.${sandbox?.description ?? ''}`,
    input: sandbox?.mayLeave === true ? leavingInput : shellInput,
    ...(sandbox?.mayLeave === true && {
      moreProperties: { outside_sandbox: { type: 'boolean', description: LEAVING } },
    }),
    adapt: ({ command, timeout, ...others }) => ({
      ...others,
      ...(timeout !== undefined && { timeout: inMilliseconds(timeout) }),
      command: Array.isArray(command) ? commandLine(command) : withoutPrompt(command),
    }),
    paths: ({ directory }, cwd) =>
      directory === undefined ? [] : [{ path: toAbsolutePath(directory, cwd), access: 'read' }],
    command: ({ command }) => command,
    ...(sandbox !== undefined && { confinement: (input: ShellInput) => sandbox.placeOf(input) }),
    async preview({ directory }, context) {
      await realFolder(directory, context);
      return undefined;
    },
    async execute(input, context) {
      const { command, directory, description } = input;
      const isBackground = input.is_background === true;
      const movesOnTimeout = !isBackground && input.background_on_timeout === true;
      const timeoutMs = input.timeout ?? (isBackground ? undefined : DEFAULT_TIMEOUT_MS);
      context.signal.throwIfAborted();
      const folder = await realFolder(directory, context);
      const { runCommand } = await import('./run-command.js');
      const runner = sandbox?.runnerFor(input);
      const { callId, signal } = context;
      const commandFor = await environmentFor(commandEnvironment({ base: environment, keep }), context);
      const mentioned = new Set(command.match(/\w+/g));
      const missing = withheldVariables(environment, keep).filter((name) => mentioned.has(name) && !reported.has(name));
      for (const name of missing) reported.add(name);
      const run = async (task: CommandTask): Promise<CommandResult> => {
        using _running = sandbox?.track({ callId, command, signal: task.signal });
        return await runCommand({
          command,
          ...(runner !== undefined && { sandbox: runner }),
          folder,
          environment: commandFor,
          ...(!movesOnTimeout && { timeoutMs }),
          unlimited: isBackground ? NEVER : task.moved,
          maxOutputBytes: MAX_OUTPUT_BYTES,
          savesAll: isBackground,
          ...(savedOutputs !== undefined && {
            outputPath: () => {
              task.outputFile = outputs.nextPath();
              savedOutputs.add(task.outputFile);
              return task.outputFile;
            },
          }),
          signal: task.signal,
          emit: (text) => {
            if (!task.isBackground) context.emit(text);
          },
          onOutput: (chunk) => task.push(chunk),
        });
      };
      const describe = (result: CommandResult, task: CommandTask): TaskEnd => {
        const stopped = runner === undefined ? undefined : sandbox?.explainEnd(command, result);
        const notes = endNotes(result, { timeoutMs, missing, stopped, isBackground: task.isBackground });
        return { status: statusOf(result), notes };
      };
      const { task, result } = await background.start({
        callId,
        command,
        description,
        isBackground,
        ...(movesOnTimeout && { movesAfterMs: timeoutMs }),
        signal,
        run,
        describe,
      });
      return result === undefined ? toStartedResult(task, isBackground) : toToolResult(result, task.notes);
    },
  });
}

/** Files in a folder that only this user can read. */
class SavedOutputs {
  #folder: string | undefined;
  #count = 0;

  /** The folder is created with the first file. */
  nextPath(): string {
    this.#folder ??= mkdtempSync(join(realpathSync(tmpdir()), 'qwen-output-'));
    this.#count += 1;
    return join(this.#folder, `${this.#count}.txt`);
  }
}

/** Without a code fence or the `$` of an example. */
function withoutPrompt(command: unknown): unknown {
  if (typeof command !== 'string') return command;
  const inner = /^\s*```(?:(?:ba|z)?sh|shell|console)?\n([\s\S]*?)\n?```\s*$/.exec(command)?.[1] ?? command;
  const plain = inner.replace(/^\s*\$ (?=[^\n]*$)/, '');
  return plain === command ? command : withoutPrompt(plain);
}

/** `["bash", "-lc", "ls"]` is `ls`; other words are quoted. Several commands stay a list, which is refused. */
function commandLine(words: readonly unknown[]): unknown {
  if (!words.every((word) => typeof word === 'string') || words.length === 0) return words;
  const [shell = '', flag = '', script, ...others] = words;
  if (words.length > 1 && /\s/.test(shell)) return words;
  if (/^(?:\/bin\/)?(?:ba|z)?sh$/.test(shell) && /^-l?c$/.test(flag) && script !== undefined && others.length === 0) {
    return script;
  }
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

async function environmentFor(environment: Record<string, string>, context: ToolContext) {
  const { cwd, isReading } = context;
  if (isReading !== true) return environment;
  const { readingEnvironment } = await import('./git-guard.js');
  return readingEnvironment({ environment, workspace: await realPathFor(cwd, context) });
}

interface ResultNotes {
  readonly timeoutMs: number | undefined;
  readonly isBackground: boolean;
  readonly missing: readonly string[];
  /** What the sandbox prevented. */
  readonly stopped: string | undefined;
}

const NEVER = new AbortController().signal;

function statusOf({ endedBy, exitCode }: CommandResult): TaskEnd['status'] {
  if (endedBy === 'abort') return 'stopped';
  return endedBy === 'itself' && exitCode === 0 ? 'completed' : 'failed';
}

function toStartedResult(task: CommandTask, isAsked: boolean): StructuredToolResult<'run_shell_command'> {
  const { text, next } = task.log.read(0, { isOver: false, maxBytes: MAX_OUTPUT_BYTES });
  task.cursor = next;
  const how = isAsked ? 'It runs in the background' : 'The command moved to the background and still runs';
  const note =
    `[${how} as ${task.id}. Read its output with task_output, which can also wait for a line or the end; ` +
    'stop it with task_stop. You are notified when it ends.]';
  const content = [text.trimEnd(), note].filter((line) => line !== '').join('\n');
  return {
    content,
    display: { kind: 'text', text: content },
    structured: {
      stdout: text,
      stderr: '',
      exitCode: null,
      interrupted: false,
      timedOut: false,
      truncated: false,
      backgroundTaskId: task.id,
    },
  };
}

function endNotes(
  result: CommandResult,
  { timeoutMs, missing, stopped, isBackground }: ResultNotes,
): readonly string[] {
  const { exitCode, signal, endedBy, leftBehind, escaped, saved } = result;
  return [
    saved !== undefined && `${saved.isWhole ? 'the whole output' : 'the start of the output'} is in ${saved.path}`,
    endedBy === 'timeout' && `timed out after ${timeoutMs} ms and was stopped`,
    endedBy === 'abort' && (isBackground ? 'stopped' : 'stopped because the turn ended'),
    endedBy === 'itself' && signal !== null && `terminated by signal ${signal}`,
    endedBy === 'itself' && exitCode !== null && exitCode !== 0 && exitNote(exitCode),
    leftBehind > 0 && `${leftBehind} background process(es) were still running and were killed`,
    escaped.length > 0 && `still running outside its process group: pid ${escaped.join(', ')}`,
    stopped !== undefined && stopped,
    missing.length > 0 &&
      `withheld because they may hold credentials: ${missing.join(', ')}. ` +
        'The user can allow them with security.allowedEnvironmentVariables in the settings',
  ].filter((note) => note !== false);
}

function toToolResult(result: CommandResult, notes: readonly string[]): StructuredToolResult<'run_shell_command'> {
  const { output, errors, exitCode, signal, endedBy, saved, isCut } = result;
  // Streams are joined, so that these are errors of the sandbox.
  const body = `${output}${errors}`.trimEnd();
  const isError = endedBy !== 'itself' || exitCode !== 0;
  const lines = [body === '' && notes.length === 0 ? '[no output]' : body, ...notes.map((note) => `[${note}]`)];
  return {
    content: lines.filter((line) => line !== '').join('\n'),
    isError,
    display: { kind: 'text', text: lines.filter((line) => line !== '').join('\n') },
    structured: {
      stdout: output,
      stderr: errors,
      exitCode,
      ...(signal !== null && { signal }),
      interrupted: endedBy === 'abort',
      timedOut: endedBy === 'timeout',
      truncated: isCut,
      ...(saved !== undefined && { persistedOutputPath: saved.path }),
    },
  };
}

function exitNote(exitCode: number): string {
  const signal = signalOfExitCode(exitCode);
  return signal === undefined ? `exit code ${exitCode}` : `exit code ${exitCode}: terminated by signal ${signal}`;
}

/** Throws `tool_failed` for anything but a folder. */
async function realFolder(
  directory: string | undefined,
  context: Pick<ToolContext, 'cwd' | 'realPaths'>,
): Promise<string> {
  const path = toAbsolutePath(directory ?? '.', context.cwd);
  const realPath = await realPathFor(path, context);
  const stats = await stat(realPath).catch((error: unknown) => {
    throw toFileError(error, 'run a command in', path);
  });
  if (!stats.isDirectory()) throw new AgentError('tool_failed', `${escapeHidden(path)} is not a directory.`);
  if ((await realPathFor(realPath, {})) !== realPath) {
    throw new AgentError(
      'tool_failed',
      `${escapeHidden(path)} was moved or replaced by a link. Request the call again.`,
    );
  }
  return realPath;
}

/** Shells report a signal as 128 plus its number. */
function signalOfExitCode(exitCode: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
}
