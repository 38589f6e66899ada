import type { Settings } from '@qwen/protocol';
import { expect, test } from 'vitest';
import type { Flags } from '../flags/args.js';
import type { Environment } from './env.js';
import { createModelRoutes } from './model-routes.js';
import { readProfiles } from './provider-profiles.js';
import { NO_SETTINGS } from './settings.js';

const KEYS: Readonly<Record<string, string>> = { ZAI_API_KEY: 'z', OPENROUTER_API_KEY: 'or', ANTHROPIC_API_KEY: 'a' };

const PROVIDERS: NonNullable<Settings['providers']> = {
  glm: {
    type: 'anthropic',
    baseUrl: 'https://api.z.ai/api/anthropic',
    envKey: 'ZAI_API_KEY',
    models: ['glm-5', { id: 'glm-4.5-air', options: { contextWindow: 96_000, temperature: 0.1 } }],
    options: { temperature: 0.7, timeouts: { idle: 20 }, extraBody: { a: 1 } },
  },
  local: { baseUrl: 'http://gpu.lan:8000/v1', models: ['qwen3'] },
};

const routes = (settings: Settings = { providers: PROVIDERS }, flags: Flags = {}, environment: Environment = {}) =>
  createModelRoutes({
    flags,
    environment,
    settings: {
      ...NO_SETTINGS,
      modelOptions: settings.modelOptions ?? {},
      profiles: readProfiles(settings),
      ...(settings.provider !== undefined && { provider: settings.provider }),
      ...(settings.proxy !== undefined && { proxy: settings.proxy }),
    },
    readVariable: (name) => KEYS[name],
  });

test('a profile states the protocol, the address, the key and the options', () => {
  const { provider } = routes();
  expect(provider).toMatchObject({
    ok: true,
    defaultModel: 'glm-5',
    credentialSource: 'ZAI_API_KEY',
    settings: {
      family: 'anthropic',
      baseUrl: 'https://api.z.ai/api/anthropic',
      apiKey: 'z',
      defaults: { temperature: 0.7 },
      limits: { idleTimeoutMs: 20_000 },
      extraBody: { a: 1 },
    },
  });
});

test('each model goes to the profile that lists it, with its own options', () => {
  const found = routes({ providers: PROVIDERS, modelOptions: { contextWindow: 1_000, extraBody: { b: 2 } } });
  expect(found.of('glm-4.5-air')).toMatchObject({
    contextWindow: 96_000,
    provider: { settings: { defaults: { temperature: 0.1 }, extraBody: { a: 1, b: 2 } } },
  });
  expect(found.of('qwen3')).toMatchObject({
    contextWindow: 1_000,
    provider: { ok: true, settings: { family: 'openai-compatible', baseUrl: 'http://gpu.lan:8000/v1' } },
  });
  expect(found.of('unlisted')).toMatchObject({ provider: { settings: { family: 'anthropic' } } });
  expect(found.of('local/other')).toMatchObject({
    provider: { settings: { baseUrl: 'http://gpu.lan:8000/v1', modelId: 'other' } },
  });
  expect(found.listed).toEqual(['glm-5', 'glm-4.5-air', 'qwen3']);
});

test('a key goes only to its own profile', () => {
  const local = routes().of('qwen3').provider;
  expect(JSON.stringify(local)).not.toContain('"z"');
  const unset = routes({ providers: { x: { baseUrl: 'https://x.example/v1', envKey: 'X_KEY' } } });
  expect(unset.provider).toMatchObject({
    ok: false,
    error: { code: 'missing_credentials', message: expect.stringContaining('X_KEY is not set') },
  });
});

