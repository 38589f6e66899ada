import type { EffortStatus, ListedModel } from '@qwen/models';
import type { Configuration } from './config/load-config.js';
import type { Notice } from './notice.js';

export interface ModelDirectory {
  effortStatus(model: string): Promise<EffortStatus>;
  /**
   * The models of the provider of `model`. Default: the start model. Rejects when the provider does not list models.
   */
  list(signal: AbortSignal, model?: string): Promise<readonly ListedModel[]>;
}

export function createModelDirectory({ provider: startProvider, routes }: Configuration): ModelDirectory {
  return {
    async effortStatus(model) {
      const { provider: own } = routes.of(model);
      if (!own.ok) return { applied: false, reason: own.error.message };
      const { effortStatus } = await import('@qwen/models');
      return effortStatus(own.settings, own.settings.modelId ?? model);
    },
    async list(signal, model) {
      const provider = model === undefined ? startProvider : routes.of(model).provider;
      if (!provider.ok) throw provider.error;
      const { listModels } = await import('@qwen/models');
      const { modelId } = provider.settings;
      // A model of another provider is named `provider/model`.
      const prefix = modelId !== undefined && model?.endsWith(`/${modelId}`) ? model.slice(0, -modelId.length) : '';
      const listed = routes.listed.map((id) => ({ id }));
      try {
        const models = await listModels(provider.settings, { signal });
        const found = models.map((each) => ({ ...each, id: `${prefix}${each.id}` }));
        return [...found, ...listed.filter(({ id }) => !found.some((each) => each.id === id))];
      } catch (thrown) {
        if (listed.length === 0) throw thrown;
        return listed;
      }
    },
  };
}

export async function effortNotices(configuration: Configuration): Promise<Notice[]> {
  const { effort, model, provider } = configuration;
  if (effort === undefined || !provider.ok) return [];
  const { applied, reason = '' } = await createModelDirectory(configuration).effortStatus(model);
  return applied ? [] : [{ code: 'effort_not_applied', message: `--effort has no effect. ${reason}` }];
}
