import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { CredentialStore } from '@qwen/host/credentials/credential-store.js';
import { AgentError } from '@qwen/protocol';
import type { Subcommand } from '../subcommand.js';
import { readWords } from '../words/read-words.js';
import { AUTH } from './spec.js';

export const runAuthLogout: Subcommand = async ({ words, environment, cwd, print, printError }) => {
  const { flags } = readWords(words, { command: 'auth logout', flags: AUTH.verbs.logout.flags, onlyFlags: true });
  const store = new CredentialStore(findConfigDir(environment, cwd));
  const stored = (await store.list()).map(({ provider }) => provider);
  if ((flags.provider === undefined) === (flags.all !== true)) {
    const names = stored.length === 0 ? 'No keys are stored.' : `Keys are stored for: ${stored.join(', ')}.`;
    throw new AgentError('usage', `auth logout: pass either --provider NAME or --all. ${names}`);
  }
  const names = flags.provider === undefined ? stored : [flags.provider];
  for (const name of names) {
    if (await store.remove(name)) await print(`Removed the key of ${name}.\n`);
    else {
      printError(`no key is stored for ${name}`);
      return 1;
    }
  }
  return 0;
};
