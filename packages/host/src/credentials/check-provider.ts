import type { ListedModel } from '@qwen/models';
import type { Environment } from '../config/env.js';
import { createModelRoutes } from '../config/model-routes.js';
import type { ProviderProfile } from '../config/provider-profiles.js';
import { type EffectiveSettings, NO_SETTINGS } from '../config/settings.js';
import { findKnownProvider } from './known-providers.js';

export interface ProviderCheck {
  /** Without one, no credential is sent. */
  readonly key?: string | undefined;
  /** For the proxy. */
  readonly environment: Environment;
  readonly settings?: Pick<EffectiveSettings, 'proxy'>;
  readonly signal: AbortSignal;
}

/** Sends one free request with this key. Rejects with the provider's refusal or the failure of the network. */
export async function checkProvider(
  profile: ProviderProfile,
  { key, environment, settings, signal }: ProviderCheck,
): Promise<readonly ListedModel[]> {
  const { name, type, baseUrl, source, options } = profile;
  const stored = { provider: name, baseUrl, place: 'file', savedAt: '', key } as const;
  const checked = { name, type, baseUrl, source, options, models: [], ...(key !== undefined && { stored }) };
  const { provider } = createModelRoutes({
    flags: { provider: name },
    environment,
    settings: { ...NO_SETTINGS, ...settings, profiles: [checked] },
    readVariable: () => undefined,
  });
  if (!provider.ok) throw provider.error;
  const { listModels } = await import('@qwen/models');
  const known = findKnownProvider(name);
  const listPath = known !== undefined && known.baseUrl === baseUrl ? known.listPath : undefined;
  return listModels(provider.settings, { signal, ...(listPath !== undefined && { path: listPath }) });
}
