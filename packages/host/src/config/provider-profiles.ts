import {
  type ListedModelSetting,
  listedModelSchema,
  type ModelOptions,
  PROVIDER_TYPES,
  type ProviderType,
  type Settings,
} from '@qwen/protocol';
import type { StoredCredential } from '../credentials/credential-store.js';

export interface ProfileModel {
  readonly id: string;
  /** Overrides those of the profile. */
  readonly baseUrl?: string | undefined;
  readonly envKey?: string | undefined;
  readonly options: ModelOptions;
}

export interface ProviderProfile {
  readonly name: string;
  readonly type: ProviderType;
  /** The setting, for errors. */
  readonly source: string;
  readonly baseUrl?: string | undefined;
  readonly envKey?: string | undefined;
  readonly apiKey?: string | undefined;
  /** If there are no models. Default: that of the type. */
  readonly defaultModel?: string;
  readonly stored?: StoredCredential;
  readonly models: readonly ProfileModel[];
  readonly options: ModelOptions;
}

type ProviderSettingsPart = Pick<Settings, 'providers' | 'modelProviders' | 'providerProtocol'>;

/** qwen-code reads the key of a model without `envKey` from here. */
const DEFAULT_KEYS: Readonly<Record<ProviderType, string | undefined>> = {
  openai: 'OPENAI_API_KEY',
  'openai-responses': 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  gemini: 'GEMINI_API_KEY',
  'vertex-ai': undefined,
};

/** The providers of both settings; of two with the same name, that of `providers`. Pure. */
export function readProfiles(settings: ProviderSettingsPart): readonly ProviderProfile[] {
  const own = Object.entries(settings.providers ?? {}).map(
    ([name, { type = 'openai', models = [], options = {}, ...rest }]): ProviderProfile => ({
      name,
      type,
      source: `providers.${name}`,
      ...rest,
      models: models.map((model) =>
        typeof model === 'string' ? { id: model, options: {} } : { id: model.id, options: model.options ?? {} },
      ),
      options,
    }),
  );
  const listed = Object.entries(settings.modelProviders ?? {}).flatMap(([name, models]): ProviderProfile[] => {
    const type = typeOf(name, settings.providerProtocol?.[name]);
    if (type === undefined || !Array.isArray(models) || own.some((profile) => profile.name === name)) return [];
    const read = models.flatMap((model) => readListed(model, type));
    return [{ name, type, source: `modelProviders.${name}`, models: read, options: {} }];
  });
  return [...own, ...listed];
}

function typeOf(name: string, protocol: string | undefined): ProviderType | undefined {
  return PROVIDER_TYPES.find((type) => type === (protocol ?? name));
}

/** An entry that qwen-code would skip is skipped. */
function readListed(entry: unknown, type: ProviderType): ProfileModel[] {
  const parsed = listedModelSchema.safeParse(entry);
  if (!parsed.success) return [];
  const { id, baseUrl, envKey = DEFAULT_KEYS[type], generationConfig = {} } = parsed.data;
  return [{ id, baseUrl, envKey, options: toOptions(generationConfig) }];
}

const SAMPLING = { temperature: 'temperature', top_p: 'topP', max_tokens: 'maxTokens' } as const;

export function toOptions(config: NonNullable<ListedModelSetting['generationConfig']>): ModelOptions {
  const { timeout, contextWindowSize, enableCacheControl, customHeaders, extra_body, samplingParams = {} } = config;
  const params = Object.entries(samplingParams);
  const known = params.flatMap(([name, value]) => {
    const option = SAMPLING[name as keyof typeof SAMPLING];
    return option !== undefined && typeof value === 'number' ? [[option, value] as const] : [];
  });
  const others = params.filter(([name, value]) => !(name in SAMPLING) && value !== undefined);
  const body = { ...Object.fromEntries(others), ...extra_body };
  return {
    ...(timeout !== undefined && { timeouts: { firstByte: timeout / 1_000, idle: timeout / 1_000 } }),
    ...(contextWindowSize && { contextWindow: contextWindowSize }),
    ...(enableCacheControl === false && { promptCache: 'off' as const }),
    ...(customHeaders !== undefined && { extraHeaders: customHeaders }),
    ...(Object.keys(body).length > 0 && { extraBody: body }),
    ...toReasoning(config.reasoning),
    ...Object.fromEntries(known),
  };
}

function toReasoning(reasoning: unknown): ModelOptions {
  if (reasoning === false) return { thinkingBudget: 0 };
  if (typeof reasoning !== 'object' || reasoning === null) return {};
  const { effort, budget_tokens } = reasoning as Readonly<Record<string, unknown>>;
  if (typeof budget_tokens === 'number') return { thinkingBudget: budget_tokens };
  const isKnown =
    effort === 'low' || effort === 'medium' || effort === 'high' || effort === 'xhigh' || effort === 'max';
  return isKnown ? { effort } : {};
}
