import type { ModelConfig } from '../config.js';
import { captureRequest } from '../http/capture-request.js';
import type { Model } from '../model.js';
import { createModelOver } from '../response/create-model-over.js';
import type { Provider } from '../response/provider.js';
import { createClient, OPENAI_BASE_URL } from './client.js';
import { CompletionReader } from './completion-reader.js';
import { quirksOf } from './quirks.js';
import { toBody } from './request.js';

export function createOpenAiCompatibleModel(config: ModelConfig): Model {
  return createModelOver(config, createProvider);
}

function createProvider(config: ModelConfig): Provider {
  const baseUrl = config.baseUrl ?? OPENAI_BASE_URL;
  const host = new URL(baseUrl).hostname;
  return {
    // The client's reader costs four times the CPU and hides comments, sizes and broken JSON.
    prepare: (request) =>
      captureRequest(async (fetch) => {
        const quirks = quirksOf(host, request.model, config.promptCache);
        const headers = { ...quirks.headers, ...config.headers };
        // `chat.completions` loads a hundred more files (docs/decisions/0004).
        await createClient({ ...config, baseUrl, headers }, fetch).post('/chat/completions', {
          body: toBody(request, quirks),
        });
      }),
    createReader: (options) => new CompletionReader(options),
  };
}
