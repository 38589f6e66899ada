import { AgentError } from '@qwen/protocol';
import type { ModelConfig, ModelFamily } from './config.js';
import type { ListedModel, ListOptions } from './http/model-list.js';
import type { Model } from './model.js';

/** Loads client libraries on demand. */
const FAMILIES: Readonly<Record<ModelFamily, (config: ModelConfig) => Promise<Model>>> = {
  'openai-compatible': async (config) =>
    (await import('./openai-compatible/index.js')).createOpenAiCompatibleModel(config),
  'openai-responses': async (config) => (await import('./responses/index.js')).createResponsesModel(config),
  anthropic: async (config) => (await import('./anthropic/index.js')).createAnthropicModel(config),
  gemini: async (config) => (await import('./gemini/index.js')).createGeminiModel(config),
};

/** Makes no request. Rejects with `invalid_options` if the base URL is not http(s) or contains credentials. */
export async function createModel(config: ModelConfig): Promise<Model> {
  checkBaseUrl(config.baseUrl);
  return await FAMILIES[config.family](config);
}

function checkBaseUrl(baseUrl: string | undefined): void {
  if (baseUrl === undefined) return;
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new AgentError(
      'invalid_options',
      'The base URL of the model is not an http or https URL. Write it as https://host/v1.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new AgentError(
      'invalid_options',
      'The base URL of the model contains credentials. Pass an API key or a header instead.',
    );
  }
}

/**
 * Makes one request for up to 1000 models, within 10 seconds. Rejects with the errors of a model call, and with
 * `invalid_request` for Vertex AI.
 */
export async function listModels(config: ModelConfig, options: ListOptions): Promise<readonly ListedModel[]> {
  const { fetchModelList } = await import('./http/model-list.js');
  return fetchModelList(config, options);
}
