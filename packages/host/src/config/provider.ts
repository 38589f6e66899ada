import type { ModelConfig } from '@qwen/models';
import { AgentError, isJsonObject, type ProviderType } from '@qwen/protocol';
import type { Flags } from '../flags/args.js';
import type { Environment } from './env.js';

/** How to reach a model. Contains keys: never print, log or send it anywhere but to the provider. */
export type ProviderSettings = Omit<ModelConfig, 'clock'>;

/** A missing provider is reported with the first prompt. */
export type ProviderChoice =
  | {
      readonly ok: true;
      readonly settings: ProviderSettings;
      readonly defaultModel: string;
      readonly credentialSource?: string;
    }
  | { readonly ok: false; readonly error: AgentError; readonly defaultModel: string };

export const DASHSCOPE_URL = 'https://dashscope.aliyuncs.com/compatible-mode/v1';
const DASHSCOPE_HOST = /(^|\.)aliyuncs\.com$/;
/** Local servers (Ollama, vLLM, llama.cpp) need no key. */
const THIS_MACHINE = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;
/** Servers without a key in a profile, which names them on purpose. */
const LOCAL_NETWORK =
  /^(localhost|.+\.(localhost|local|lan|internal)|(127|10)(\.\d{1,3}){3}|192\.168(\.\d{1,3}){2}|172\.(1[6-9]|2\d|3[01])(\.\d{1,3}){2}|\[.*\]|[^.:]+)$/i;
const QWEN_DEFAULT_MODEL = 'qwen3-coder-plus';
const OPENAI_DEFAULT_MODEL = 'gpt-5';
const GEMINI_DEFAULT_MODEL = 'gemini-2.5-pro';
const ANTHROPIC_DEFAULT_MODEL = 'claude-sonnet-4-5';

type ProviderFlags = Pick<Flags, 'authType' | 'baseUrl' | 'modelHeaders'>;
type Finder = (flags: ProviderFlags, environment: Environment) => ProviderChoice | undefined;

const FINDERS: Readonly<Record<ProviderType, Finder>> = {
  openai: findOpenAi,
  'vertex-ai': findVertex,
  gemini: findGemini,
  anthropic: findAnthropic,
  'openai-responses': findResponses,
};

/**
 * Picks the provider: the one of `--auth-type`, else the first of OpenAI-compatible, Vertex AI, Gemini and Anthropic
 * with complete variables. Throws `usage` for invalid headers.
 */
export function chooseProvider(flags: ProviderFlags, environment: Environment): ProviderChoice {
  const finders = flags.authType === undefined ? Object.values(FINDERS) : [FINDERS[flags.authType]];
  for (const find of finders) {
    const choice = find(flags, environment);
    if (choice !== undefined) return choice;
  }
  const error = missingKey(flags, environment) ?? missingCredentials(flags.authType);
  return { ok: false, error, defaultModel: QWEN_DEFAULT_MODEL };
}

function findOpenAi(flags: ProviderFlags, environment: Environment): ProviderChoice | undefined {
  const { OPENAI_API_KEY: openAiKey, DASHSCOPE_API_KEY: dashScopeKey, OPENAI_MODEL: model } = environment;
  const given = flags.baseUrl ?? environment.OPENAI_BASE_URL;
  const isDashScope = given === undefined ? openAiKey === undefined : isHostOf(given, DASHSCOPE_HOST);
  const baseUrl = given ?? (isDashScope ? DASHSCOPE_URL : undefined);
  // A key only goes to the service that issued it.
  const apiKey = openAiKey ?? (isDashScope ? dashScopeKey : undefined);
  if (apiKey === undefined && !(baseUrl !== undefined && isHostOf(baseUrl, THIS_MACHINE))) return undefined;
  const headers = readHeaders(flags, environment);
  return {
    ok: true,
    settings: {
      family: 'openai-compatible',
      ...(baseUrl !== undefined && { baseUrl }),
      ...(apiKey !== undefined && { apiKey }),
      ...(Object.keys(headers).length > 0 && { headers }),
      sources: {
        baseUrl: flags.baseUrl === undefined ? 'OPENAI_BASE_URL' : '--base-url',
        apiKey: openAiKey === undefined && isDashScope ? 'DASHSCOPE_API_KEY' : 'OPENAI_API_KEY',
      },
    },
    defaultModel: model ?? (baseUrl === undefined ? OPENAI_DEFAULT_MODEL : QWEN_DEFAULT_MODEL),
    ...(apiKey !== undefined && {
      credentialSource: openAiKey === undefined ? 'DASHSCOPE_API_KEY' : 'OPENAI_API_KEY',
    }),
  };
}

