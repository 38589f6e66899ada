import { GoogleGenAI } from '@google/genai';
import { AgentError } from '@qwen/protocol';
import type { ModelConfig } from '../config.js';
import { captureRequest } from '../http/capture-request.js';
import { toThrownError } from '../http/thrown-error.js';
import type { Model } from '../model.js';
import { createModelOver } from '../response/create-model-over.js';
import type { Provider } from '../response/provider.js';
import { ContentReader } from './content-reader.js';
import { toParameters } from './request.js';

const GEMINI_BASE_URL = 'https://generativelanguage.googleapis.com/';
/** Without a key, the client would read the environment. */
const NO_KEY = 'none';
/** Otherwise the environment decides. Beta versions serve preview models. */
const API_VERSIONS = { gemini: 'v1beta', vertex: 'v1beta1' } as const;

export function createGeminiModel(config: ModelConfig): Model {
  return createModelOver(config, createProvider);
}

function createProvider(config: ModelConfig): Provider {
  const client = createClient(config);
  return {
    // The client's reader drops events with an id and hides its retries.
    prepare: (request) =>
      captureRequest((fetch) => client.models.generateContentStream(toParameters(request, fetch))).catch(
        (thrown: unknown) => {
          throw toSignInError(thrown, config);
        },
      ),
    createReader: () => new ContentReader(),
  };
}

function createClient({ apiKey, baseUrl, headers, vertex }: ModelConfig): GoogleGenAI {
  const httpOptions = { ...(headers && { headers: { ...headers } }), ...(baseUrl !== undefined && { baseUrl }) };
  if (vertex !== undefined) {
    return new GoogleGenAI({ vertexai: true, ...vertex, apiVersion: API_VERSIONS.vertex, httpOptions });
  }
  return new GoogleGenAI({
    vertexai: false,
    apiKey: apiKey ?? NO_KEY,
    apiVersion: API_VERSIONS.gemini,
    httpOptions: { baseUrl: GEMINI_BASE_URL, ...httpOptions },
  });
}

function toSignInError(thrown: unknown, { vertex }: ModelConfig): AgentError {
  const error = toThrownError(thrown);
  if (vertex === undefined || error.code !== 'internal') return error;
  return new AgentError('auth_failed', `Could not sign in to Google Cloud: ${error.message}`);
}
