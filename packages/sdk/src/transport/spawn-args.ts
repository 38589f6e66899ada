import type { QueryOptions } from '../options.js';

/** The options that become flags. */
export type ArgumentOptions = Pick<
  QueryOptions,
  | 'model'
  | 'permissionMode'
  | 'canUseTool'
  | 'authType'
  | 'maxSessionTurns'
  | 'coreTools'
  | 'excludeTools'
  | 'allowedTools'
  | 'includeDirectories'
  | 'additionalDirectories'
  | 'settingSources'
  | 'trustProject'
  | 'includePartialMessages'
  | 'includeHookEvents'
  | 'resume'
  | 'continue'
  | 'forkSession'
  | 'resumeSessionAt'
  | 'extraArgs'
> & {
  /** The id that a new session shall have. */
  readonly sessionId?: string | undefined;
};

/** What chooses the machine mode and the sdk dialect. */
const SDK_DIALECT = ['--input-format=stream-json', '--output-format=stream-json', '--channel=SDK'] as const;

/**
 * The flags of the CLI for these options, in a fixed order. Every value is bound with `=`, so that none can pass for
 * a flag. Prompts, system prompts, servers and secrets are never among them: a command line is public and short
 * (F34, HOUSE §4.23). `dialect` are the flags that choose how the CLI speaks. Default: as `query()` wants it.
 */
export function toArguments(options: ArgumentOptions, dialect: readonly string[] = SDK_DIALECT): string[] {
  return [
    ...dialect,
    ...flag('model', options.model),
    ...flag('approval-mode', permissionModeOf(options)),
    ...flag('auth-type', options.authType),
    ...flag('max-session-turns', options.maxSessionTurns),
    // An empty list means none of the built-in tools; the other lists say nothing when empty.
    ...(options.coreTools?.length === 0 ? ['--core-tools='] : list('core-tools', options.coreTools)),
    ...list('exclude-tools', options.excludeTools),
    ...list('allowed-tools', options.allowedTools),
    ...list('include-directories', [...(options.includeDirectories ?? []), ...(options.additionalDirectories ?? [])]),
    // An empty list means no settings file at all.
    ...(options.settingSources === undefined ? [] : [`--setting-sources=${options.settingSources.join(',')}`]),
    ...switchOn('trust-project', options.trustProject),
    ...switchOn('include-partial-messages', options.includePartialMessages),
    ...switchOn('include-hook-events', options.includeHookEvents),
    ...flag('resume', options.resume),
    ...switchOn('continue', options.continue),
    ...switchOn('fork-session', forks(options)),
    ...flag('resume-session-at', options.resumeSessionAt),
    ...flag('session-id', options.sessionId),
    ...(options.extraArgs ?? []),
  ];
}

/** Whether the session is a new one, made of an old one: one that goes on from an earlier message leaves the old whole. */
export function forks({
  forkSession,
  resumeSessionAt,
}: Pick<ArgumentOptions, 'forkSession' | 'resumeSessionAt'>): boolean {
  return forkSession === true || resumeSessionAt !== undefined;
}

/** An app that answers permission questions must be asked, whatever the settings of the user say (B2). */
function permissionModeOf({ permissionMode, canUseTool }: ArgumentOptions): string | undefined {
  return permissionMode ?? (canUseTool === undefined ? undefined : 'default');
}

function flag(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}

function list(name: string, values: readonly string[] | undefined): string[] {
  return values === undefined || values.length === 0 ? [] : [`--${name}=${values.join(',')}`];
}

/** Whether the CLI reads the items of a list as they were: it splits at commas that stand outside of brackets. */
export function splitsBack(items: readonly string[]): boolean {
  const read = items.length === 0 ? [] : items.join(',').split(/,(?![^()]*\))/);
  return read.length === items.length && read.every((item, index) => item === items[index]);
}

function switchOn(name: string, value: boolean | undefined): string[] {
  return value === true ? [`--${name}`] : [];
}

const RESERVED_FLAGS: ReadonlySet<string> = new Set([
  '--input-format',
  '--output-format',
  '--channel',
  '--dialect',
  '--model',
  '--approval-mode',
  '--permission-mode',
  '--yolo',
  '--auth-type',
  '--max-session-turns',
  '--core-tools',
  '--exclude-tools',
  '--allowed-tools',
  '--include-directories',
  '--add-dir',
  '--setting-sources',
  '--trust-project',
  '--resume-session-at',
  '--include-partial-messages',
  '--include-hook-events',
  '--resume',
  '--continue',
  '--fork-session',
  '--session-id',
  '--prompt',
  '--system-prompt',
  '--append-system-prompt',
]);

/** The flag of an extra argument that an option of ours already sets, or undefined when there is none. */
export function reservedFlagOf(argument: string): string | undefined {
  const name = argument.split('=', 1)[0] ?? '';
  return RESERVED_FLAGS.has(name) ? name : undefined;
}
