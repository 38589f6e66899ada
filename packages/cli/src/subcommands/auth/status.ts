import { type Account, toAccount } from '@qwen/host/config/account.js';
import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { loadSettings } from '@qwen/host/config/load-settings.js';
import { createModelRoutes } from '@qwen/host/config/model-routes.js';
import { CredentialStore, type StoredCredential } from '@qwen/host/credentials/credential-store.js';
import { findKnownProvider } from '@qwen/host/credentials/known-providers.js';
import type { Subcommand, SubcommandOptions } from '../subcommand.js';
import { JSON_FLAGS, wantsJson } from '../words/json-flags.js';
import { readWords } from '../words/read-words.js';

export const runAuthStatus: Subcommand = async (options) => {
  const { words, environment, cwd, print, printError } = options;
  const { flags } = readWords(words, { command: 'auth status', flags: JSON_FLAGS, onlyFlags: true });
  const { isReady, text, ...used } = await describeUse(options);
  let problem: string | undefined;
  const stored = await new CredentialStore(findConfigDir(environment, cwd)).list().catch((thrown: Error) => {
    problem = thrown.message;
    return [];
  });
  const rows = stored.map((credential) => describe(credential, process.env));
  if (wantsJson(flags)) {
    const listed = rows.map(({ text: _shown, ...row }) => row);
    await print(
      `${JSON.stringify({ ...used, stored: listed, ...(problem !== undefined && { problem }) }, undefined, 2)}\n`,
    );
  } else {
    await print(`${[text, ...rows.map((row) => row.text)].join('\n')}\n`);
    if (problem !== undefined) printError(problem);
  }
  return isReady ? 0 : 1;
};

interface Use {
  readonly isReady: boolean;
  /** For people. */
  readonly text: string;
  readonly account: Account;
  readonly model?: string;
}

/** What a session that starts now would use. */
export async function describeUse({ environment, cwd }: Pick<SubcommandOptions, 'environment' | 'cwd'>): Promise<Use> {
  const settings = await loadSettings({ configDir: findConfigDir(environment, cwd), cwd, flags: {} });
  const routes = createModelRoutes({ flags: {}, environment, settings });
  const { model } = routes;
  const { provider } = routes.of(model);
  const account = toAccount(provider);
  if (!provider.ok) return { isReady: false, text: provider.error.message, account };
  const credential = account.credentialSource === undefined ? 'no key' : account.credentialSource;
  const text = `In use: ${account.provider} at ${account.host} with ${credential}; model ${model}.`;
  return { isReady: true, text, account, model };
}

function describe(
  { provider, place, savedAt, problem }: StoredCredential,
  variables: Readonly<Record<string, string | undefined>>,
): Omit<StoredCredential, 'key' | 'baseUrl'> & { readonly overriddenBy?: string; readonly text: string } {
  const variable = findKnownProvider(provider)?.envKey;
  const isOverridden = variable !== undefined && (variables[variable]?.trim() ?? '') !== '';
  const details = [
    `stored in ${place === 'file' ? 'the file credentials.json' : 'the keychain'} on ${savedAt.slice(0, 10)}`,
    ...(isOverridden ? [`${variable} is set and takes precedence`] : []),
    ...(problem === undefined ? [] : [problem]),
  ];
  return {
    provider,
    place,
    savedAt,
    ...(problem !== undefined && { problem }),
    ...(isOverridden && { overriddenBy: variable }),
    text: `${provider}: ${details.join('; ')}`,
  };
}
