import { isCredential } from './credential-variables.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface CommandEnvironmentOptions {
  readonly base: Environment;
  /** Kept although they look like credentials. */
  readonly keep: ReadonlySet<string>;
  /** Whether the user has the terminal and can answer. Default false. */
  readonly isAttended?: boolean;
}

/** Our settings, and variables that make a shell run code or read commands differently. */
const ALWAYS_REMOVED =
  /^(?:QWEN_|BASH_ENV$|ENV$|BASH_FUNC_|SHELLOPTS$|BASHOPTS$|PROMPT_COMMAND$|CDPATH$|GLOBIGNORE$|PS4$)/i;

/** Commands must not wait for input. */
const UNATTENDED: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  SSH_ASKPASS_REQUIRE: 'force',
  SUDO_ASKPASS: '/bin/false',
  DEBIAN_FRONTEND: 'noninteractive',
  TERM: 'dumb',
};

export function commandEnvironment(options: CommandEnvironmentOptions): Record<string, string> {
  const { base, keep, isAttended = false } = options;
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined) continue;
    if (keep.has(name) || !(ALWAYS_REMOVED.test(name) || isCredential(name, value))) environment[name] = value;
  }
  // git refuses to run when one of the numbered settings is missing.
  const isPartial = Object.keys(base).some((name) => /^GIT_CONFIG_VALUE_\d+$/.test(name) && !(name in environment));
  if (isPartial) delete environment['GIT_CONFIG_COUNT'];
  return isAttended ? environment : { ...environment, ...UNATTENDED };
}

/** The credentials that tools do not get, by name. */
export function withheldVariables(base: Environment, keep: ReadonlySet<string>): string[] {
  return Object.entries(base)
    .filter(([name, value]) => value !== undefined && !keep.has(name) && isCredential(name, value))
    .map(([name]) => name)
    .filter((name) => !Object.hasOwn(UNATTENDED, name))
    .toSorted();
}
