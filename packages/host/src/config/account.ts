import type { ProviderChoice, ProviderSettings } from './provider.js';

/** Where requests to the model go, without secrets. */
export interface Account {
  readonly provider?: string;
  readonly host?: string;
  /** The name of what holds the credential. */
  readonly credentialSource?: string;
}

const HOSTS = {
  openai: 'api.openai.com',
  gemini: 'generativelanguage.googleapis.com',
  vertex: 'aiplatform.googleapis.com',
};

/** Where requests to the model go, and what proves who sends them; never the proof itself. */
export function toAccount(choice: ProviderChoice): Account {
  if (!choice.ok) return {};
  const { settings, credentialSource } = choice;
  const { name, defaultHost } = describe(settings);
  return {
    provider: name,
    host: settings.baseUrl === undefined ? defaultHost : new URL(settings.baseUrl).host,
    ...(credentialSource !== undefined && { credentialSource }),
  };
}

function describe({ family, vertex }: ProviderSettings): { readonly name: string; readonly defaultHost: string } {
  if (family === 'openai-compatible') return { name: 'openai', defaultHost: HOSTS.openai };
  return vertex === undefined
    ? { name: 'gemini', defaultHost: HOSTS.gemini }
    : { name: 'vertex-ai', defaultHost: HOSTS.vertex };
}
