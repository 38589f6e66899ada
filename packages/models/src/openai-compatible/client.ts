import OpenAI from 'openai';
import type { ModelConfig } from '../config.js';
import type { Fetch } from '../http/capture-request.js';

export const OPENAI_BASE_URL = 'https://api.openai.com/v1';
/** Required by the client; never sent. */
const NO_KEY = 'none';

export function createClient({ baseUrl, apiKey, headers }: ModelConfig, fetch: Fetch): OpenAI {
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
