import { expect, test } from 'vitest';
import { toAccount } from './account.js';
import type { Environment } from './env.js';
import { chooseProvider } from './provider.js';

const accountOf = (environment: Environment) => toAccount(chooseProvider({}, environment));

test.each<[Environment, object]>([
  [{ OPENAI_API_KEY: 'sk-secret' }, { provider: 'openai', host: 'api.openai.com', credentialSource: 'OPENAI_API_KEY' }],
  [
    { DASHSCOPE_API_KEY: 'sk-secret' },
    { provider: 'openai', host: 'dashscope.aliyuncs.com', credentialSource: 'DASHSCOPE_API_KEY' },
  ],
  [{ OPENAI_BASE_URL: 'http://localhost:11434/v1?key=secret' }, { provider: 'openai', host: 'localhost:11434' }],
  [
    { GOOGLE_API_KEY: 'secret' },
    { provider: 'gemini', host: 'generativelanguage.googleapis.com', credentialSource: 'GOOGLE_API_KEY' },
  ],
  [
    { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_CLOUD_PROJECT: 'p' },
    { provider: 'vertex-ai', host: 'aiplatform.googleapis.com', credentialSource: 'GOOGLE_CLOUD_PROJECT' },
  ],
  [{}, {}],
])('%j', (environment, account) => {
  expect(accountOf(environment)).toEqual(account);
  expect(JSON.stringify(accountOf(environment))).not.toContain('secret');
});