test.for<[string, Settings, Flags, Environment, object]>([
  [
    'the flag',
    { providers: PROVIDERS, provider: 'glm' },
    { provider: 'local' },
    { QWEN_PROVIDER: 'glm' },
    { baseUrl: 'http://gpu.lan:8000/v1' },
  ],
  [
    'the variable',
    { providers: PROVIDERS, provider: 'glm' },
    {},
    { QWEN_PROVIDER: 'local' },
    { baseUrl: 'http://gpu.lan:8000/v1' },
  ],
  [
    'the setting, also with a key in the environment',
    { providers: PROVIDERS, provider: 'local' },
    {},
    { OPENAI_API_KEY: 'k' },
    { baseUrl: 'http://gpu.lan:8000/v1' },
  ],
  ['the environment', { providers: PROVIDERS }, {}, { OPENAI_API_KEY: 'k' }, { apiKey: 'k' }],
  [
    'the address of a flag',
    { providers: PROVIDERS, provider: 'glm' },
    { baseUrl: 'http://localhost:1/v1' },
    {},
    { baseUrl: 'http://localhost:1/v1' },
  ],
  ['the protocol of a flag', { providers: PROVIDERS }, { authType: 'anthropic' }, {}, { apiKey: 'z' }],
])('the provider is chosen by %s', ([, settings, flags, environment, expected]) => {
  expect(routes(settings, flags, environment).provider).toMatchObject({ ok: true, settings: expected });
});

test('--provider decides about --model, even if another provider lists it', () => {
  const found = routes({ providers: PROVIDERS }, { provider: 'glm', model: 'qwen3' });
  expect(found.of('qwen3').provider).toMatchObject({ settings: { baseUrl: 'https://api.z.ai/api/anthropic' } });
  const fallback = routes({ providers: PROVIDERS }, { provider: 'glm', model: 'glm-5' }).of('qwen3');
  expect(fallback.provider).toMatchObject({ settings: { baseUrl: 'http://gpu.lan:8000/v1' } });
});

test('an unknown provider before a model is doubted, but not where names have slashes', () => {
  const found = routes();
  expect(found.doubtAbout('locl/qwen3')).toMatch(/^locl\/qwen3: no provider is named "locl".*mean local\/qwen3\?$/);
  expect(found.doubtAbout('local/qwen3')).toBeUndefined();
  expect(found.doubtAbout('qwen/qwen3-coder')).toBeUndefined();
  const public_ = routes({}, {}, { OPENAI_API_KEY: 'k' });
  expect(public_.doubtAbout('openrouter/qwen/qwen3-coder')).toContain('qwen auth login --provider openrouter');
  expect(public_.doubtAbout('gpt-5')).toBeUndefined();
});

test.for<[string, string]>([
  ['openrouter/auto', 'openrouter/auto'],
  ['openrouter/qwen/qwen3-coder', 'qwen/qwen3-coder'],
  ['openrouter/openrouter/auto', 'openrouter/auto'],
])('%s of OpenRouter is sent as %s', ([model, sent]) => {
  const providers = { openrouter: { baseUrl: 'https://openrouter.ai/api/v1', apiKey: 'or' } };
  expect(routes({ providers }).of(model).provider).toMatchObject({ settings: { modelId: sent } });
});

test.for<[Environment, string]>([
  [{ ANTHROPIC_API_KEY: 'a', ANTHROPIC_MODEL: 'claude-x', OPENAI_MODEL: 'gpt-y' }, 'claude-x'],
  [{ OPENAI_API_KEY: 'o', ANTHROPIC_MODEL: 'claude-x', OPENAI_MODEL: 'gpt-y' }, 'gpt-y'],
  [{ GEMINI_API_KEY: 'g', OPENAI_MODEL: 'gpt-y' }, 'of-settings'],
  [{ OPENAI_API_KEY: 'o', OPENAI_MODEL: 'gpt-y', QWEN_MODEL: 'any' }, 'any'],
])('the model of the chosen provider applies: %j', ([environment, model]) => {
  const sources = { flags: {}, environment, settings: { ...NO_SETTINGS, model: 'of-settings' } };
  expect(createModelRoutes(sources).model).toBe(model);
});

