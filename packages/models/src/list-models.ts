import type { ModelConfig } from './config.js';
import type { ListedModel } from './http/model-list.js';

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
