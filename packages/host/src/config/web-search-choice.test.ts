import { expect, test } from 'vitest';
import { chooseWebSearch } from './web-search-choice.js';

const BRAVE = { provider: 'brave', url: 'https://api.search.brave.com', key: 'k' };

test.each([
  ['nothing', {}, {}, undefined],
  ['a key alone', {}, { BRAVE_API_KEY: 'k' }, undefined],
  ['the variable', {}, { QWEN_WEB_SEARCH: 'brave', BRAVE_API_KEY: 'k' }, BRAVE],
  ['the settings', { provider: 'brave', apiKey: 'k', maxResults: 3 }, {}, { ...BRAVE, maxResults: 3 }],
  ['off', { provider: 'brave', apiKey: 'k' }, { QWEN_WEB_SEARCH: 'off' }, undefined],
  ['SearXNG', { provider: 'searxng' }, { SEARXNG_URL: 'http://localhost:8080' }, { url: 'http://localhost:8080' }],
] as const)('%s chooses the provider', (_case, settings, environment, expected) => {
  const { webSearch, notices } = chooseWebSearch({ settings, environment });
  if (expected === undefined) expect(webSearch).toBeUndefined();
  else expect(webSearch).toMatchObject(expected);
  expect(notices).toEqual([]);
});

test('a key and an address belong to the provider of the settings', () => {
  const settings = { provider: 'brave', apiKey: 'k', url: 'https://brave.example' } as const;
  const { webSearch, notices } = chooseWebSearch({ settings, environment: { QWEN_WEB_SEARCH: 'tavily' } });
  expect(webSearch).toBeUndefined();
  expect(notices).toMatchObject([
    { code: 'web_search_unavailable', message: expect.stringContaining('TAVILY_API_KEY') },
  ]);
});

test.each([
  [{ provider: 'searxng' }, {}, 'SEARXNG_URL'],
  [{ provider: 'searxng', url: 'file:///etc/passwd' }, {}, 'not an http or https URL'],
  [{}, { QWEN_WEB_SEARCH: 'brave' }, 'BRAVE_API_KEY'],
] as const)('an incomplete choice is a notice', (settings, environment, reason) => {
  expect(chooseWebSearch({ settings, environment })).toEqual({
    notices: [{ code: 'web_search_unavailable', message: expect.stringContaining(reason) }],
  });
});

test('an unknown provider is refused', () => {
  expect(() => chooseWebSearch({ settings: {}, environment: { QWEN_WEB_SEARCH: 'toString' } })).toThrow(
    'QWEN_WEB_SEARCH',
  );
});
