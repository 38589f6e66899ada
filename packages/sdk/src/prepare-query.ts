import { checkOptions } from './check-options.js';
import type { QueryOptions } from './options.js';
import { Query } from './query.js';
import { createSessionId } from './session-id.js';
import { childEnvironment } from './transport/child-environment.js';
import { findCli } from './transport/find-cli.js';
import { ProcessTransport } from './transport/process-transport.js';
import { forks, toArguments } from './transport/spawn-args.js';
import type { Transport } from './transport/transport.js';

/** Makes a query that is not started yet. Throws `invalid_options` and `cli_not_found`. */
export function prepareQuery<Output>(options: QueryOptions): Query<Output> {
  const checked = checkOptions(options);
  warnOfShadowing(checked);
  const sessionId = choosesSessionId(checked) ? (checked.sessionId ?? createSessionId()) : checked.sessionId;
  return new Query({
    options: checked,
    transport: checked.transport ?? createTransport(checked, sessionId),
    sessionId: forks(checked) ? sessionId : (sessionId ?? checked.resume),
  });
}

function createTransport(options: QueryOptions, sessionId: string | undefined): Transport {
  const environment = childEnvironment(options.env);
  const cli = findCli({
    pathToQwenExecutable: options.pathToQwenExecutable,
    executable: options.executable,
    environment,
    cwd: options.cwd ?? process.cwd(),
  });
  return new ProcessTransport({
    command: cli.command,
    args: [...cli.leadingArgs, ...toArguments({ ...options, sessionId })],
    env: { ...environment, ...cli.env, ...lineLimitOfCli(options) },
    maxLineBytes: options.maxLineBytes,
    cwd: options.cwd,
    spawnProcess: options.spawnProcess,
    stderr: options.stderr,
  });
}

function lineLimitOfCli({ maxLineBytes }: QueryOptions): Record<string, string> {
  return maxLineBytes === undefined ? {} : { QWEN_MAX_LINE_BYTES: String(maxLineBytes) };
}

/** The id of a new session is ours to choose where we start the CLI: it travels as a flag. */
function choosesSessionId({ resume, continue: goesOn, transport }: QueryOptions): boolean {
  return resume === undefined && goesOn !== true && transport === undefined;
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
