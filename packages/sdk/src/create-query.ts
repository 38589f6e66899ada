import { AgentError, type SDKUserMessage } from '@qwen/protocol';
import { checkOptions } from './check-options.js';
import type { QueryOptions } from './options.js';
import { Query } from './query.js';
import { createSessionId } from './session-id.js';
import { childEnvironment } from './transport/child-environment.js';
import { findCli } from './transport/find-cli.js';
import { ProcessTransport } from './transport/process-transport.js';
import { toArguments } from './transport/spawn-args.js';

/** What to ask, and how to run the agent. */
export interface QueryRequest {
  /**
   * One prompt; or user messages as they come, in one session. The CLI stays until the last one is answered, so an
   * iterable may wait for a result before it yields the next message.
   */
  readonly prompt: string | AsyncIterable<SDKUserMessage>;
  readonly options?: QueryOptions | undefined;
}

/**
 * Starts an agent (O-53) and gives its messages as they come. The CLI runs as a child process and leaves by itself
 * after the last answer. Throws `invalid_options` and `cli_not_found`; every later failure is thrown by the iteration.
 */
export function query({ prompt, options = {} }: QueryRequest): Query {
  checkPrompt(prompt);
  const checked = checkOptions(options);
  warnOfShadowing(checked);
  const sessionId = isNewSession(checked) ? (checked.sessionId ?? createSessionId()) : checked.sessionId;
  const running = new Query({
    options: checked,
    transport: createTransport(checked, sessionId),
    sessionId: checked.forkSession === true ? sessionId : (sessionId ?? checked.resume),
  });
  running.start(prompt);
  return running;
}

function createTransport(options: QueryOptions, sessionId: string | undefined): ProcessTransport {
  const environment = childEnvironment(options.env);
  const cli = findCli({
    pathToQwenExecutable: options.pathToQwenExecutable,
    environment,
    cwd: options.cwd ?? process.cwd(),
  });
  return new ProcessTransport({
    command: cli.command,
    args: [...cli.leadingArgs, ...toArguments({ ...options, sessionId })],
    env: { ...environment, ...cli.env },
    cwd: options.cwd,
    stderr: options.stderr,
  });
}

function isNewSession({ resume, continue: goesOn }: QueryOptions): boolean {
  return resume === undefined && goesOn !== true;
}

function checkPrompt(prompt: unknown): void {
  const isIterable = typeof prompt === 'object' && prompt !== null && Symbol.asyncIterator in prompt;
  if (typeof prompt === 'string' || isIterable) return;
  throw new AgentError('invalid_options', 'prompt: expected a string or an async iterable of user messages');
}

/** A callback that can never be asked is nearly always a mistake (B2). */
function warnOfShadowing({ permissionMode, canUseTool, stderr }: QueryOptions): void {
  if (permissionMode !== 'yolo' || canUseTool === undefined) return;
  const code = 'QWEN_CAN_USE_TOOL_SHADOWED';
  const message = 'canUseTool is never asked, because permissionMode "yolo" lets everything run.';
  try {
    if (stderr === undefined) process.emitWarning(message, { code });
    else stderr(`[qwen sdk] ${code}: ${message}`);
  } catch {
    // A warning that the app cannot take must not keep the query from starting.
  }
}
