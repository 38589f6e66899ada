import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { chooseProvider } from './provider.js';

const DASHSCOPE = 'https://dashscope.aliyuncs.com/compatible-mode/v1';
const LOCAL = 'http://localhost:11434/v1';

describe('selects the provider', () => {
  test.each([
    ['OpenAI', {}, { OPENAI_API_KEY: 'k' }, { family: 'openai-compatible', apiKey: 'k' }, 'gpt-5'],
    [
      'a compatible endpoint',
      {},
      { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'https://x.example/v1', OPENAI_MODEL: 'm' },
      { family: 'openai-compatible', apiKey: 'k', baseUrl: 'https://x.example/v1' },
      'm',
    ],
    [
      'DashScope',
      {},
      { DASHSCOPE_API_KEY: 'd' },
      { family: 'openai-compatible', apiKey: 'd', baseUrl: DASHSCOPE },
      'qwen3-coder-plus',
    ],
    [
      'DashScope in another region',
      {},
      { DASHSCOPE_API_KEY: 'd', OPENAI_BASE_URL: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1' },
      {
        family: 'openai-compatible',
        apiKey: 'd',
        baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
      },
      'qwen3-coder-plus',
    ],
    [
      'this machine, without a key',
      { baseUrl: LOCAL },
      { OPENAI_BASE_URL: 'https://x.example/v1' },
      { family: 'openai-compatible', baseUrl: LOCAL },
      'qwen3-coder-plus',
    ],
    [
      'Vertex AI',
      {},
      { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_CLOUD_PROJECT: 'p', GEMINI_API_KEY: 'g' },
      { family: 'gemini', vertex: { project: 'p', location: 'global' } },
      'gemini-2.5-pro',
    ],
    [
      'Gemini',
      {},
      { GOOGLE_API_KEY: 'g', GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:1', GOOGLE_CLOUD_PROJECT: 'p' },
      { family: 'gemini', apiKey: 'g', baseUrl: 'http://127.0.0.1:1' },
      'gemini-2.5-pro',
    ],
    [
      'the one that --auth-type names',
      { authType: 'gemini' as const },
      { OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'g' },
      { family: 'gemini', apiKey: 'g' },
      'gemini-2.5-pro',
    ],
    [
      'Vertex AI by --auth-type',
      { authType: 'vertex-ai' as const },
      { GOOGLE_CLOUD_PROJECT: 'p', GOOGLE_CLOUD_LOCATION: 'europe-west4' },
      { family: 'gemini', vertex: { project: 'p', location: 'europe-west4' } },
      'gemini-2.5-pro',
    ],
  ])('%s', (_what, flags, environment, settings, defaultModel) => {
    const { credentialSource: _source, ...choice } = {
      credentialSource: undefined,
      ...chooseProvider(flags, environment),
    };
    expect(choice).toEqual({ ok: true, settings: { ...settings, sources: expect.any(Object) }, defaultModel });
  });
});

test('a DashScope key is sent to no other host', () => {
  verifies('S106');
  const foreign = { DASHSCOPE_API_KEY: 'd', OPENAI_BASE_URL: 'https://aliyuncs.com.evil.example/v1' };
  expect(chooseProvider({}, foreign)).toMatchObject({ ok: false, error: { code: 'missing_credentials' } });
  const local = chooseProvider({ baseUrl: LOCAL }, { DASHSCOPE_API_KEY: 'd' });
  expect(local).toMatchObject({ ok: true, settings: { family: 'openai-compatible', baseUrl: LOCAL } });
  expect(JSON.stringify(local)).not.toContain('"d"');
});

test.each([
  [{ baseUrl: 'https://api.example/v1' }, {}, 'There is no key for api.example. Set OPENAI_API_KEY'],
  [{}, { OPENAI_BASE_URL: 'https://api.example:8443/v1' }, 'no key for api.example:8443. Set OPENAI_API_KEY'],
  [{ authType: 'anthropic' as const }, { ANTHROPIC_BASE_URL: 'https://a.example' }, 'Set ANTHROPIC_API_KEY'],
  [{}, {}, 'No model is configured.'],
])('the error for %j and %j names what is missing', (flags, environment, text) => {
  expect(chooseProvider(flags, environment)).toMatchObject({ error: { message: expect.stringContaining(text) } });
});

test('an address that is not a URL is quoted', () => {
  expect(() => chooseProvider({ baseUrl: 'nowhere' }, { OPENAI_API_KEY: 'k' })).toThrow('not a valid URL: "nowhere"');
});

test.each(['http://127.0.0.1:8000/v1', 'http://[::1]:8000/v1', 'http://api.localhost/v1'])('%s is local', (baseUrl) => {
  expect(chooseProvider({ baseUrl }, {})).toMatchObject({ ok: true });
});

test.each(['http://127.0.0.1.evil.example/v1', 'http://localhost.evil.example', 'http://10.0.0.1/v1'])(
  '%s is not local',
  (baseUrl) => {
    expect(chooseProvider({ baseUrl }, {})).toMatchObject({ ok: false });
  },
);

test('without configuration, one message lists every option', () => {
  const choice = chooseProvider({}, {});
  const message = choice.ok ? '' : choice.error.message;
  for (const way of ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'DASHSCOPE_API_KEY', 'GEMINI_API_KEY', 'VERTEXAI']) {
    expect(message).toContain(way);
  }
  expect(chooseProvider({ authType: 'gemini' }, { OPENAI_API_KEY: 'k' })).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('Nothing is configured for gemini') },
  });
});

test('headers come from the variable, and flags override them', () => {
  const flags = { modelHeaders: ['X-B: flag: with colon', 'X-C:'] };
  const environment = { OPENAI_API_KEY: 'k', QWEN_MODEL_HEADERS: '{"X-A":"a","X-B":"b"}' };
  expect(chooseProvider(flags, environment)).toMatchObject({
    settings: { headers: { 'X-A': 'a', 'X-B': 'flag: with colon', 'X-C': '' } },
  });
});

test.each([
  [{ modelHeaders: ['secret-without-colon'] }, {}],
  [{ modelHeaders: ['X Y: secret'] }, {}],
  [{}, { QWEN_MODEL_HEADERS: '{"X":secret' }],
  [{}, { QWEN_MODEL_HEADERS: '["secret"]' }],
  [{}, { QWEN_MODEL_HEADERS: '{"X":{"y":"secret"}}' }],
])('invalid headers are refused without showing them: %j %j', (flags, environment) => {
  verifies('S106');
  let thrown: unknown;
  try {
    chooseProvider(flags, { OPENAI_API_KEY: 'k', ...environment });
  } catch (error) {
    thrown = error;
  }
  expect(AgentError.is(thrown) && thrown.code).toBe('usage');
  expect(String(thrown)).not.toContain('secret');
});

test('an invalid base URL is refused', () => {
  expect(() => chooseProvider({ baseUrl: 'localhost' }, { OPENAI_API_KEY: 'k' })).toThrow(
    expect.objectContaining({ code: 'usage' }),
  );
});
