import { GoogleGenAI } from '@google/genai';
import { AgentError } from '@qwen/protocol';
import { createModelOver } from '../answer/create-model-over.js';
import type { Provider } from '../answer/provider.js';
import type { ModelConfig } from '../config.js';
import { takeRequest } from '../http/take-request.js';
import { toThrownError } from '../http/thrown-error.js';
import type { Model } from '../model.js';
import { ContentReader } from './content-reader.js';
import { toParameters } from './request.js';

const GEMINI_BASE_URL = 'https://generativelanguage.googleapis.com/';
/** Without any, the client would look for a key in the environment. */
const NO_KEY = 'none';
/** Said here, or the environment decides. The beta versions are the ones that serve preview models. */
const API_VERSIONS = { gemini: 'v1beta', vertex: 'v1beta1' } as const;

/** A Gemini model behind the Gemini API or Vertex AI. See `createModel` of the package entry. */
export function createGeminiModel(config: ModelConfig): Model {
  return createModelOver(config, createProvider);
}

function createProvider(config: ModelConfig): Provider {
  const client = createClient(config);
  return {
    // The client's reader drops events that carry an id, hides retries of its own and keeps the connection after an
    // early `return`.
    prepare: (request) =>
      takeRequest((fetch) => client.models.generateContentStream(toParameters(request, fetch))).catch(
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

/** What fails before the request is the sign-in with Google's credentials, unless it is the network. */
function toSignInError(thrown: unknown, { vertex }: ModelConfig): AgentError {
  const error = toThrownError(thrown);
  if (vertex === undefined || error.code !== 'internal') return error;
  return new AgentError('auth_failed', `Signing in to Google Cloud failed: ${error.message}`);
}
