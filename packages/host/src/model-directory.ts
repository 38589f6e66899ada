import type { EffortStatus, ListedModel } from '@qwen/models';
import type { Configuration } from './config/load-config.js';

/** What is known of models without talking to them, and what their provider tells. */
export interface ModelDirectory {
  /** Whether this model can be told how much to think. */
  effortStatus(model: string): Promise<EffortStatus>;
  /** Rejects when the provider does not tell. */
  list(signal: AbortSignal): Promise<readonly ListedModel[]>;
}

/** The models of the configured provider. Loads what it needs when it is asked. */
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
