import type { ModelConfig } from './config.js';

/** A model as its provider names it. */
export interface ListedModel {
  readonly id: string;
  readonly name?: string;
  /** Tokens. */
  readonly contextWindow?: number;
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
