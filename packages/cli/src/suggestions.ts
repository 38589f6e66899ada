import { FLAGS } from '@qwen/host/flags/args.js';
import type { FlagSpec } from '@qwen/host/flags/flag-spec.js';
import { AgentError, nearestName } from '@qwen/protocol';
import { SUBCOMMAND_NAMES } from './subcommands/find-subcommand.js';

const SPECS: readonly FlagSpec[] = Object.values(FLAGS);

/** Ignoring one of these allows more than the caller wanted. */
const GUARDS: readonly string[] = [
  FLAGS.approvalMode,
  FLAGS.permissionMode,
  FLAGS.excludeTools,
  FLAGS.coreTools,
  FLAGS.sandbox,
  FLAGS.safeMode,
  FLAGS.settingSources,
  FLAGS.strictMcpConfig,
  FLAGS.allowedMcpServerNames,
  FLAGS.disabledSlashCommands,
  FLAGS.maxSessionTurns,
  FLAGS.maxToolCalls,
  FLAGS.maxWallTime,
  FLAGS.maxBudgetUsd,
].flatMap(namesOf);

/**
 * Throws `usage`, which names similar flags. SDKs of other programs pass flags that have no effect here, so of theirs
 * only those are refused that resemble a guard.
 */
export function refuseUnknownFlags(flags: readonly string[], { isSdk }: { readonly isSdk: boolean }): void {
  const known = SPECS.flatMap(namesOf);
  const found = flags.map((flag) => {
    const name = flag.replace(/^-+/, '');
    return { flag, near: nearestName(name, known) ?? GUARDS.find((guard) => guard.startsWith(`${name}-`)) };
  });
  const refused = isSdk ? found.filter(({ near = '' }) => GUARDS.includes(near)) : found;
  if (refused.length === 0) return;
  const near = refused.flatMap((each) => each.near ?? []);
  const hint = near.length === 0 ? '' : ` Did you mean ${near.map((name) => `--${name}`).join(', ')}?`;
  throw new AgentError('usage', `unknown flag ${refused.map(({ flag }) => flag).join(', ')}.${hint} See qwen --help.`);
}

function namesOf({ name, aliases = [] }: FlagSpec): readonly string[] {
  return [name, ...aliases];
}

/** A hint when the first word of a short prompt resembles a subcommand; the prompt runs anyway. */
export function nearSubcommand([first = '', ...rest]: readonly string[]): string | undefined {
  const near = rest.length < 4 && !first.startsWith('/') ? nearestName(first, SUBCOMMAND_NAMES) : undefined;
  return near === undefined
    ? undefined
    : `"${first}" is not a subcommand and is sent as a prompt. Did you mean qwen ${near}?`;
}
