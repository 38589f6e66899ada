import type { ProviderType } from '@qwen/protocol';
import { DASHSCOPE_URL, defaultModelOf } from '../config/provider.js';
import type { ProviderProfile } from '../config/provider-profiles.js';

/** A public service that needs only a key. */
export interface KnownProvider {
  readonly name: string;
  readonly title: string;
  readonly type: ProviderType;
  readonly baseUrl?: string;
  readonly envKey: string;
  readonly defaultModel: string;
  /** Where a person creates a key. */
  readonly keyPage: string;
  /** The beginning of every key, if no other service uses it. */
  readonly keyPrefix?: string;
  /** The list of models that requires a key, if the usual one does not. */
  readonly listPath?: string;
}

export const KNOWN_PROVIDERS: readonly KnownProvider[] = [
  {
    name: 'openrouter',
    title: 'OpenRouter (many models, one account)',
    type: 'openai',
    baseUrl: 'https://openrouter.ai/api/v1',
    envKey: 'OPENROUTER_API_KEY',
    defaultModel: 'qwen/qwen3-coder',
    keyPage: 'https://openrouter.ai/settings/keys',
    keyPrefix: 'sk-or-',
    listPath: '/models/user',
  },
  {
    name: 'dashscope',
    title: 'Qwen models on DashScope (China)',
    type: 'openai',
    baseUrl: DASHSCOPE_URL,
    envKey: 'DASHSCOPE_API_KEY',
    defaultModel: defaultModelOf('openai', DASHSCOPE_URL),
    keyPage: 'https://bailian.console.aliyun.com/?tab=model#/api-key',
  },
  {
    name: 'dashscope-intl',
    title: 'Qwen models on DashScope (international)',
    type: 'openai',
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    envKey: 'DASHSCOPE_API_KEY',
    defaultModel: defaultModelOf('openai', DASHSCOPE_URL),
    keyPage: 'https://modelstudio.console.alibabacloud.com/?tab=model#/api-key',
  },
  {
    name: 'openai',
    title: 'OpenAI',
    type: 'openai',
    envKey: 'OPENAI_API_KEY',
    defaultModel: defaultModelOf('openai', undefined),
    keyPage: 'https://platform.openai.com/api-keys',
  },
  {
    name: 'anthropic',
    title: 'Claude (Anthropic)',
    type: 'anthropic',
    envKey: 'ANTHROPIC_API_KEY',
    defaultModel: defaultModelOf('anthropic', undefined),
    keyPage: 'https://console.anthropic.com/settings/keys',
    keyPrefix: 'sk-ant-',
  },
  {
    name: 'gemini',
    title: 'Gemini (Google AI Studio)',
    type: 'gemini',
    envKey: 'GEMINI_API_KEY',
    defaultModel: defaultModelOf('gemini', undefined),
    keyPage: 'https://aistudio.google.com/apikey',
    keyPrefix: 'AIza',
  },
];

export function findKnownProvider(name: string): KnownProvider | undefined {
  return KNOWN_PROVIDERS.find((provider) => provider.name === name);
}

export function profileOf({ name, type, baseUrl, envKey, defaultModel }: KnownProvider): ProviderProfile {
  return { name, type, source: `providers.${name}`, baseUrl, envKey, defaultModel, models: [], options: {} };
}
