import {
  EFFORTS,
  findIssues,
  isJsonObject,
  type ListedModelSetting,
  listedModelSchema,
  type ModelOptions,
  modelOptionsSchema,
  PROVIDER_TYPES,
} from '@qwen/protocol';
import * as z from 'zod/mini';
import { isVariableName, type VariableName } from '../env.js';
import { type ProviderProfile, readProfiles, toOptions } from '../provider-profiles.js';
import type { RunLimits } from '../settings.js';
import type { MemberReader } from './member-reader.js';

type GenerationConfig = NonNullable<ListedModelSetting['generationConfig']>;

/** Those of `generationConfig` that have an effect. */
const GENERATION: Readonly<Record<string, z.ZodMiniType>> = {
  timeout: z.number().check(z.nonnegative()),
  contextWindowSize: z.nullable(z.int().check(z.positive())),
  enableCacheControl: z.boolean(),
  customHeaders: z.record(z.string(), z.string()),
  extra_body: z.record(z.string(), z.unknown()),
  samplingParams: z.record(z.string(), z.unknown()),
  reasoning: z.union([z.literal(false), z.record(z.string(), z.unknown())]),
};

const unlimited = z.literal(-1);
const count = z.union([unlimited, z.int().check(z.positive())]);
const seconds = z.union([unlimited, z.number().check(z.gte(0.001), z.lte(100_000_000))]);

export interface TranslatedModels {
  readonly model?: string | undefined;
  readonly fallbackModel?: readonly string[] | undefined;
  readonly modelOptions?: ModelOptions | undefined;
  readonly limits: RunLimits;
}

export function translateModels(reader: MemberReader): TranslatedModels {
  const model = reader.read('model.name', z.string().check(z.minLength(1)));
  const effort = reader.read('model.reasoningEffort', z.enum(EFFORTS));
  const fallbacks = reader
    .read('modelFallbacks', z.string())
    ?.split(',')
    .map((name) => name.trim());
  const config = readGeneration(reader, 'model.generationConfig');
  if (reader.read('model.generationConfig.disableCacheControl', z.boolean()) === true) {
    config.enableCacheControl = false;
  }
  const prices = readPrices(reader);
  const options = {
    ...toOptions(config),
    ...(effort !== undefined && { effort }),
    ...(prices !== undefined && { prices }),
  };
  return {
    model,
    fallbackModel: fallbacks?.filter((name) => name !== ''),
    ...(Object.keys(options).length > 0 && { modelOptions: options }),
    limits: {
      ...limit('maxSessionTurns', reader.read('model.maxSessionTurns', count)),
      ...limit('wallSeconds', reader.read('model.maxWallTimeSeconds', seconds)),
      ...limit('toolCalls', reader.read('model.maxToolCalls', z.int().check(z.gte(-1)))),
      ...limit('sessionTokens', reader.read('model.sessionTokenLimit', count)),
    },
  };
}

function limit(name: keyof RunLimits, value: number | undefined): RunLimits {
  return value === undefined ? {} : { [name]: Math.round(value * 1000) / 1000 };
}

function readGeneration(reader: MemberReader, path: string): GenerationConfig {
  const config: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(GENERATION)) {
    const value = reader.read(`${path}.${name}`, schema);
    if (value !== undefined) config[name] = value;
  }
  refuseWrongNumbers(reader, config, path);
  return config;
}

const NUMBERS = [
  ['samplingParams', 'temperature'],
  ['samplingParams', 'top_p'],
  ['samplingParams', 'max_tokens'],
  ['reasoning', 'budget_tokens'],
] as const;

function refuseWrongNumbers(reader: MemberReader, config: Record<string, unknown>, path: string): void {
  for (const [part, name] of NUMBERS) {
    const holder = config[part];
    if (!isJsonObject(holder) || holder[name] === undefined) continue;
    const { [name]: value, ...others } = holder;
    const problem = typeof value === 'number' ? problemOf(toOptions({ [part]: { [name]: value } })) : 'expected number';
    if (problem === undefined) continue;
    reader.refuse(`${path}.${part}.${name}`, problem);
    config[part] = others;
  }
}

