import { AgentError, type Settings } from '@qwen/protocol';
import type { WebSearchChoice } from '@qwen/tools';
import type { Environment } from './env.js';
import type { SettingsNotice } from './settings.js';

const URLS = { brave: 'https://api.search.brave.com', tavily: 'https://api.tavily.com', searxng: undefined };

export interface WebSearchSources {
  readonly settings: NonNullable<Settings['webSearch']>;
  readonly environment: Environment;
}

/** Undefined without a provider, and with a notice if it lacks its key or address. Throws `usage` for an unknown one. */
export function chooseWebSearch({ settings, environment }: WebSearchSources): {
  readonly webSearch?: WebSearchChoice;
  readonly notices: readonly SettingsNotice[];
} {
  const provider = environment.QWEN_WEB_SEARCH ?? settings.provider ?? 'off';
  if (provider === 'off') return { notices: [] };
  if (!isProvider(provider)) {
    throw new AgentError('usage', `QWEN_WEB_SEARCH: "${provider}" is not brave, tavily, searxng or off.`);
  }
  // The address and the key of the settings belong to their provider.
  const own = settings.provider === undefined || settings.provider === provider ? settings : {};
  const { BRAVE_API_KEY: brave, TAVILY_API_KEY: tavily, SEARXNG_URL } = environment;
  const key = { brave, tavily, searxng: undefined }[provider] ?? own.apiKey;
  const url = own.url ?? (provider === 'searxng' ? SEARXNG_URL : URLS[provider]);
  if (url === undefined) return unavailable('SearXNG has no address. Set SEARXNG_URL or webSearch.url.');
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    return unavailable(
      'The address of the provider is not an http or https URL. Correct webSearch.url or SEARXNG_URL.',
    );
  }
  if (provider !== 'searxng' && key === undefined) {
    return unavailable(`${provider} has no key. Set ${provider.toUpperCase()}_API_KEY or webSearch.apiKey.`);
  }
  const { allowedDomains, blockedDomains, maxResults } = settings;
  return { webSearch: { provider, url, key, allowedDomains, blockedDomains, maxResults }, notices: [] };
}

function isProvider(name: string): name is keyof typeof URLS {
  return Object.hasOwn(URLS, name);
}

function unavailable(reason: string) {
  return { notices: [{ code: 'web_search_unavailable', message: `web_search is not offered: ${reason}` }] };
}