test('an unknown name is refused with the known ones', () => {
  expect(() => routes({ providers: PROVIDERS }, { provider: 'glmm' })).toThrow(/--provider names "glmm".*glm, local/);
  expect(() => routes({ provider: 'glm' })).toThrow(/setting provider names "glm".*providers in/);
});

test('reads the list of qwen-code', () => {
  const modelProviders = {
    openai: [
      {
        id: 'qwen/qwen3-coder',
        envKey: 'OPENROUTER_API_KEY',
        baseUrl: 'https://openrouter.ai/api/v1',
        generationConfig: {
          timeout: 60_000,
          contextWindowSize: 128_000,
          enableCacheControl: false,
          customHeaders: { 'X-A': 'a' },
          extra_body: { enable_thinking: true },
          samplingParams: { temperature: 0.2, top_p: 0.8, max_tokens: 4_096, presence_penalty: 0.1 },
        },
      },
      { name: 'without an id' },
    ],
    anthropic: [{ id: 'claude-x', generationConfig: { reasoning: { effort: 'high' } } }],
    idealab: [{ id: 'mine', baseUrl: 'http://localhost:1/v1' }],
    typo: [{ id: 'skipped' }],
    wrapped: { protocol: 'openai', models: [] },
  };
  const found = routes({ modelProviders, providerProtocol: { idealab: 'openai' } });
  expect(found.listed).toEqual(['qwen/qwen3-coder', 'claude-x', 'mine']);
  expect(found.of('qwen/qwen3-coder')).toMatchObject({
    contextWindow: 128_000,
    provider: {
      settings: {
        family: 'openai-compatible',
        apiKey: 'or',
        headers: { 'X-A': 'a' },
        extraBody: { enable_thinking: true, presence_penalty: 0.1 },
        defaults: { temperature: 0.2, topP: 0.8, maxOutputTokens: 4_096 },
        limits: { firstByteTimeoutMs: 60_000 },
        promptCache: 'off',
      },
    },
  });
  expect(found.of('claude-x').provider).toMatchObject({
    settings: { family: 'anthropic', apiKey: 'a', defaults: { effort: 'high' } },
  });
});

test.for<[string, Flags, string | undefined, Environment, object | undefined]>([
  ['none', {}, undefined, {}, undefined],
  ['the flag', { proxy: 'http://f' }, 'http://s', { HTTPS_PROXY: 'http://e' }, { http: 'http://f', https: 'http://f' }],
  ['an empty flag', { proxy: '' }, 'http://s', { HTTPS_PROXY: 'http://e' }, undefined],
  ['the setting', {}, 'http://s', { NO_PROXY: 'x' }, { http: 'http://s', https: 'http://s', bypass: 'x' }],
  [
    'variables',
    {},
    undefined,
    { HTTPS_PROXY: 'http://e', ALL_PROXY: 'http://a' },
    { https: 'http://e', http: 'http://a' },
  ],
  [
    'a SOCKS proxy for all, which is refused when it is used',
    {},
    undefined,
    { ALL_PROXY: 'socks5://a' },
    { http: 'socks5://a', https: 'socks5://a' },
  ],
])('the proxy: %s', ([, flags, proxy, environment, expected]) => {
  const settings = { providers: PROVIDERS, ...(proxy !== undefined && { proxy }) };
  const { provider } = routes(settings, flags, environment);
  const found = provider.ok ? provider.settings.proxy : {};
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(expected);
});

test.each(['baseURL', 'base_url', 'baseUri', 'url', 'apiBase', 'endpoint'])(
  'no key is sent to the public endpoint because of %s',
  (member) => {
    const providers = JSON.parse(JSON.stringify({ work: { envKey: 'ZAI_API_KEY', [member]: 'https://llm.work/v1' } }));
    expect(() => routes({ providers })).toThrow(
      `providers.work.${member} is unknown. Did you mean providers.work.baseUrl?`,
    );
  },
);
