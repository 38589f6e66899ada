import { AUTH } from './auth/spec.js';
import type { Subcommand } from './subcommand.js';
import { chooseVerb } from './words/choose-verb.js';

const VERBS: Readonly<Record<keyof typeof AUTH.verbs, () => Promise<Subcommand>>> = {
  login: async () => (await import('./auth/login.js')).runAuthLogin,
  logout: async () => (await import('./auth/logout.js')).runAuthLogout,
  status: async () => (await import('./auth/status.js')).runAuthStatus,
};

export const runAuth: Subcommand = async (options) => {
  const chosen = chooseVerb('auth', AUTH, options.words);
  if (chosen.kind === 'help') {
    await options.print(chosen.text);
    return 0;
  }
  const run = await VERBS[chosen.verb]();
  return run({ ...options, words: chosen.words });
};