function problemOf(options: ModelOptions): string | undefined {
  const { error } = modelOptionsSchema.safeParse(options);
  return error && (findIssues(error)[0]?.problem ?? 'unexpected value');
}

const price = z.number().check(z.nonnegative());

function readPrices(reader: MemberReader): ModelOptions['prices'] {
  const given = reader.take('modelPricing');
  if (given === undefined) return undefined;
  if (!isJsonObject(given)) {
    reader.refuse('modelPricing', 'expected object');
    return undefined;
  }
  const schema = z.object({ inputPerMillionTokens: price, outputPerMillionTokens: price });
  const read = Object.entries(given).flatMap(([name, value]) => {
    const parsed = schema.safeParse(value);
    if (!parsed.success) {
      reader.refuse(`modelPricing.${name}`, 'expected inputPerMillionTokens and outputPerMillionTokens');
      return [];
    }
    const { inputPerMillionTokens: input, outputPerMillionTokens: output } = parsed.data;
    return [[name, { input, output }] as const];
  });
  return read.length === 0 ? undefined : Object.fromEntries(read);
}

export interface TranslatedProviders {
  readonly modelProviders?: Readonly<Record<string, readonly ListedModelSetting[]>>;
  readonly providerProtocol?: Readonly<Record<string, string>>;
  readonly provider?: string;
  readonly authType?: ProviderProfile['type'];
  /** Weaker than those of the environment. */
  readonly variables: Readonly<Record<string, string>>;
}

