import type { EffortStatus, ListedModel } from '@qwen/models';
import type { Configuration } from './config/load-config.js';

export interface ModelDirectory {
  /** Whether the model supports reasoning effort. */
  effortStatus(model: string): Promise<EffortStatus>;
  /** Rejects when the provider does not list models. */
  list(signal: AbortSignal): Promise<readonly ListedModel[]>;
}

/** The models of the configured provider; loads the client on demand. */
export function createModelDirectory({ provider }: Configuration): ModelDirectory {
  return {
    async effortStatus(model) {
      if (!provider.ok) return { applied: false, reason: provider.error.message };
      const { effortStatus } = await import('@qwen/models');
      return effortStatus(provider.settings, model);
    },
    async list(signal) {
      if (!provider.ok) throw provider.error;
      const { listModels } = await import('@qwen/models');
      return listModels(provider.settings, { signal });
    },
  };
}
