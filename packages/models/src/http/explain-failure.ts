import { AgentError, type ErrorCode } from '@qwen/protocol';
import { endpointOf } from './send-request.js';

export interface FailedRequest {
  readonly model: string;
  readonly url: string | undefined;
  /** Where the key is configured. */
  readonly apiKey?: string | undefined;
  /** Where the address is configured. */
  readonly baseUrl?: string | undefined;
  readonly retryTimeMs: number;
  readonly maxRetryAfterMs: number;
}

/** The message of an overflow is searched for the limit. */
const WITHOUT_REQUEST: ReadonlySet<ErrorCode> = new Set(['aborted', 'context_overflow', 'internal']);

/** Adds to the message which model was called where, and what to check. */
export function explainFailure(error: AgentError, request: FailedRequest): AgentError {
  const { model, url, retryTimeMs, maxRetryAfterMs } = request;
  if (WITHOUT_REQUEST.has(error.code)) return error;
  const endpoint = url === undefined ? '' : endpointOf(url);
  const askedSeconds = Number(error.data['retryAfterSeconds']);
  const problem = error.message.replace('Check the base URL', `Check ${request.baseUrl ?? 'the base URL'}`);
  const sentences = [
    /[.!?…]$/.test(problem) ? problem : `${problem}.`,
    `The model was ${model}${problem.includes(endpoint) ? '' : ` at ${endpoint}`}.`,
    ...(problem === error.message ? adviceFor(error, request) : []),
    ...(askedSeconds * 1_000 > Math.min(retryTimeMs, maxRetryAfterMs)
      ? [
          `The provider asks to wait ${askedSeconds} s, more than --${retryTimeMs < maxRetryAfterMs ? 'retry-time' : 'max-retry-wait'} allows. Try again later.`,
        ]
      : []),
  ];
  return new AgentError(error.code, sentences.join(' '), { data: { ...error.data, model } });
}

function adviceFor(error: AgentError, request: FailedRequest): string[] {
  // An unreachable proxy has its own advice.
  if (error.data['proxy'] !== undefined) return [];
  const own = addressAdvice(error, request) ?? refusalAdvice(error);
  if (own !== undefined) return own === '' ? [] : [own];
  const toCheck = whatToCheck(error.code, request);
  return toCheck.length === 0 ? [] : [`Check ${toCheck.join(' and ')}.`];
}

const REQUEST_PATH = '/(?:chat/completions|responses)';
const REPEATED_PATH = new RegExp(`^(.*?)(?:${REQUEST_PATH}){2}$`);
const PATH_WITHOUT_VERSION = new RegExp(`^((?:(?!/v\\d).)*?)${REQUEST_PATH}$`);

/** For the usual mistakes in an address that the server does not know. */
function addressAdvice({ message, data }: AgentError, { url, baseUrl }: FailedRequest): string | undefined {
  if (data['status'] !== 404 || url === undefined) return undefined;
  const { origin, pathname } = new URL(url);
  const name = baseUrl ?? 'the base URL';
  const base = REPEATED_PATH.exec(pathname)?.[1];
  if (base !== undefined) return `Write ${name} without the path of the request: ${origin}${base}.`;
  const path = PATH_WITHOUT_VERSION.exec(pathname)?.[1];
  if (path === undefined || /model/i.test(message)) return undefined;
  return `${baseUrl ?? 'The base URL'} may lack its version: try ${origin}${path}/v1.`;
}

/** Of a request that the server read. Empty if its message says all. */
function refusalAdvice({ code, message, data: { status } }: AgentError): string | undefined {
  if (code !== 'invalid_request' || (status !== 400 && status !== 422)) return undefined;
  if (!/support|requires|not (?:allowed|available|enabled)|disabled/i.test(message)) return '';
  if (/\btools?\b|tool[_ ]choice|function.?call/i.test(message)) {
    return 'Use a model with tool calls (--model), or enable them at the endpoint.';
  }
  return /\broles?\b/i.test(message) ? 'Use another model (--model).' : '';
}

function whatToCheck(code: ErrorCode, { apiKey, baseUrl }: FailedRequest): string[] {
  const places: Partial<Record<ErrorCode, (string | undefined)[]>> = {
    auth_failed: [apiKey],
    permission_refused: ['the balance and permissions of the account', apiKey],
    model_not_found: ['the name of the model (--model)', baseUrl],
    network_unavailable: [baseUrl],
    bad_model_response: [baseUrl],
    invalid_request: [baseUrl],
  };
  return (places[code] ?? []).filter((place) => place !== undefined);
}
