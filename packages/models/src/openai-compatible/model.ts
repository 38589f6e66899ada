import OpenAI from 'openai';
import { createModelOver, type ProviderParts } from '../answer/create-model-over.js';
import type { Provider } from '../answer/provider.js';
import type { ModelConfig } from '../config.js';
import type { Model } from '../model.js';
import { CompletionReader } from './completion-reader.js';
import { quirksOf } from './quirks.js';
import { toBody } from './request.js';

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
/** The client insists on a key; this one is never sent. */
const NO_KEY = 'none';
/** Our own deadline is the one that counts; the client's must not come first. */
const CLIENT_TIMEOUT_MARGIN_MS = 10_000;

/** A model behind an endpoint that speaks OpenAI's chat completions. See `createModel` of the package entry. */
export function createOpenAiCompatibleModel(config: ModelConfig): Model {
  return createModelOver(config, createProvider);
}

function createProvider({ config, limits, fetch }: ProviderParts): Provider {
  const baseURL = config.baseUrl ?? DEFAULT_BASE_URL;
  const client = new OpenAI({
    baseURL,
    apiKey: config.apiKey ?? NO_KEY,
    // Null keeps the client from reading the environment behind the caller's back.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: { ...(config.apiKey === undefined && { Authorization: null }), ...config.headers },
    maxRetries: 0,
    timeout: limits.responseTimeoutMs + CLIENT_TIMEOUT_MARGIN_MS,
    fetch,
    logLevel: 'off',
  });
  const host = new URL(baseURL).hostname;
  return {
    // The client's own event reader costs four times the CPU of ours and hides comments, sizes and broken JSON from us.
    open: (request, signal) =>
      client.chat.completions.create(toBody(request, quirksOf(host, request.model)), { signal }).asResponse(),
    createReader: () => new CompletionReader(),
  };
}