const CREDENTIALS: ReadonlyMap<string, { readonly key: VariableName; readonly url: VariableName }> = new Map([
  ['openai', { key: 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL' }],
  ['openai-responses', { key: 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL' }],
  ['anthropic', { key: 'ANTHROPIC_API_KEY', url: 'ANTHROPIC_BASE_URL' }],
  ['gemini', { key: 'GEMINI_API_KEY', url: 'GOOGLE_GEMINI_BASE_URL' }],
]);
const SETTABLE = /^(?:OPENAI|DASHSCOPE|GEMINI|GOOGLE|ANTHROPIC)_|_PROXY$|^QWEN_MODEL(?:_HEADERS)?$/;

export function translateProviders(reader: MemberReader, model: string | undefined): TranslatedProviders {
  const baseUrl = reader.read('model.baseUrl', z.string());
  const protocols = reader.read('providerProtocol', z.record(z.string(), z.string()));
  const lists = readLists(reader, (entry) => entry.id === model && entry.baseUrl === baseUrl);
  const profiles = readProfiles({
    modelProviders: lists,
    ...(protocols !== undefined && { providerProtocol: protocols }),
  });
  for (const name of Object.keys(lists)) {
    if (!profiles.some((profile) => profile.name === name)) reader.refuse(`modelProviders.${name}`, 'unknown protocol');
  }
  const authType = readAuthType(reader);
  const provider = profiles.find(
    ({ name, models }) => isFamily(name, authType) && models.some(({ id }) => model === undefined || id === model),
  )?.name;
  const keys = profiles.flatMap(({ envKey, models }) => [envKey, ...models.map((each) => each.envKey)]);
  return {
    ...(Object.keys(lists).length > 0 && { modelProviders: lists }),
    ...(protocols !== undefined && { providerProtocol: protocols }),
    ...(provider !== undefined && { provider }),
    ...(authType !== undefined && { authType }),
    variables: { ...readCredentials(reader, authType), ...readVariables(reader, keys) },
  };
}

function isFamily(name: string, authType: string | undefined): boolean {
  return name === authType || (authType === 'openai' && name === 'openai-responses');
}

function readAuthType(reader: MemberReader): TranslatedProviders['authType'] {
  const given = reader.read('security.auth.selectedType', z.string());
  const found = PROVIDER_TYPES.find((type) => type === given);
  if (given !== undefined && found === undefined) reader.refuse('security.auth.selectedType', `no ${given} sign-in`);
  return found;
}

function readCredentials(reader: MemberReader, authType = 'openai'): Record<string, string> {
  const names = CREDENTIALS.get(authType);
  if (names === undefined) return {};
  const key = reader.read('security.auth.apiKey', z.string());
  const url = reader.read('security.auth.baseUrl', z.string());
  return { ...(key && { [names.key]: key }), ...(url && { [names.url]: url }) };
}

/** Only what calls of models need: other variables change how programs run. */
function readVariables(reader: MemberReader, keys: readonly (string | undefined)[]): Record<string, string> {
  const env = reader.take('env');
  if (env === undefined) return {};
  if (!isJsonObject(env)) {
    reader.refuse('env', 'expected object');
    return {};
  }
  const read = Object.entries(env).flatMap(([name, value]) => {
    const isOurs = (isVariableName(name) && SETTABLE.test(name)) || keys.includes(name);
    if (isOurs && typeof value === 'string') return [[name, value] as const];
    reader.refuse(`env.${name}`, isOurs ? 'expected string' : undefined);
    return [];
  });
  return Object.fromEntries(read);
}

type Lists = Record<string, ListedModelSetting[]>;

/** The entry that `model.baseUrl` means comes first. */
function readLists(reader: MemberReader, isMeant: (entry: ListedModelSetting) => boolean): Lists {
  const given = reader.take('modelProviders');
  if (given === undefined) return {};
  if (!isJsonObject(given)) {
    reader.refuse('modelProviders', 'expected object');
    return {};
  }
  const lists = new Map<string, ListedModelSetting[]>();
  const add = (name: string, entry: ListedModelSetting) => {
    const list = lists.get(name) ?? [];
    lists.set(name, isMeant(entry) ? [entry, ...list] : [...list, entry]);
  };
  for (const [name, value] of Object.entries(given)) {
    const entries = isJsonObject(value) ? value['models'] : value;
    if (!Array.isArray(entries)) {
      reader.refuse(`modelProviders.${name}`, 'expected a list of models');
      continue;
    }
    entries.forEach((entry: unknown, index) => {
      const read = readEntry(reader, entry, `modelProviders.${name}.${index}`);
      if (read === undefined) return;
      const { wireApi, ...model } = read;
      add(name === 'openai' && wireApi === 'responses' ? 'openai-responses' : name, model);
    });
  }
  return Object.fromEntries(lists);
}

const ENTRY = ['id', 'envKey', 'baseUrl', 'wireApi', 'generationConfig'];

/** A wrong member does not lose the model. */
function readEntry(
  reader: MemberReader,
  entry: unknown,
  path: string,
): (ListedModelSetting & { wireApi?: unknown }) | undefined {
  if (!isJsonObject(entry) || typeof entry['id'] !== 'string') {
    reader.refuse(path, 'expected a model with an id');
    return undefined;
  }
  const { generationConfig, ...members } = entry;
  const known: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    if (ENTRY.includes(name) && typeof value === 'string') known[name] = value;
    else reader.refuse(`${path}.${name}`, ENTRY.includes(name) ? 'expected string' : undefined);
  }
  const config: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(isJsonObject(generationConfig) ? generationConfig : {})) {
    const schema = Object.hasOwn(GENERATION, name) ? GENERATION[name] : undefined;
    if (schema?.safeParse(value).success === true) config[name] = value;
    else reader.refuse(`${path}.generationConfig.${name}`, schema === undefined ? undefined : 'unexpected value');
  }
  refuseWrongNumbers(reader, config, `${path}.generationConfig`);
  if (generationConfig !== undefined && !isJsonObject(generationConfig)) {
    reader.refuse(`${path}.generationConfig`, 'expected object');
  }
  const parsed = listedModelSchema.safeParse({ ...known, generationConfig: config });
  if (parsed.success) return { ...parsed.data, wireApi: known['wireApi'] };
  reader.refuse(path, 'unexpected value');
  return undefined;
}
