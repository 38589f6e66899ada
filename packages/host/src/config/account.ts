import type { ProviderChoice, ProviderSettings } from './provider.js';

export interface Account {
  readonly provider?: string;
  readonly host?: string;
  readonly credentialSource?: string;
}

const NAMES: Readonly<Record<ProviderSettings['family'], { readonly name: string; readonly defaultHost: string }>> = {
  'openai-compatible': { name: 'openai', defaultHost: 'api.openai.com' },
  'openai-responses': { name: 'openai-responses', defaultHost: 'api.openai.com' },
  anthropic: { name: 'anthropic', defaultHost: 'api.anthropic.com' },
  gemini: { name: 'gemini', defaultHost: 'generativelanguage.googleapis.com' },
};
const VERTEX = { name: 'vertex-ai', defaultHost: 'aiplatform.googleapis.com' };

/** Never contains the credential. */
export function toAccount(choice: ProviderChoice): Account {
  if (!choice.ok) return {};
  const { settings, credentialSource } = choice;
  const { name, defaultHost } = settings.vertex === undefined ? NAMES[settings.family] : VERTEX;
  return {
    provider: name,
    host: settings.baseUrl === undefined ? defaultHost : new URL(settings.baseUrl).host,
    ...(credentialSource !== undefined && { credentialSource }),
  };
}
