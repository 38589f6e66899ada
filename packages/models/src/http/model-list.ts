import { AgentError } from '@qwen/protocol';
import * as z from 'zod/mini';
import { systemClock } from '../clock.js';
import type { ModelConfig, ModelFamily } from '../config.js';
import { lenient, lenientCount, lenientText } from '../json.js';
import { checkHeaders } from './check-headers.js';
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

/** Gateways leave out members of some entries, which are then skipped. */
const openAiEntry = z.object({
  id: z.string(),
  name: lenientText,
  context_length: lenientCount,
  context_window: lenientCount,
  max_model_len: lenientCount,
  max_context_length: lenientCount,
  max_input_tokens: lenientCount,
});
/** Some endpoints return the list itself. */
const openAiSchema = z.union([z.object({ data: z.array(z.unknown()) }), z.array(z.unknown())]);
const geminiSchema = z.object({ models: z.array(z.unknown()) });
const geminiEntry = z.object({
  name: z.string(),
  displayName: lenientText,
  inputTokenLimit: lenientCount,
  supportedGenerationMethods: lenient(z.array(z.string())),
});
/** Larger ones are errors. */
const MAX_WINDOW = 100_000_000;

export interface ListOptions {
  readonly signal: AbortSignal;
  /** Default: the usual path of the protocol. */
  readonly path?: string;
}

/** See `listModels`. */
export async function fetchModelList(
  config: ModelConfig,
  { signal, path }: ListOptions,
): Promise<readonly ListedModel[]> {
  checkHeaders(config);
  const request = toRequest(config, path);
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

interface ListEndpoint {
  readonly base: string;
  readonly path: string;
  readonly credential: (key: string | undefined) => Readonly<Record<string, string | undefined>>;
}

const OPENAI_LIST: ListEndpoint = {
  base: 'https://api.openai.com/v1',
  path: '/models',
  credential: (key) => ({ authorization: key && `Bearer ${key}` }),
};
const LISTS: Readonly<Record<ModelFamily, ListEndpoint>> = {
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

function toRequest({ family, apiKey, baseUrl, headers, vertex }: ModelConfig, otherPath?: string): HttpRequest {
  if (vertex !== undefined) throw new AgentError('invalid_request', 'Vertex AI does not list models.');
  const { base, path, credential } = LISTS[family];
  return {
    method: 'GET',
    url: `${(baseUrl ?? base).replace(family === 'anthropic' ? /\/+(v1\/*)?$/ : /\/+$/, '')}${otherPath ?? path}`,
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
  const given = Array.isArray(parsed.data) ? parsed.data : parsed.data.data;
  const entries = given.map((entry) => (typeof entry === 'string' ? { id: entry } : entry));
  return unique(
    readEntries(entries, openAiEntry).map((entry) =>
      toListed(entry.id, {
        name: entry.name,
        contextWindow:
          entry.context_length ??
          entry.context_window ??
          entry.max_model_len ??
          entry.max_context_length ??
          entry.max_input_tokens,
      }),
    ),
  );
}

function readGemini(body: unknown): readonly ListedModel[] {
  const parsed = geminiSchema.safeParse(body);
  if (!parsed.success) throw notAList();
  return unique(
    readEntries(parsed.data.models, geminiEntry)
      .filter(({ supportedGenerationMethods: methods }) => !methods || methods.includes('generateContent'))
      .map(({ name, displayName, inputTokenLimit }) =>
        toListed(name.replace(/^models\//, ''), { name: displayName, contextWindow: inputTokenLimit }),
      ),
  );
}

/** Throws if there are entries, but none that can be read. */
function readEntries<T>(entries: readonly unknown[], schema: z.ZodMiniType<T>): readonly T[] {
  const read = entries
    .map((entry) => schema.safeParse(entry))
    .flatMap(({ data }) => (data === undefined ? [] : [data]));
  if (read.length === 0 && entries.length > 0) throw notAList();
  return read;
}

function unique(models: readonly ListedModel[]): readonly ListedModel[] {
  const byId = new Map<string, ListedModel>();
  for (const model of models) if (!byId.has(model.id)) byId.set(model.id, model);
  return [...byId.values()];
}

function toListed(
  id: string,
  { name, contextWindow }: { name: string | null | undefined; contextWindow: number | null | undefined },
): ListedModel {
  const isWindow = Number.isInteger(contextWindow) && Number(contextWindow) > 0 && Number(contextWindow) <= MAX_WINDOW;
  return { id, ...(name && { name }), ...(isWindow && { contextWindow: Number(contextWindow) }) };
}

function notAList(): AgentError {
  return new AgentError('bad_model_response', 'The endpoint did not return a list of models. Check the base URL.');
}
