import { AgentError, type ErrorCode } from '@qwen/protocol';
import { endpointOf } from './send-request.js';

export interface FailedRequest {
  readonly model: string;
  readonly url: string | undefined;
  /** Where the key is configured. */
  readonly apiKey?: string | undefined;
  /** Where the address is configured. */
  readonly baseUrl?: string | undefined;
  readonly maxRetryAfterMs: number;
}

/** The message of an overflow is searched for the limit. */
const WITHOUT_REQUEST: ReadonlySet<ErrorCode> = new Set(['aborted', 'context_overflow', 'internal']);
const KEY_CODES: ReadonlySet<ErrorCode> = new Set(['auth_failed', 'permission_refused']);

/** Adds to the message which model was called where, and what to check. */
export function explainFailure(error: AgentError, request: FailedRequest): AgentError {
  const { model, url, apiKey, baseUrl, maxRetryAfterMs } = request;
  if (WITHOUT_REQUEST.has(error.code)) return error;
  const address = url === undefined ? '' : ` at ${endpointOf(url)}`;
  const askedSeconds = Number(error.data['retryAfterSeconds']);
  const source = KEY_CODES.has(error.code) ? apiKey : baseUrl;
  const sentences = [
    /[.!?…]$/.test(error.message) ? error.message : `${error.message}.`,
    `The model was ${model}${error.message.includes(address) ? '' : address}.`,
    ...(source === undefined ? [] : [`Check ${source}.`]),
    ...(askedSeconds * 1_000 > maxRetryAfterMs
      ? [`The provider asks to wait ${askedSeconds} s, more than --max-retry-wait allows.`]
      : []),
  ];
  return new AgentError(error.code, sentences.join(' '), { data: { ...error.data, model } });
}
