import { AgentError, type ControlResult, PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@qwen/protocol';
import { foreignFlags } from '../foreign-cli/foreign-flags.js';
import type { QueryOptions } from '../options/options.js';

export interface AgentAbilities {
  readonly isForeignCli: boolean;
  readonly outputFlow: boolean;
  readonly mcpNotifications: boolean;
}

/** Throws `unsupported_protocol`. qwen-code silently ignores some options: those throw `invalid_options`. */
export function readAbilities(answer: ControlResult<'initialize'>, options: QueryOptions): AgentAbilities {
  const version = answer.protocol_version;
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) throw unsupportedProtocol([version]);
  const ignored = version === undefined ? optionsOfOurCli(takenOver(answer, options))[0] : undefined;
  if (ignored !== undefined) {
    throw new AgentError(
      'invalid_options',
      `options.${ignored} is not supported by this CLI. Use the qwen CLI instead.`,
    );
  }
  const { outputFlow = false, mcpNotifications = false } = answer.capabilities ?? {};
  return { isForeignCli: version === undefined, outputFlow, mcpNotifications };
}

export function unsupportedProtocol(theirs: readonly number[]): AgentError {
  const ours = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
  return new AgentError(
    'unsupported_protocol',
    `The CLI uses protocol version ${theirs.join(', ')}, this SDK version ${ours}. Update the older of the two.`,
    { data: { theirs: theirs[0], ours: PROTOCOL_VERSION } },
  );
}

/** Without what this version of qwen-code read from flags, or from `initialize`. */
function takenOver({ effort_status: status }: ControlResult<'initialize'>, options: QueryOptions): QueryOptions {
  const byFlags = foreignFlags(options).length > 0 ? { systemPrompt: undefined, fallbackModel: undefined } : {};
  return { ...options, ...byFlags, ...(status !== undefined && { effort: undefined }) };
}

function optionsOfOurCli(options: QueryOptions): string[] {
  const { systemPrompt, hooks, outputSchema, budget, maxBudgetUsd, effort, fallbackModel, mcpReady, mcpStartTimeout } =
    options;
  const isPreset = typeof systemPrompt === 'object' && 'preset' in systemPrompt;
  const changesPrompt = isPreset ? systemPrompt.append !== undefined : systemPrompt !== undefined;
  const verbatimPrompts = options.verbatimPrompts === true ? true : undefined;
  const given = {
    hooks,
    outputSchema,
    budget,
    maxBudgetUsd,
    effort,
    fallbackModel,
    mcpReady,
    mcpStartTimeout,
    verbatimPrompts,
  };
  return Object.entries({ ...given, ...(changesPrompt && { systemPrompt }) })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
}
