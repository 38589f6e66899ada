import { AgentError, type ControlResult, PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@qwen/protocol';
import type { QueryOptions } from './options.js';

/** What the CLI at the other end takes beyond what every CLI takes. */
export interface AgentAbilities {
  /** It names no protocol version, so it is the peer's. */
  readonly isPeer: boolean;
  readonly outputFlow: boolean;
  readonly mcpNotifications: boolean;
}

/**
 * Reads the answer to `initialize`. Throws `unsupported_protocol` for a CLI that speaks no version of ours (F24). A
 * CLI that names none is one of the peer's: it works, but would ignore what it does not know, so an option that it
 * cannot take is refused with `invalid_options`.
 */
export function readAbilities(answer: ControlResult<'initialize'>, options: QueryOptions): AgentAbilities {
  const version = answer.protocol_version;
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
    throw new AgentError(
      'unsupported_protocol',
      `The CLI speaks protocol version ${version}; this SDK speaks ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`,
      { data: { theirs: version, ours: PROTOCOL_VERSION } },
    );
  }
  const lost = version === undefined ? optionsThatNeedUs(options)[0] : undefined;
  if (lost !== undefined) {
    throw new AgentError('invalid_options', `options.${lost}: this CLI does not take it over the control channel.`);
  }
  const { outputFlow = false, mcpNotifications = false } = answer.capabilities ?? {};
  return { isPeer: version === undefined, outputFlow, mcpNotifications };
}

/** Options that travel in `initialize` and that a CLI of the peer would leave out without a word. */
function optionsThatNeedUs(options: QueryOptions): string[] {
  const { systemPrompt, hooks, outputSchema, budget, effort, fallbackModel, mcpReady, mcpStartTimeout } = options;
  const changesPrompt = typeof systemPrompt === 'string' || systemPrompt?.append !== undefined;
  const given = { hooks, outputSchema, budget, effort, fallbackModel, mcpReady, mcpStartTimeout };
  return Object.entries({ ...given, ...(changesPrompt && { systemPrompt }) })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
}
