import OpenAI from 'openai';
import type { ModelConfig } from '../config.js';
import { captureRequest, type Fetch } from '../http/capture-request.js';
import type { Model } from '../model.js';
import { createModelOver } from '../response/create-model-over.js';
import type { Provider } from '../response/provider.js';
import { CompletionReader } from './completion-reader.js';
import { quirksOf, toBody } from './request.js';

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
/** Required by the client; never sent. */
const NO_KEY = 'none';

export function createOpenAiCompatibleModel(config: ModelConfig): Model {
  return createModelOver(config, createProvider);
}

function createProvider(config: ModelConfig): Provider {
  const baseURL = config.baseUrl ?? DEFAULT_BASE_URL;
  const host = new URL(baseURL).hostname;
  return {
    // The client's reader costs four times the CPU and hides comments, sizes and broken JSON.
    prepare: (request) =>
      captureRequest(async (fetch) => {
        const client = createClient({ ...config, baseUrl: baseURL }, fetch);
        // `chat.completions` loads a hundred more files (docs/decisions/0004).
        await client.post('/chat/completions', { body: toBody(request, quirksOf(host, request.model)) });
      }),
    createReader: () => new CompletionReader(),
  };
}

function createClient({ baseUrl, apiKey, headers }: ModelConfig, fetch: Fetch): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? NO_KEY,
    // Null: do not read the environment.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: { ...(apiKey === undefined && { Authorization: null }), ...headers },
    maxRetries: 0,
    fetch,
    logLevel: 'off',
  });
}
