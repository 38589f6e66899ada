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
  if (version === undefined && changesSystemPrompt(options)) {
    throw new AgentError(
      'invalid_options',
      'options.systemPrompt: this CLI does not take it over the control channel.',
    );
  }
  const { outputFlow = false, mcpNotifications = false } = answer.capabilities ?? {};
  return { isPeer: version === undefined, outputFlow, mcpNotifications };
}

function changesSystemPrompt({ systemPrompt }: QueryOptions): boolean {
  return typeof systemPrompt === 'string' || systemPrompt?.append !== undefined;
}
