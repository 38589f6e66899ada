import type { TraceContext } from '@qwen/protocol';
import type { LaunchOptions } from '../options/options.js';
import { HttpTransport } from './http/http-transport.js';
import { findCli, refuseOldNode } from './process/find-cli.js';
import { ProcessTransport } from './process/process-transport.js';
import type { Transport } from './transport.js';

/**
 * Creates the transport of these options: the given one, one to a CLI on a server, or one to a CLI as a child
 * process. The caller starts and closes it.
 *
 * `trace` provides the trace context when the transport starts, unless `env` sets TRACEPARENT.
 *
 * @example
 * import { createTransport, query } from '@qwen/sdk';
 *
 * const flags = ['--input-format=stream-json', '--output-format=stream-json'];
 * const transport = createTransport({ cwd: '/srv/project' }, flags);
 * void transport.closed.then(({ exitCode }) => console.log(`The CLI exited with ${exitCode}.`));
 * for await (const message of query({ prompt: 'hi', options: { transport } })) console.log(message);
 *
 * @throws {AgentError} `cli_not_found`, or `unsupported_node` if this Node.js is too old.
 */
export function createTransport(
  options: LaunchOptions,
  flags: readonly string[],
  trace?: () => TraceContext | undefined,
): Transport {
  if (options.transport !== undefined) return options.transport;
  refuseOldNode(process.versions.node);
  if (options.server !== undefined) {
    const { cwd, maxLineBytes } = options;
    return new HttpTransport({ ...options.server, args: flags, cwd, maxLineBytes, trace });
  }
  const environment = childEnvironment(options.env);
  const cli = findCli({
    pathToQwenExecutable: options.pathToQwenExecutable,
    executable: options.executable,
    environment,
    cwd: options.cwd ?? process.cwd(),
  });
  return new ProcessTransport({
    command: cli.command,
    args: [...cli.leadingArgs, ...flags],
    env: { ...environment, ...cli.env, ...lineLimitOfCli(options) },
    maxLineBytes: options.maxLineBytes,
    cwd: options.cwd,
    spawnProcess: options.spawnProcess,
    trace: options.env?.['TRACEPARENT'] === undefined ? trace : undefined,
    stderr: options.stderr,
  });
}

function lineLimitOfCli({ maxLineBytes }: LaunchOptions): Record<string, string> {
  return maxLineBytes === undefined ? {} : { QWEN_MAX_LINE_BYTES: String(maxLineBytes) };
}

/** Variables that configure the runtime of this process, not that of the CLI. */
const NOT_INHERITED = ['NODE_OPTIONS', 'ELECTRON_RUN_AS_NODE'];

/** The environment of the CLI. An undefined variable is removed; `NODE_OPTIONS` must be given to be passed on. */
export function childEnvironment(
  given: Readonly<Record<string, string | undefined>> = {},
  inherited: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const merged: Record<string, string | undefined> = { ...inherited };
  for (const name of NOT_INHERITED) delete merged[name];
  Object.assign(merged, given);
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(merged)) if (value !== undefined) environment[name] = value;
  return environment;
}
