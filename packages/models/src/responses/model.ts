import type { ModelConfig } from '../config.js';
import { captureRequest } from '../http/capture-request.js';
import type { Model } from '../model.js';
import { createClient, OPENAI_BASE_URL } from '../openai-compatible/client.js';
import { createModelOver } from '../response/create-model-over.js';
import type { Provider } from '../response/provider.js';
import { toBody } from './request.js';
import { ResponseItemReader } from './response-reader.js';

/** Calls the Responses API of OpenAI and compatible endpoints. Nothing is stored at the provider. */
export function createResponsesModel(config: ModelConfig): Model {
  return createModelOver(config, createProvider);
}

function createProvider(config: ModelConfig): Provider {
  const baseUrl = config.baseUrl ?? OPENAI_BASE_URL;
  const isOpenAi = /(^|\.)(openai\.com|azure\.com)$/.test(new URL(baseUrl).hostname);
  // Requests with the same key reach the same cache.
  const cacheKey = isOpenAi && config.promptCache !== 'off' ? crypto.randomUUID() : undefined;
  return {
    prepare: (request) =>
      captureRequest(async (fetch) => {
        await createClient({ ...config, baseUrl }, fetch).post('/responses', { body: toBody(request, cacheKey) });
      }),
    createReader: () => new ResponseItemReader(),
  };
}
