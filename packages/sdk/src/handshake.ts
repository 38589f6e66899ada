import type { ControlPeer, ControlResult } from '@qwen/protocol';
import { type AgentAbilities, readAbilities } from './agent-abilities.js';
import type { HookRegistry } from './hooks/hook-registry.js';
import { initializePayload, toTimeouts } from './initialize-payload.js';
import { hostedServers } from './mcp/hosted-servers.js';
import type { QueryOptions } from './options.js';
import { fitPeerClocks } from './peer-cli/peer-limits.js';
import type { ProblemReport } from './problem-report.js';
import type { StructuredOutput } from './structured-output.js';

/** What `initialize` was answered. */
export type InitializeResult = ControlResult<'initialize'>;

export interface HandshakeOptions {
  readonly options: QueryOptions;
  readonly peer: ControlPeer<'app'>;
  readonly hooks: HookRegistry;
  readonly output: StructuredOutput | undefined;
  readonly report: ProblemReport;
}

/**
 * Asks `initialize` and reads what the CLI at the other end is. Rejects with the error of the CLI, with `timeout`, with
 * `unsupported_protocol`, and with `invalid_options` for what this CLI or JSON Schema cannot do.
 */
export async function shakeHands(
  handshake: HandshakeOptions,
): Promise<{ readonly answer: InitializeResult; readonly abilities: AgentAbilities }> {
  const { options, peer, hooks, output } = handshake;
  // The CLI loads meanwhile. Without a schema nothing is waited for: the request is in the pipe before it can read.
  const outputSchema = output === undefined ? undefined : await output.jsonSchema();
  const payload = initializePayload(options, { hooks: hooks.registrations, outputSchema });
  const answer = await peer.request('initialize', payload);
  const abilities = readAbilities(answer, options);
  if (abilities.isPeer) await fitClocks(handshake);
  return { answer, abilities };
}

/** The peer's CLI takes a second `initialize` for what it left out of the first. */
async function fitClocks({ options, peer, report }: HandshakeOptions): Promise<void> {
  const { canUseTool, shortfalls } = fitPeerClocks({
    timeouts: toTimeouts(options.timeout ?? {}),
    answersPermissions: options.canUseTool !== undefined,
    hostsMcpServers: hostedServers(options).size > 0,
  });
  for (const shortfall of shortfalls) report.problem(shortfall);
  if (canUseTool !== undefined) await peer.request('initialize', { hooks: null, timeout: { canUseTool } });
}
