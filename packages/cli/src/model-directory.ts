import type { Configuration } from './config/load-config.js';
import type { ModelDirectory } from './control/controllers/model-controller.js';

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
