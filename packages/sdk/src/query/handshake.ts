import { AgentError, type ControlResult } from '@qwen/protocol';
import type { ControlChannel } from '../control/control-channel.js';
import { fitForeignTimeouts } from '../foreign-cli/foreign-limits.js';
import { hostedServers } from '../mcp/mcp-server-host.js';
import type { QueryOptions } from '../options/options.js';
import { type AgentAbilities, readAbilities } from './agent-abilities.js';
import { initializePayload, toTimeouts } from './initialize-payload.js';
import type { ProblemReport } from './problem-report.js';
import type { StructuredOutput } from './structured-output.js';

export type InitializeResult = ControlResult<'initialize'>;

export interface HandshakeParts {
  readonly options: QueryOptions;
  readonly control: ControlChannel;
  readonly output: StructuredOutput | undefined;
  readonly report: ProblemReport;
  /** Settles when the CLI has started, if its deadline begins only then. */
  readonly isReady?: Promise<void> | undefined;
}

/** Rejects with the CLI's error, `timeout`, `unsupported_protocol` or `invalid_options`. */
export async function handshake(
  parts: HandshakeParts,
): Promise<{ readonly answer: InitializeResult; readonly abilities: AgentAbilities }> {
  const { options, control, output, isReady } = parts;
  if (isReady !== undefined) await isReady;
  // The request must be in the pipe before the CLI reads: without a schema nothing is awaited.
  const outputSchema = output === undefined ? undefined : await output.jsonSchema();
  const payload = initializePayload(options, { hooks: control.hookRegistrations, outputSchema });
  const answer = await control.request('initialize', payload);
  const abilities = readAbilities(answer, options);
  if (abilities.isForeignCli) await fitTimeouts(parts);
  return { answer, abilities };
}

/** A second `initialize` sets what qwen-code ignored in the first. */
async function fitTimeouts({ options, control, report }: HandshakeParts): Promise<void> {
  const { canUseTool, shortfalls } = fitForeignTimeouts({
    timeouts: toTimeouts(options.timeout ?? {}),
    answersPermissions: options.canUseTool !== undefined,
    hostsMcpServers: hostedServers(options).size > 0,
  });
  for (const shortfall of shortfalls) report.problem(shortfall);
  if (canUseTool !== undefined) await control.request('initialize', { hooks: null, timeout: { canUseTool } });
}

/** Rejects with `cancelled` if the signal aborts first. */
export function whenReady(initialized: Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  if (signal === undefined) return initialized;
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(
        new AgentError('cancelled', 'The request was withdrawn before the CLI was ready.', { cause: signal.reason }),
      );
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    void initialized.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
