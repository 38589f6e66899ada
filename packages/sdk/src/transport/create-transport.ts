import type { LaunchOptions } from '../options.js';
import { childEnvironment } from './child-environment.js';
import { findCli } from './find-cli.js';
import { ProcessTransport } from './process-transport.js';
import type { Transport } from './transport.js';

/** The transport of the options, else one that starts the CLI with these flags. Throws `cli_not_found`. */
export function createTransport(options: LaunchOptions, flags: readonly string[]): Transport {
  if (options.transport !== undefined) return options.transport;
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
    stderr: options.stderr,
  });
}

function lineLimitOfCli({ maxLineBytes }: LaunchOptions): Record<string, string> {
  return maxLineBytes === undefined ? {} : { QWEN_MAX_LINE_BYTES: String(maxLineBytes) };
}
