import type { QueryOptions } from '../options/options.js';

export type ArgumentOptions = Pick<
  QueryOptions,
  | 'model'
  | 'permissionMode'
  | 'sandbox'
  | 'canUseTool'
  | 'authType'
  | 'maxSessionTurns'
  | 'maxToolCalls'
  | 'coreTools'
  | 'excludeTools'
  | 'allowedTools'
  | 'includeDirectories'
  | 'additionalDirectories'
  | 'settingSources'
  | 'trustProject'
  | 'safeMode'
  | 'allowedMcpServerNames'
  | 'disabledSlashCommands'
  | 'skills'
  | 'plugins'
  | 'proxy'
  | 'includePartialMessages'
  | 'includeHookEvents'
  | 'resume'
  | 'continue'
  | 'forkSession'
  | 'resumeSessionAt'
  | 'extraArgs'
> & {
  readonly sessionId?: string | undefined;
};

const SDK_DIALECT = ['--input-format=stream-json', '--output-format=stream-json', '--channel=SDK'] as const;

/** Prompts, servers and secrets are never included: other users can read command lines. */
export function toArguments(options: ArgumentOptions, dialect: readonly string[] = SDK_DIALECT): string[] {
  return [
    ...dialect,
    ...flag('model', options.model),
    ...flag('approval-mode', permissionModeOf(options)),
    ...flag('sandbox', sandboxOf(options)),
    ...flag('auth-type', options.authType),
    ...flag('max-session-turns', options.maxSessionTurns),
    ...flag('max-tool-calls', options.maxToolCalls),
    // Empty: no built-in tools.
    ...(options.coreTools?.length === 0 ? ['--core-tools='] : list('core-tools', options.coreTools)),
    ...list('exclude-tools', options.excludeTools),
    ...list('allowed-tools', options.allowedTools),
    ...list('include-directories', [...(options.includeDirectories ?? []), ...(options.additionalDirectories ?? [])]),
    // Empty: no settings files.
    ...(options.settingSources === undefined ? [] : [`--setting-sources=${options.settingSources.join(',')}`]),
    ...switchOn('trust-project', options.trustProject),
    ...switchOn('safe-mode', options.safeMode),
    ...list('allowed-mcp-server-names', options.allowedMcpServerNames),
    ...list('disabled-slash-commands', options.disabledSlashCommands),
    // Empty: no skills.
    ...(Array.isArray(options.skills) ? [`--skills=${options.skills.join(',')}`] : []),
    ...(options.plugins ?? []).map(({ path }) => `--plugin-dir=${path}`),
    ...flag('proxy', options.proxy),
    ...switchOn('include-partial-messages', options.includePartialMessages),
    ...switchOn('include-hook-events', options.includeHookEvents),
    ...flag('resume', options.resume),
    ...switchOn('continue', options.continue),
    ...switchOn('fork-session', forks(options)),
    ...flag('resume-session-at', options.resumeSessionAt),
    ...flag('session-id', options.sessionId),
    ...toArgumentList(options.extraArgs),
  ];
}

/** Resuming at an earlier message also makes a copy. */
export function forks({
  forkSession,
  resumeSessionAt,
}: Pick<ArgumentOptions, 'forkSession' | 'resumeSessionAt'>): boolean {
  return forkSession === true || resumeSessionAt !== undefined;
}

function sandboxOf({ sandbox }: ArgumentOptions): string | undefined {
  if (typeof sandbox !== 'boolean') return sandbox;
  return sandbox ? 'workspace-write' : 'off';
}

/** With `canUseTool` the app must be asked. */
function permissionModeOf({ permissionMode, canUseTool }: ArgumentOptions): string | undefined {
  return permissionMode ?? (canUseTool === undefined ? undefined : 'default');
}

function flag(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}

function list(name: string, values: readonly string[] | undefined): string[] {
  return values === undefined || values.length === 0 ? [] : [`--${name}=${values.join(',')}`];
}

/** The flags of either form of `extraArgs`. */
export function toArgumentList(extraArgs: QueryOptions['extraArgs']): readonly string[] {
  if (extraArgs === undefined) return [];
  if (isList(extraArgs)) return extraArgs;
  return Object.entries(extraArgs).map(([name, value]) => (value === null ? `--${name}` : `--${name}=${value}`));
}

function isList(extraArgs: NonNullable<QueryOptions['extraArgs']>): extraArgs is readonly string[] {
  return Array.isArray(extraArgs);
}

/** The CLI splits at commas outside brackets. */
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
  '-o',
  '--channel',
  '--dialect',
  '--model',
  '-m',
  '--auth-type',
  '--approval-mode',
  '--permission-mode',
  '--sandbox',
  '--yolo',
  '-y',
  '--permission-prompt-tool',
  '--max-session-turns',
  '--max-turns',
  '--max-tool-calls',
  '--core-tools',
  '--tools',
  '--exclude-tools',
  '--disallowedTools',
  '--disallowed-tools',
  '--allowed-tools',
  '--allowedTools',
  '--include-directories',
  '--add-dir',
  '--setting-sources',
  '--trust-project',
  '--safe-mode',
  '--allowed-mcp-server-names',
  '--disabled-slash-commands',
  '--skills',
  '--plugin-dir',
  '--proxy',
  '--include-partial-messages',
  '--include-hook-events',
  '--resume',
  '-r',
  '--continue',
  '-c',
  '--fork-session',
  '--resume-session-at',
  '--session-id',
  '--prompt',
  '-p',
  '--print',
  '--prompt-interactive',
  '-i',
  '--system-prompt',
  '--append-system-prompt',
]);

export function reservedFlagOf(argument: string): string | undefined {
  const name = argument.split('=', 1)[0] ?? '';
  return RESERVED_FLAGS.has(name) ? name : undefined;
}