function findResponses(flags: ProviderFlags, environment: Environment): ProviderChoice | undefined {
  const choice = findOpenAi(flags, environment);
  if (choice?.ok !== true) return choice;
  return { ...choice, settings: { ...choice.settings, family: 'openai-responses' } };
}

function findAnthropic(flags: ProviderFlags, environment: Environment): ProviderChoice | undefined {
  const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_MODEL: model } = environment;
  const isChosen = flags.authType === 'anthropic';
  const baseUrl = (isChosen ? flags.baseUrl : undefined) ?? environment.ANTHROPIC_BASE_URL;
  if (apiKey === undefined && !(baseUrl !== undefined && isHostOf(baseUrl, THIS_MACHINE))) return undefined;
  const headers = isChosen ? readHeaders(flags, environment) : {};
  return {
    ok: true,
    settings: {
      family: 'anthropic',
      ...(baseUrl !== undefined && { baseUrl }),
      ...(apiKey !== undefined && { apiKey }),
      ...(Object.keys(headers).length > 0 && { headers }),
      sources: { apiKey: 'ANTHROPIC_API_KEY', baseUrl: 'ANTHROPIC_BASE_URL' },
    },
    defaultModel: model ?? ANTHROPIC_DEFAULT_MODEL,
    ...(apiKey !== undefined && { credentialSource: 'ANTHROPIC_API_KEY' }),
  };
}

export function defaultModelOf(type: ProviderType, baseUrl: string | undefined): string {
  if (type === 'anthropic') return ANTHROPIC_DEFAULT_MODEL;
  if (type === 'gemini' || type === 'vertex-ai') return GEMINI_DEFAULT_MODEL;
  return baseUrl === undefined ? OPENAI_DEFAULT_MODEL : QWEN_DEFAULT_MODEL;
}

export interface NamedEndpoint {
  readonly name: string;
  readonly type: ProviderType;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly needsKey: boolean;
  /** Why a stored key cannot be used. */
  readonly keyProblem?: string | undefined;
  /** Names for errors. */
  readonly keySource: string;
  readonly urlSource: string;
  readonly defaultModel: string;
}

/** Throws `usage` for an invalid address. */
export function toProvider(endpoint: NamedEndpoint, environment: Environment): ProviderChoice {
  const { name, type, baseUrl, apiKey, needsKey, keyProblem, keySource, urlSource, defaultModel } = endpoint;
  const sources = { apiKey: keySource, baseUrl: urlSource };
  if (type === 'vertex-ai') {
    const choice = findVertex({ authType: 'vertex-ai' }, environment);
    return choice === undefined
      ? { ok: false, error: missingCredentials('vertex-ai'), defaultModel }
      : { ...choice, defaultModel };
  }
  if (baseUrl !== undefined && !URL.canParse(baseUrl)) {
    throw new AgentError('usage', `${urlSource} is not a valid URL. Write it as https://host/v1.`);
  }
  const isLocal = baseUrl !== undefined && LOCAL_NETWORK.test(new URL(baseUrl).hostname);
  if (apiKey === undefined && needsKey && !isLocal) {
    const reason = keyProblem ?? `${keySource} is not set.`;
    const message = `The provider ${name} has no key: ${reason} To store one, run: qwen auth login --provider ${name}`;
    return { ok: false, error: new AgentError('missing_credentials', message), defaultModel };
  }
  return {
    ok: true,
    settings: {
      family: type === 'openai' ? 'openai-compatible' : type,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(apiKey !== undefined && { apiKey }),
      sources,
    },
    defaultModel,
    ...(apiKey !== undefined && { credentialSource: keySource }),
  };
}

