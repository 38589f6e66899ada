import { FLAGS } from '@qwen/host/flags/args.js';
import type { FlagSpec } from '@qwen/host/flags/flag-spec.js';
import { AgentError, nearestName } from '@qwen/protocol';
import { SUBCOMMAND_NAMES } from './subcommands/find-subcommand.js';

const SPECS: readonly FlagSpec[] = Object.values(FLAGS);

/** An error that names the unknown flags and similar known ones. */
export function unknownFlags(flags: readonly string[]): AgentError {
  const known = SPECS.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const near = flags.flatMap((flag) => nearestName(flag.replace(/^-+/, ''), known) ?? []);
  const hint = near.length === 0 ? '' : `; did you mean ${near.map((name) => `--${name}`).join(', ')}?`;
  return new AgentError('usage', `unknown flag ${flags.join(', ')}${hint}; see qwen --help`);
}

/** A hint when the first word of a short prompt resembles a subcommand; the prompt runs anyway. */
export function nearSubcommand([first = '', ...rest]: readonly string[]): string | undefined {
  const near = rest.length < 4 && !first.startsWith('/') ? nearestName(first, SUBCOMMAND_NAMES) : undefined;
  return near === undefined
    ? undefined
    : `"${first}" is not a subcommand and is sent as a prompt; did you mean qwen ${near}?`;
}
