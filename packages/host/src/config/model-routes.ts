import { AgentError, type ModelOptions, nearestName } from '@qwen/protocol';
import { findKnownProvider, profileOf } from '../credentials/known-providers.js';
import type { Flags } from '../flags/args.js';
import { type Environment, withVariables } from './env.js';
import { joinModelOptions, readProxy, withModelOptions } from './model-options.js';
import { chooseProvider, defaultModelOf, type ProviderChoice, readHeaders, toProvider } from './provider.js';
import type { ProfileModel, ProviderProfile } from './provider-profiles.js';
import type { EffectiveSettings } from './settings.js';

export interface ModelRoute {
  readonly provider: ProviderChoice;
  /** In tokens, if configured. */
  readonly contextWindow?: number;
  readonly prices?: ModelOptions['prices'];
}

export interface ModelRoutes {
  /** The provider of models that no other one lists. */
  readonly provider: ProviderChoice;
  /** The start model: that of a flag, the environment, the settings or the provider, in this order. */
  readonly model: string;
  readonly listed: readonly string[];
  /** Accepts `model` and `provider/model`. */
  of(model: string): ModelRoute;
  /** Why `provider/model` probably names no model of a provider; undefined otherwise. */
  doubtAbout(model: string): string | undefined;
  /** Adds or replaces a provider of this process. Its models are called as `provider/model`. */
  add(profile: ProviderProfile): void;
}

export interface RouteSources {
  readonly flags: Flags;
  readonly environment: Environment;
  readonly settings: Pick<EffectiveSettings, 'modelOptions' | 'profiles' | 'provider' | 'proxy' | 'model'> &
    Partial<Pick<EffectiveSettings, 'extra'>>;
  /** Reads a variable that a profile names. Default: of this process. */
  readonly readVariable?: (name: string) => string | undefined;
}

/** A profile of the settings, or what the variables describe. */
type Main =
  | { readonly profile: ProviderProfile; readonly isForThisRun: boolean }
  | { readonly profile?: undefined; readonly choice: ProviderChoice };

interface Target {
  readonly profile: ProviderProfile;
  readonly model?: ProfileModel;
  /** The name at the provider, if it is another one. */
  readonly modelId?: string;
}

/**
 * The provider is the one of `--provider`, `QWEN_PROVIDER` or the setting, else that of the variables, else the first
 * profile. A model that a profile lists is called there, except for `--model` with `--provider`. Throws `usage`.
 */
export function createModelRoutes(given: RouteSources): ModelRoutes {
  const { flags, settings, readVariable = (name: string) => process.env[name] } = given;
  const { variables = {} } = settings.extra ?? {};
  const sources = {
    ...given,
    environment: withVariables(given.environment, variables),
    readVariable: (name: string) => readVariable(name) ?? variables[name],
  };
  const main = chooseProfile(sources) ?? chooseByVariables(sources);
  const { profile } = main;
  const isFixed = profile === undefined && isDescribedBy(flags);
  const profiles = isFixed ? [] : [...new Set([...(profile === undefined ? [] : [profile]), ...settings.profiles])];
  const route = (target: Target | undefined): ModelRoute => {
    const options = joinModelOptions([
      settings.modelOptions,
      target?.profile.options ?? {},
      target?.model?.options ?? {},
    ]);
    const choice = target === undefined ? choiceOf(main, sources) : toChoice(target, sources);
    const isMain = target !== undefined && target.profile === profile;
    return {
      provider: complete(choice, { options, isMain, modelId: target?.modelId }, sources),
      ...(options.contextWindow !== undefined && { contextWindow: options.contextWindow }),
      ...(options.prices !== undefined && { prices: options.prices }),
    };
  };
  const added = new Map<string, ProviderProfile>();
  const { provider } = route(profile && { profile });
  return {
    provider,
    model:
      flags.model ??
      modelOf(sources.environment, { main, provider }) ??
      modelOfSettings(settings, main) ??
      provider.defaultModel,
    listed: profiles.flatMap(({ models }) => models.map(({ id }) => id)),
    of: (model) => {
      const others = profiles.filter(({ name }) => !added.has(name));
      const known = [...added.values(), ...others];
      const isChosen = profile !== undefined && flags.provider !== undefined && model === flags.model;
      return route(findTarget(model, isChosen ? [profile] : known) ?? (profile && { profile }));
    },
    doubtAbout: (model) => {
      if (findTarget(model, profiles) !== undefined) return undefined;
      return doubtAbout(model, { provider, names: profiles.map(({ name }) => name) });
    },
    add: (other) => added.set(other.name, other),
  };
}

