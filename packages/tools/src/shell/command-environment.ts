/** A process environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface CommandEnvironmentOptions {
  /** The environment that we run in. */
  readonly base: Environment;
  /** Names that pass although they look like secrets. */
  readonly keep: ReadonlySet<string>;
}

/** Our own settings, and what makes a shell run code or change what a command means. */
const ALWAYS_REMOVED =
  /^(?:QWEN_|BASH_ENV$|ENV$|BASH_FUNC_|SHELLOPTS$|BASHOPTS$|PROMPT_COMMAND$|CDPATH$|GLOBIGNORE$|PS4$)/i;

/** Names that providers, clouds and CI systems give to secrets (S108). */
const SECRET =
  /(?:^|_)(?:API_?KEYS?|ACCESS_?KEY(?:_ID)?|SECRET(?:_?KEY)?|SECRETS?|PRIVATE_?KEY|(?:AUTH_?)?TOKENS?|PASSWORD|PASSWD|CREDENTIALS?|AUTH)$/i;

/** Whatever these families hold beyond an address or a name may be a secret under another name. */
const PROVIDER_SECRET =
  /^(?:OPENAI|DASHSCOPE|GEMINI|GOOGLE|ANTHROPIC|AZURE_OPENAI)_.*(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)/i;

/** Nothing may wait for a person: prompts fail, pagers print, editors refuse (F53). */
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

/** The environment of a command: ours without secrets and without what would run or wait on its own. */
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
