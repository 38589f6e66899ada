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

/** Adds to the message which model was called where, and what to check. */
export function explainFailure(error: AgentError, request: FailedRequest): AgentError {
  const { model, url, maxRetryAfterMs } = request;
  if (WITHOUT_REQUEST.has(error.code)) return error;
  const address = url === undefined ? '' : ` at ${endpointOf(url)}`;
  const askedSeconds = Number(error.data['retryAfterSeconds']);
  const toCheck = whatToCheck(error.code, request);
  const sentences = [
    /[.!?…]$/.test(error.message) ? error.message : `${error.message}.`,
    `The model was ${model}${error.message.includes(address) ? '' : address}.`,
    ...(toCheck.length === 0 ? [] : [`Check ${toCheck.join(' and ')}.`]),
    ...(askedSeconds * 1_000 > maxRetryAfterMs
      ? [`The provider asks to wait ${askedSeconds} s, more than --max-retry-wait allows.`]
      : []),
  ];
  return new AgentError(error.code, sentences.join(' '), { data: { ...error.data, model } });
}

function whatToCheck(code: ErrorCode, { apiKey, baseUrl }: FailedRequest): string[] {
  const places: Partial<Record<ErrorCode, (string | undefined)[]>> = {
    auth_failed: [apiKey],
    permission_refused: ['the balance and permissions of the account', apiKey],
    model_not_found: ['the name of the model', baseUrl],
  };
  return (places[code] ?? [baseUrl]).filter((place) => place !== undefined);
}
