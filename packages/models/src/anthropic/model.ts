import Anthropic from '@anthropic-ai/sdk';
import type { ModelConfig } from '../config.js';
import { captureRequest, type Fetch } from '../http/capture-request.js';
import type { Model } from '../model.js';
import { createModelOver } from '../response/create-model-over.js';
import type { Provider } from '../response/provider.js';
import { MessageReader } from './message-reader.js';
import { toBody } from './request.js';

const DEFAULT_BASE_URL = 'https://api.anthropic.com';
const PUBLIC_HOST = /(^|\.)anthropic\.com$/;
/** The version that compatible endpoints know. The public endpoint gets the client's. */
const COMPATIBLE_VERSION = '2023-06-01';
/** Required by the client; never sent. */
const NO_KEY = 'none';

export function createAnthropicModel(config: ModelConfig): Model {
  return createModelOver(config, createProvider);
}

function createProvider(config: ModelConfig): Provider {
  // The client adds `/v1` itself.
  const baseURL = (config.baseUrl ?? DEFAULT_BASE_URL).replace(/\/+(v1\/*)?$/, '');
  const isPublic = PUBLIC_HOST.test(new URL(baseURL).hostname);
  const options = { allowsSampling: !isPublic, marksCache: config.promptCache !== 'off' };
  return {
    prepare: (request) =>
      captureRequest(async (fetch) => {
        const client = createClient({ ...config, baseUrl: baseURL }, { fetch, isPublic });
        await client.post('/v1/messages', { body: toBody(request, options) });
      }),
    createReader: (reading) => new MessageReader(reading),
  };
}

function createClient(
  { baseUrl, apiKey, headers }: ModelConfig,
  { fetch, isPublic }: { readonly fetch: Fetch; readonly isPublic: boolean },
): Anthropic {
  return new Anthropic({
    baseURL: baseUrl,
    apiKey: apiKey ?? NO_KEY,
    // Null: do not read the environment or credential files.
    authToken: null,
    webhookKey: null,
    defaultHeaders: {
      ...(apiKey === undefined && { 'X-Api-Key': null }),
      ...(!isPublic && { 'anthropic-version': COMPATIBLE_VERSION }),
      ...headers,
    },
    maxRetries: 0,
    openTelemetry: false,
    fetch,
    logLevel: 'off',
  });
}
