export type Environment = Readonly<Record<string, string | undefined>>;

export interface CommandEnvironmentOptions {
  readonly base: Environment;
  /** Kept although they look like secrets. */
  readonly keep: ReadonlySet<string>;
}

/** Our settings, and variables that make a shell run code or read commands differently. */
const ALWAYS_REMOVED =
  /^(?:QWEN_|BASH_ENV$|ENV$|BASH_FUNC_|SHELLOPTS$|BASHOPTS$|PROMPT_COMMAND$|CDPATH$|GLOBIGNORE$|PS4$)/i;

const SECRET =
  /(?:^|_)(?:API_?KEYS?|ACCESS_?KEY(?:_ID)?|SECRET(?:_?KEY)?|SECRETS?|PRIVATE_?KEY|(?:AUTH_?)?TOKENS?|PASSWORD|PASSWD|CREDENTIALS?|AUTH)$/i;

const PROVIDER_SECRET =
  /^(?:OPENAI|DASHSCOPE|GEMINI|GOOGLE|ANTHROPIC|AZURE_OPENAI)_.*(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)/i;

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

export function commandEnvironment({ base, keep }: CommandEnvironmentOptions): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && (keep.has(name) || !isRemoved(name))) environment[name] = value;
  }
  return { ...environment, ...UNATTENDED };
}

function isRemoved(name: string): boolean {
  return ALWAYS_REMOVED.test(name) || SECRET.test(name) || PROVIDER_SECRET.test(name);
}