function findVertex(flags: ProviderFlags, environment: Environment): ProviderChoice | undefined {
  const isWanted = flags.authType === 'vertex-ai' || /^(true|1)$/i.test(environment.GOOGLE_GENAI_USE_VERTEXAI ?? '');
  const project = environment.GOOGLE_CLOUD_PROJECT;
  if (!isWanted || project === undefined) return undefined;
  const location = environment.GOOGLE_CLOUD_LOCATION ?? 'global';
  return {
    ok: true,
    settings: { family: 'gemini', vertex: { project, location }, sources: { apiKey: 'GOOGLE_CLOUD_PROJECT' } },
    defaultModel: GEMINI_DEFAULT_MODEL,
    credentialSource: 'GOOGLE_CLOUD_PROJECT',
  };
}

function findGemini(_flags: ProviderFlags, environment: Environment): ProviderChoice | undefined {
  const apiKey = environment.GEMINI_API_KEY ?? environment.GOOGLE_API_KEY;
  if (apiKey === undefined) return undefined;
  const baseUrl = environment.GOOGLE_GEMINI_BASE_URL;
  const credentialSource = environment.GEMINI_API_KEY === undefined ? 'GOOGLE_API_KEY' : 'GEMINI_API_KEY';
  const sources = { apiKey: credentialSource, baseUrl: 'GOOGLE_GEMINI_BASE_URL' };
  return {
    ok: true,
    settings: { family: 'gemini', apiKey, ...(baseUrl !== undefined && { baseUrl }), sources },
    defaultModel: GEMINI_DEFAULT_MODEL,
    credentialSource,
  };
}

function isHostOf(url: string, hosts: RegExp): boolean {
  if (!URL.canParse(url)) {
    throw new AgentError(
      'usage',
      `The base URL of the model is not a valid URL: "${url}". Write it as https://host/v1.`,
    );
  }
  return hosts.test(new URL(url).hostname);
}

export function readHeaders(flags: Pick<Flags, 'modelHeaders'>, environment: Environment): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(parseHeaderVariable(environment.QWEN_MODEL_HEADERS))) {
    if (typeof value !== 'string') throw badHeaders();
    headers[name] = value;
  }
  for (const line of flags.modelHeaders ?? []) {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new AgentError('usage', '--model-header needs the form "Name: value"');
    }
    headers[name] = value;
  }
  return headers;
}

function parseHeaderVariable(text: string | undefined): object {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Not quoted in the error: it may contain a secret.
  }
  throw badHeaders();
}

function badHeaders(): AgentError {
  return new AgentError('usage', 'QWEN_MODEL_HEADERS must be a JSON object of strings.');
}

function missingKey({ authType, baseUrl }: ProviderFlags, environment: Environment): AgentError | undefined {
  const isAnthropic = authType === 'anthropic';
  if (authType === 'gemini' || authType === 'vertex-ai') return undefined;
  const url = baseUrl ?? (isAnthropic ? environment.ANTHROPIC_BASE_URL : environment.OPENAI_BASE_URL);
  if (url === undefined || !URL.canParse(url)) return undefined;
  const variable = isAnthropic ? 'ANTHROPIC_API_KEY' : 'OPENAI_API_KEY';
  const message = `There is no key for ${new URL(url).host}. Set ${variable}, to any text if the endpoint needs no key.`;
  return new AgentError('missing_credentials', message);
}

function missingCredentials(authType: string | undefined): AgentError {
  const lead = authType === undefined ? 'No model is configured.' : `Nothing is configured for ${authType}.`;
  return new AgentError(
    'missing_credentials',
    [
      `${lead} Run "qwen auth login", or set one of these and start again:`,
      '  OPENAI_API_KEY        OpenAI or a compatible endpoint, with OPENAI_BASE_URL',
      '  OPENAI_BASE_URL       a local endpoint such as http://localhost:11434/v1, with OPENAI_MODEL',
      '  DASHSCOPE_API_KEY     Qwen models on DashScope',
      '  GEMINI_API_KEY        Gemini',
      '  ANTHROPIC_API_KEY     Claude',
      '  GOOGLE_GENAI_USE_VERTEXAI=true and GOOGLE_CLOUD_PROJECT   Gemini on Vertex AI',
      'Or describe providers in ~/.qwen/settings.json; see https://github.com/qwen-agent/qwen/blob/main/docs/models.md.',
    ].join('\n'),
  );
}
