import { GoogleGenAI } from '@google/genai';
import { AgentError } from '@qwen/protocol';
import { createModelOver, type ProviderParts } from '../answer/create-model-over.js';
import type { Provider } from '../answer/provider.js';
import type { ModelConfig } from '../config.js';
import type { Fetch } from '../http/checked-fetch.js';
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

function createProvider({ config, fetch }: ProviderParts): Provider {
  const client = createClient(config);
  return {
    open: async (request, signal) => {
      const exchange = new Exchange(fetch);
      try {
        await client.models.generateContentStream(toParameters(request, { fetch: exchange.fetch, signal }));
      } catch (thrown) {
        throw exchange.wasSent ? thrown : toSignInError(thrown, config);
      }
      return exchange.answer();
    },
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

/**
 * One request of the client. The client builds, signs and sends it; the answer is kept from it and read by ours,
 * because the client's reader drops events that carry an id, hides retries of its own and keeps the connection after
 * an early `return`.
 */
class Exchange {
  readonly #fetch: Fetch;
  #response: Response | undefined;
  wasSent = false;

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  readonly fetch: Fetch = async (input, init) => {
    this.wasSent = true;
    this.#response = await this.#fetch(input, init);
    return new Response(null, { status: 200 });
  };

  answer(): Response {
    if (this.#response === undefined) throw new AgentError('internal', 'The Gemini client sent no request.');
    return this.#response;
  }
}

/** What fails before the request is the sign-in with Google's credentials, unless it is the network. */
function toSignInError(thrown: unknown, { vertex }: ModelConfig): AgentError {
  const error = toThrownError(thrown);
  if (vertex === undefined || error.code !== 'internal') return error;
  return new AgentError('auth_failed', `Signing in to Google Cloud failed: ${error.message}`);
}
