import type { ProviderChoice, ProviderSettings } from './provider.js';

/** The model endpoint, without secrets. */
export interface Account {
  readonly provider?: string;
  readonly host?: string;
  /** Name of the variable that holds the credential. */
  readonly credentialSource?: string;
}

const HOSTS = {
  openai: 'api.openai.com',
  gemini: 'generativelanguage.googleapis.com',
  vertex: 'aiplatform.googleapis.com',
};

/** The model endpoint and the source of its credential, never the credential. */
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
