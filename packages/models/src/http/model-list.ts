import { AgentError } from '@qwen/protocol';
import * as z from 'zod/mini';
import { systemClock } from '../clock.js';
import type { ModelConfig, ModelFamily } from '../config.js';
import { lenientCount, lenientText } from '../json.js';
import { openResponse } from './open-response.js';
import { createRedact, secretsOf } from './redact.js';
import { endpointOf, type HttpRequest } from './send-request.js';
import { toThrownError } from './thrown-error.js';

export interface ListedModel {
  readonly id: string;
  readonly name?: string;
  /** In tokens. */
  readonly contextWindow?: number;
}

const LIST_TIMEOUT_MS = 10_000;
const MAX_LIST_BYTES = 8 * 1024 * 1024;
const MAX_MODELS = 1_000;

const openAiSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      name: lenientText,
      context_length: lenientCount,
      context_window: lenientCount,
      max_model_len: lenientCount,
    }),
  ),
});
const geminiSchema = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      displayName: lenientText,
      inputTokenLimit: lenientCount,
      supportedGenerationMethods: z.optional(z.array(z.string())),
    }),
  ),
});

/** See `listModels`. */
export async function fetchModelList(
  config: ModelConfig,
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly ListedModel[]> {
  const request = toRequest(config);
  const endpoint = endpointOf(request.url);
  const late = new AbortController();
  const clock = config.clock ?? systemClock;
  const cancelTimer = clock.startTimer(LIST_TIMEOUT_MS, () => late.abort());
  try {
    const response = await openResponse(request, {
      signal: AbortSignal.any([signal, late.signal]),
      clock,
      connectTimeoutMs: LIST_TIMEOUT_MS,
      proxy: config.proxy,
    });
    const found = config.family === 'gemini' ? readGemini : readOpenAi;
    return found(await readJson(response.body)).slice(0, MAX_MODELS);
  } catch (thrown) {
    if (late.signal.aborted)
      throw new AgentError('timeout', `No list of models from ${endpoint} within ${LIST_TIMEOUT_MS / 1_000} s.`);
    throw createRedact(secretsOf(config))(toThrownError(thrown, endpoint));
  } finally {
    cancelTimer();
  }
}

interface ListPlace {
  readonly base: string;
  readonly path: string;
  readonly credential: (key: string | undefined) => Readonly<Record<string, string | undefined>>;
}

const OPENAI_LIST: ListPlace = {
  base: 'https://api.openai.com/v1',
  path: '/models',
  credential: (key) => ({ authorization: key && `Bearer ${key}` }),
};
const LISTS: Readonly<Record<ModelFamily, ListPlace>> = {
  'openai-compatible': OPENAI_LIST,
  'openai-responses': OPENAI_LIST,
  anthropic: {
    base: 'https://api.anthropic.com',
    path: `/v1/models?limit=${MAX_MODELS}`,
    credential: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  },
  gemini: {
    base: 'https://generativelanguage.googleapis.com',
    path: `/v1beta/models?pageSize=${MAX_MODELS}`,
    credential: (key) => ({ 'x-goog-api-key': key }),
  },
};

function toRequest({ family, apiKey, baseUrl, headers, vertex }: ModelConfig): HttpRequest {
  if (vertex !== undefined) throw new AgentError('invalid_request', 'Vertex AI does not list models.');
  const { base, path, credential } = LISTS[family];
  return {
    method: 'GET',
    url: `${(baseUrl ?? base).replace(family === 'anthropic' ? /\/+(v1\/*)?$/ : /\/+$/, '')}${path}`,
    headers: { accept: 'application/json', ...withoutMissing(credential(apiKey)), ...headers },
    body: '',
  };
}

function withoutMissing(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

async function readJson(body: AsyncIterable<Uint8Array>): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_LIST_BYTES) throw notAList();
    text += decoder.decode(chunk, { stream: true });
  }
  try {
    return JSON.parse(text);
  } catch {
    throw notAList();
  }
}

function readOpenAi(body: unknown): readonly ListedModel[] {
  const parsed = openAiSchema.safeParse(body);
  if (!parsed.success) throw notAList();
  return parsed.data.data.map(({ id, name, context_length, context_window, max_model_len }) =>
    toListed(id, { name, contextWindow: context_length ?? context_window ?? max_model_len }),
  );
}

function readGemini(body: unknown): readonly ListedModel[] {
  const parsed = geminiSchema.safeParse(body);
  if (!parsed.success) throw notAList();
  return parsed.data.models
    .filter(({ supportedGenerationMethods: methods }) => methods === undefined || methods.includes('generateContent'))
    .map(({ name, displayName, inputTokenLimit }) =>
      toListed(name.replace(/^models\//, ''), { name: displayName, contextWindow: inputTokenLimit }),
    );
}

function toListed(
  id: string,
  { name, contextWindow }: { name: string | null | undefined; contextWindow: number | null | undefined },
): ListedModel {
  return { id, ...(name && { name }), ...(contextWindow && { contextWindow }) };
}

function notAList(): AgentError {
  return new AgentError('bad_model_response', 'The endpoint did not return a list of models. Check the base URL.');
}
