import OpenAI from 'openai';
import { createModelOver } from '../answer/create-model-over.js';
import type { Provider } from '../answer/provider.js';
import type { ModelConfig } from '../config.js';
import { type Fetch, takeRequest } from '../http/take-request.js';
import type { Model } from '../model.js';
import { CompletionReader } from './completion-reader.js';
import { quirksOf, toBody } from './request.js';

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
/** The client insists on a key; this one is never sent. */
const NO_KEY = 'none';

/** A model behind an endpoint that speaks OpenAI's chat completions. See `createModel` of the package entry. */
export function createOpenAiCompatibleModel(config: ModelConfig): Model {
  return createModelOver(config, createProvider);
}

function createProvider(config: ModelConfig): Provider {
  const baseURL = config.baseUrl ?? DEFAULT_BASE_URL;
  const host = new URL(baseURL).hostname;
  return {
    // The client's own event reader costs four times the CPU of ours and hides comments, sizes and broken JSON from us.
    prepare: (request) =>
      takeRequest(async (fetch) => {
        const client = createClient({ ...config, baseUrl: baseURL }, fetch);
        // `chat.completions` does the same with a hundred files more (docs/decisions/0004).
        await client.post('/chat/completions', { body: toBody(request, quirksOf(host, request.model)) });
      }),
    createReader: () => new CompletionReader(),
  };
}

function createClient({ baseUrl, apiKey, headers }: ModelConfig, fetch: Fetch): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? NO_KEY,
    // Null keeps the client from reading the environment behind the caller's back.
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
