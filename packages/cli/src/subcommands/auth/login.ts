import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { loadSettings } from '@qwen/host/config/load-settings.js';
import { defaultModelOf } from '@qwen/host/config/provider.js';
import type { ProviderProfile } from '@qwen/host/config/provider-profiles.js';
import type { EffectiveSettings } from '@qwen/host/config/settings.js';
import { findKnownProvider, KNOWN_PROVIDERS, profileOf } from '@qwen/host/credentials/known-providers.js';
import { describeProvider, makeDefault, signIn } from '@qwen/host/credentials/sign-in.js';
import { AgentError, nearestName } from '@qwen/protocol';
import type { Subcommand } from '../subcommand.js';
import { type ReadWords, readWords } from '../words/read-words.js';
import { readKey } from './read-key.js';
import { AUTH } from './spec.js';
import { describeUse } from './status.js';

type LoginFlags = ReadWords<typeof AUTH.verbs.login.flags>['flags'];

export const runAuthLogin: Subcommand = async ({ words, environment, cwd, print, printError }) => {
  const { flags } = readWords(words, { command: 'auth login', flags: AUTH.verbs.login.flags, onlyFlags: true });
  const configDir = findConfigDir(environment, cwd);
  const settings = await loadSettings({ configDir, cwd, flags: {} });
  const profile = chooseProfile(flags, settings);
  const { name, type, baseUrl } = profile;
  const isNew = flags['base-url'] !== undefined;
  const page = isNew ? undefined : findKnownProvider(name)?.keyPage;
  const text = await readKey(`Key for ${name}${page === undefined ? '' : ` (create one at ${page})`}: `);
  const signal = new AbortController().signal;
  const checks = flags['no-check'] !== true;
  const place = flags.store;
  const signedIn = await signIn({ configDir, profile, text, place, checks, environment, settings, signal }).catch(
    (thrown: unknown) => {
      throw withAdvice(AgentError.from(thrown), name, page);
    },
  );
  if (signedIn.problem !== undefined) printError(signedIn.problem);
  const listed = signedIn.models.map(({ id }) => id);
  const model = flags.model ?? (isNew && listed.length === 1 ? listed[0] : undefined);
  const used = model ?? profile.models[0]?.id ?? profile.defaultModel ?? defaultModelOf(type, baseUrl);
  if (listed.length > 0 && !listed.includes(used)) printError(unlisted(name, used, listed));
  const endpoint = isNew && baseUrl !== undefined ? { type, baseUrl } : undefined;
  const chosen = { name, model, endpoint };
  await describeProvider(configDir, chosen);
  if (flags.default === true) await makeDefault(configDir, { ...chosen, model: model ?? profile.defaultModel });
  const state = checks ? `The provider accepted it and lists ${signedIn.models.length} models.` : 'It was not checked.';
  await print(`Stored the key of ${name} in ${signedIn.where}. ${state}\n`);
  await print(`${(await describeUse({ environment, cwd })).text}\n`);
  return 0;
};

/** Throws `usage`. */
function chooseProfile(flags: LoginFlags, settings: EffectiveSettings): ProviderProfile {
  const { provider: name, 'base-url': baseUrl, type = 'openai', model } = flags;
  const known = name === undefined ? undefined : findKnownProvider(name);
  const listed = settings.profiles.find((profile) => profile.name === name);
  const names = [...new Set([...settings.profiles, ...KNOWN_PROVIDERS].map((each) => each.name))].join(', ');
  if (name === undefined) {
    throw new AgentError('usage', `auth login: choose a provider with --provider: ${names}; or add --base-url URL.`);
  }
  if (baseUrl === undefined) {
    const profile = listed ?? (known && profileOf(known));
    if (profile !== undefined) return profile;
    throw new AgentError(
      'usage',
      `auth login: "${name}" is not one of ${names}. For another endpoint, add --base-url.`,
    );
  }
  if (known !== undefined) {
    throw new AgentError('usage', `auth login: ${name} has its own address. Choose another name for ${baseUrl}.`);
  }
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new AgentError('usage', 'auth login: --base-url is not a valid URL. Write it as https://host/v1.');
  }
  const models = model === undefined ? [] : [{ id: model, options: {} }];
  return { name, type, baseUrl, source: `providers.${name}`, models, options: {} };
}

function unlisted(name: string, model: string, listed: readonly string[]): string {
  const nearest = nearestName(model, listed);
  const some = nearest === undefined ? listed.slice(0, 5) : [nearest];
  const examples = `${some.join(', ')}${listed.length > some.length ? ', …' : ''}`;
  return `${name} does not list the model ${model}, which is used there. Choose one with --model, such as: ${examples}`;
}

function withAdvice(error: AgentError, name: string, page: string | undefined): AgentError {
  if (error.code === 'usage' || error.code === 'storage_unwritable' || error.code === 'cancelled') return error;
  const isRefused = error.code === 'auth_failed' || error.code === 'permission_refused';
  const check = `Check that the key is complete and belongs to ${name}${page === undefined ? '' : `; create one at ${page}`}.`;
  const advice = isRefused ? check : 'To skip the check, add --no-check.';
  return new AgentError(error.code, `The key was not stored. ${error.message} ${advice}`, { cause: error });
}