function modelOf(
  { QWEN_MODEL, OPENAI_MODEL, ANTHROPIC_MODEL }: Environment,
  { main, provider }: { readonly main: Main; readonly provider: ProviderChoice },
): string | undefined {
  if (QWEN_MODEL !== undefined || main.profile !== undefined || !provider.ok) return QWEN_MODEL;
  const { family } = provider.settings;
  if (family === 'anthropic') return ANTHROPIC_MODEL;
  return family === 'gemini' ? undefined : OPENAI_MODEL;
}

/** A provider that was chosen for this run may not have the model of the settings. */
function modelOfSettings({ model }: RouteSources['settings'], main: Main): string | undefined {
  if (main.profile === undefined || !main.isForThisRun) return model;
  return main.profile.models.find(({ id }) => id === model)?.id;
}

function isDescribedBy({ authType, baseUrl }: RouteSources['flags']): boolean {
  return authType !== undefined || baseUrl !== undefined;
}

function chooseProfile({ flags, environment, settings }: RouteSources): Main | undefined {
  const places = [
    [flags.provider, '--provider'],
    [isDescribedBy(flags) ? undefined : environment.QWEN_PROVIDER, 'QWEN_PROVIDER'],
    [isDescribedBy(flags) ? undefined : settings.provider, 'The setting provider'],
  ] as const;
  const place = places.find(([name]) => name !== undefined);
  if (place === undefined) return undefined;
  const [name = '', source] = place;
  const known = findKnownProvider(name);
  const listed = settings.profiles.find((candidate) => candidate.name === name);
  const profile = listed ?? (known === undefined ? undefined : profileOf(known));
  if (profile !== undefined) return { profile, isForThisRun: source !== 'The setting provider' };
  const names = settings.profiles.map((candidate) => candidate.name).join(', ');
  const advice = names === '' ? 'Add it to providers in ~/.qwen/settings.json.' : `Choose one of: ${names}.`;
  throw new AgentError('usage', `${source} names "${name}", which is not configured. ${advice}`);
}

function chooseByVariables({ flags, environment, settings }: RouteSources): Main {
  const { authType, baseUrl } = flags;
  const preferred = authType ?? settings.extra?.authType;
  const first = chooseProvider({ ...flags, ...(preferred !== undefined && { authType: preferred }) }, environment);
  const choice = first.ok || preferred === authType ? first : chooseProvider(flags, environment);
  if (choice.ok || baseUrl !== undefined) return { choice };
  const profile = settings.profiles.find(({ type }) => authType === undefined || type === authType);
  return profile === undefined ? { choice } : { profile, isForThisRun: false };
}

function choiceOf(main: Main, sources: RouteSources): ProviderChoice {
  return main.profile === undefined ? main.choice : toChoice({ profile: main.profile }, sources);
}

function findTarget(name: string, profiles: readonly ProviderProfile[]): Target | undefined {
  for (const profile of profiles) {
    const model = profile.models.find(({ id }) => id === name);
    if (model !== undefined) return { profile, model };
  }
  const profile = profiles.find((candidate) => name.startsWith(`${candidate.name}/`));
  if (profile === undefined) return undefined;
  const rest = name.slice(profile.name.length + 1);
  // The names of OpenRouter's own routers, such as `openrouter/auto`, have its name as the vendor.
  const modelId = isOpenRouter(profile) && !rest.includes('/') ? `openrouter/${rest}` : rest;
  const model = profile.models.find(({ id }) => id === modelId);
  return { profile, modelId, ...(model !== undefined && { model }) };
}

function isOpenRouter({ baseUrl = '' }: ProviderProfile): boolean {
  return /(^|\.)openrouter\.ai$/.test(URL.parse(baseUrl)?.hostname ?? '');
}

