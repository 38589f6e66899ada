import type { EffortStatus, ListedModel } from '@qwen/models';
import type { Configuration } from './config/load-config.js';

export interface ModelDirectory {
  effortStatus(model: string): Promise<EffortStatus>;
  /** Rejects when the provider does not list models. */
  list(signal: AbortSignal): Promise<readonly ListedModel[]>;
}

export function createModelDirectory({ provider, routes }: Configuration): ModelDirectory {
  return {
    async effortStatus(model) {
      const { provider: own } = routes.of(model);
      if (!own.ok) return { applied: false, reason: own.error.message };
      const { effortStatus } = await import('@qwen/models');
      return effortStatus(own.settings, own.settings.modelId ?? model);
    },
    async list(signal) {
      if (!provider.ok) throw provider.error;
      const { listModels } = await import('@qwen/models');
      const listed = routes.listed.map((id) => ({ id }));
      try {
        const found = await listModels(provider.settings, { signal });
        return [...found, ...listed.filter(({ id }) => !found.some((model) => model.id === id))];
      } catch (thrown) {
        if (listed.length === 0) throw thrown;
        return listed;
      }
    },
  };
}
