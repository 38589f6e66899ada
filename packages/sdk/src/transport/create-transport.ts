import type { TraceContext } from '@qwen/protocol';
import type { LaunchOptions } from '../options.js';
import { childEnvironment } from './child-environment.js';
import { findCli } from './find-cli.js';
import { HttpTransport } from './http-transport.js';
import { ProcessTransport } from './process-transport.js';
import type { Transport } from './transport.js';

/**
 * The transport of the options, else one to a CLI with these flags: at the server of the options, or as a child of this
 * process. It is not started yet; the caller owns and closes it. Throws `cli_not_found`. `trace` is asked when it starts
 * for the span that the CLI shall belong to; variables of the options are stronger.
 */
export function createTransport(
  options: LaunchOptions,
  flags: readonly string[],
  trace?: () => TraceContext | undefined,
): Transport {
  if (options.transport !== undefined) return options.transport;
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