/** Gateways and local servers have model names with a slash; these services have none. */
const NAMES_WITHOUT_SLASH = /(^|\.)(openai\.com|anthropic\.com|deepseek\.com|x\.ai)$/;

function doubtAbout(
  model: string,
  { provider, names }: { readonly provider: ProviderChoice; readonly names: readonly string[] },
): string | undefined {
  const [prefix = '', ...rest] = model.split('/');
  if (rest.length === 0 || !provider.ok) return undefined;
  const { baseUrl, family } = provider.settings;
  const nearest = nearestName(prefix, names);
  const hasNoSlash =
    baseUrl === undefined ? family !== 'gemini' : NAMES_WITHOUT_SLASH.test(URL.parse(baseUrl)?.hostname ?? '');
  if (nearest === undefined && !hasNoSlash) return undefined;
  const advice =
    nearest === undefined
      ? `Add it to providers in ~/.qwen/settings.json, or run qwen auth login --provider ${prefix}.`
      : `Did you mean ${nearest}/${rest.join('/')}?`;
  return `${model}: no provider is named "${prefix}", so the whole name is sent as the name of the model. ${advice}`;
}

function toChoice({ profile, model = profile.models[0] }: Target, sources: RouteSources): ProviderChoice {
  const { environment, readVariable = (name: string) => process.env[name] } = sources;
  const { type, source, options } = profile;
  refuseMistyped(profile);
  const baseUrl = model?.baseUrl ?? profile.baseUrl;
  const envKey = model?.envKey ?? profile.envKey;
  const isStoredHere = profile.stored !== undefined && isSameHost(profile.stored.baseUrl, baseUrl);
  const stored = isStoredHere ? profile.stored : undefined;
  const variable = /^\$\{?(\w+)\}?$/.exec(profile.apiKey ?? '')?.[1] ?? (profile.apiKey ? undefined : envKey);
  const given = variable === undefined ? profile.apiKey : readVariable(variable)?.trim() || undefined;
  const isStored = given === undefined && stored?.key !== undefined;
  return toProvider(
    {
      name: profile.name,
      type,
      baseUrl,
      apiKey: given ?? stored?.key,
      keyProblem: stored?.problem,
      // Other headers may contain the credential.
      needsKey: options.extraHeaders === undefined,
      keySource: isStored ? `the stored key of ${profile.name}` : (variable ?? `${source}.apiKey`),
      urlSource: `${source}.baseUrl`,
      defaultModel: profile.models[0]?.id ?? profile.defaultModel ?? defaultModelOf(type, baseUrl),
    },
    environment,
  );
}

/** Without its address, the key would go to the public endpoint of the type. Throws `usage`. */
function refuseMistyped(profile: ProviderProfile): void {
  if (profile.baseUrl !== undefined) return;
  const wrong = Object.keys(profile).find(
    (member) => member !== 'baseUrl' && /base|ur[il]|endpoint|host/i.test(member),
  );
  if (wrong === undefined) return;
  throw new AgentError('usage', `${profile.source}.${wrong} is unknown. Did you mean ${profile.source}.baseUrl?`);
}

/** A stored key only goes to the service that it was stored for. */
function isSameHost(stored: string | undefined, used: string | undefined): boolean {
  if (stored === undefined || used === undefined) return stored === used;
  return URL.canParse(stored) && URL.canParse(used) && new URL(stored).origin === new URL(used).origin;
}

interface Completion {
  readonly options: ModelOptions;
  /** The headers of flags are for this provider. */
  readonly isMain: boolean;
  readonly modelId: string | undefined;
}

function complete(
  choice: ProviderChoice,
  { options, isMain, modelId }: Completion,
  sources: RouteSources,
): ProviderChoice {
  if (!choice.ok) return choice;
  const { flags, settings, environment } = sources;
  const proxy = readProxy(flags, settings.proxy, environment);
  const headers = isMain ? readHeaders(flags, {}) : {};
  const found = { ...choice.settings, ...(Object.keys(headers).length > 0 && { headers }) };
  return {
    ...choice,
    settings: {
      ...withModelOptions(found, options, flags),
      ...(modelId !== undefined && { modelId }),
      ...(proxy !== undefined && { proxy }),
    },
  };
}
