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
  // An unreachable proxy has its own advice.
  const toCheck = error.data['proxy'] === undefined ? whatToCheck(error.code, request) : [];
  const problem = error.message.replace('Check the base URL', `Check ${request.baseUrl ?? 'the base URL'}`);
  const sentences = [
    /[.!?…]$/.test(problem) ? problem : `${problem}.`,
    `The model was ${model}${problem.includes(endpoint) ? '' : ` at ${endpoint}`}.`,
    ...(toCheck.length === 0 || problem !== error.message ? [] : [`Check ${toCheck.join(' and ')}.`]),
    ...(askedSeconds * 1_000 > Math.min(retryTimeMs, maxRetryAfterMs)
      ? [
          `The provider asks to wait ${askedSeconds} s, more than --${retryTimeMs < maxRetryAfterMs ? 'retry-time' : 'max-retry-wait'} allows. Try again later.`,
        ]
      : []),
  ];
  return new AgentError(error.code, sentences.join(' '), { data: { ...error.data, model } });
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
