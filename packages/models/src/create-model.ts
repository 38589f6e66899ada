import { AgentError } from '@qwen/protocol';
import type { ModelConfig, ModelFamily } from './config.js';
import type { ListedModel } from './http/model-list.js';
import type { Model } from './model.js';

/** How each family is loaded: with its client library, and only when it is asked for. */
const FAMILIES: Readonly<Record<ModelFamily, (config: ModelConfig) => Promise<Model>>> = {
  'openai-compatible': async (config) =>
    (await import('./openai-compatible/index.js')).createOpenAiCompatibleModel(config),
  gemini: async (config) => (await import('./gemini/index.js')).createGeminiModel(config),
};

/**
 * A model reached as `config` says. Makes no request. Rejects with `invalid_options` for a base URL that is not an
 * http(s) URL or that carries credentials.
 */
export async function createModel(config: ModelConfig): Promise<Model> {
  checkBaseUrl(config.baseUrl);
  return await FAMILIES[config.family](config);
}

function checkBaseUrl(baseUrl: string | undefined): void {
  if (baseUrl === undefined) return;
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new AgentError('invalid_options', 'The base URL of the model must be an http or https URL.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new AgentError(
      'invalid_options',
      'Credentials do not belong into the base URL; give an API key or a header.',
    );
  }
}

/**
 * The models that a provider names, at most 1000. One request, 10 seconds at most, no retries. Rejects like a model
 * call fails; with `invalid_request` for Vertex AI, which has no such list.
 */
export async function listModels(
  config: ModelConfig,
  options: { readonly signal: AbortSignal },
): Promise<readonly ListedModel[]> {
  const { fetchModelList } = await import('./http/model-list.js');
  return fetchModelList(config, options);
}
