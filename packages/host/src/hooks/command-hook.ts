import {
  AgentError,
  type CommandHook,
  defined,
  describeIssue,
  type HookOutput,
  hookOutputSchema,
} from '@qwen/protocol';
import { type CommandResult, type CommandSandbox, preventedBySandbox, runGuardedCommand } from '@qwen/tools';
import { isOfProject, type SettingsHook } from '../config/settings.js';
import { compileMatcher } from '../name-matcher.js';
import type { Hook } from './hook.js';

export interface HookEnvironment {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Passed on although they look like secrets. */
  readonly keep?: readonly string[];
  /** Missing: hooks have all rights of the user. */
  readonly sandbox?: CommandSandbox;
}

const DEFAULT_TIMEOUT_SECONDS = 60;
/** The longest delay a timer supports. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
const MAX_OUTPUT_BYTES = 1024 * 1024;
const BLOCKS = 2;

export function toCommandHooks(settingsHook: SettingsHook, { sandbox, ...environment }: HookEnvironment): Hook[] {
  const { event, group, variables = {} } = settingsHook;
  const match = compileMatcher(group.matcher);
  // A project cannot take its hooks out of the sandbox.
  const isConfined = (hook: CommandHook) => hook.sandbox !== false || isOfProject(settingsHook);
  return group.hooks.map((hook) => ({
    event,
    match,
    blocking: hook.blocking,
    label: JSON.stringify(hook.command),
    ask: (input, { signal }) =>
      runHook(
        { hook, event, input: JSON.stringify(input), signal, variables },
        { ...environment, ...(isConfined(hook) && defined({ sandbox })) },
      ),
  }));
}

interface HookRun {
  readonly hook: CommandHook;
  readonly event: string;
  readonly input: string;
  readonly signal: AbortSignal;
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Exit code 0: stdout is the output. 2: block, with stderr as the reason. Other codes, a timeout and endless output
 * are errors.
 */
async function runHook(run: HookRun, { cwd, environment, keep = [], sandbox }: HookEnvironment): Promise<HookOutput> {
  const { hook, event, input, signal } = run;
  const runner = runnerIn(sandbox);
  const seconds = hook.timeout ?? DEFAULT_TIMEOUT_SECONDS;
  const result = await runGuardedCommand({
    command: hook.command,
    folder: cwd,
    environment,
    keep,
    ...defined({ sandbox: runner }),
    variables: { ...run.variables, QWEN_PROJECT_DIR: cwd, CLAUDE_PROJECT_DIR: cwd },
    input: `${input}\n`,
    timeoutMs: Math.min(seconds * 1000, LONGEST_TIMEOUT_MS),
    maxOutputBytes: MAX_OUTPUT_BYTES,
    signal,
  });
  const advice = runner === undefined ? '' : sandboxAdvice(result);
  if (result.endedBy === 'timeout') throw failed(`it took longer than ${seconds} s${advice}`);
  if (result.endedBy === 'abort') throw failed('it was cancelled');
  if (result.exitCode === BLOCKS) return refusal(event, result.errors);
  if (result.exitCode !== 0) {
    const ending = result.exitCode === null ? `signal ${result.signal}` : `exit code ${result.exitCode}`;
    throw failed(`it ended with ${ending}. ${result.errors}${advice}`);
  }
  if (result.reverted.length > 0) throw failed(`it changed protected files${advice}`);
  if (result.isCut) throw failed(`it wrote more than ${MAX_OUTPUT_BYTES} bytes`);
  return readOutput(event, result.output);
}

const LEAVE = 'set "sandbox": false for this hook in your own settings to run it outside';

function runnerIn(sandbox: CommandSandbox | undefined) {
  try {
    return sandbox?.requireRunner();
  } catch (thrown) {
    throw failed(`it cannot run in the sandbox. ${AgentError.from(thrown).message} Or ${LEAVE}.`);
  }
}

function sandboxAdvice(result: CommandResult): string {
  const cause = preventedBySandbox(result);
  return ` (it ran in the sandbox${cause === undefined ? '' : `: ${cause}`}; ${LEAVE})`;
}

function refusal(event: string, reason: string): HookOutput {
  switch (event) {
    case 'PermissionRequest':
      return { hookSpecificOutput: { decision: { behavior: 'deny', message: reason } } };
    case 'SubagentStart':
    case 'SessionStart':
    case 'SessionEnd':
    case 'Notification':
      throw failed(`it blocks (exit code ${BLOCKS}), but this event cannot be blocked. ${reason}`);
    default:
      return { decision: 'block', reason };
  }
}

/** A decision after a line that another program wrote must not be lost. */
const DECISION = /^[ \t]*\{[^]*"(?:decision|permissionDecision|continue|hookSpecificOutput)"\s*:/m;

/** For events that add context, plain text is context; elsewhere only an object counts. */
function readOutput(event: string, output: string): HookOutput {
  const text = output.trim();
  if (text.startsWith('{')) return parseOutput(text);
  if (event !== 'SessionStart' && DECISION.test(text))
    throw unreadable('it wrote other text before its JSON; write nothing else to stdout');
  const isContext = text !== '' && (event === 'UserPromptSubmit' || event === 'SessionStart');
  return isContext ? { hookSpecificOutput: { additionalContext: text } } : {};
}

function parseOutput(text: string): HookOutput {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable('it returned invalid JSON');
  }
  const parsed = hookOutputSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw unreadable(describeIssue('hook output', parsed.error));
}

/** It answered, so at PostToolUse the result is withheld. */
function unreadable(problem: string): AgentError {
  return new AgentError('hook_failed', problem, { data: { isAnswer: true } });
}

function failed(problem: string): AgentError {
  return new AgentError('hook_failed', problem);
}
