import { AgentError, type ErrorCode } from '@qwen/protocol';
import { type Problem, problemOf, readProblem } from './error-text.js';
import { codeOfWording } from './provider-wordings.js';
import { readRetryAfter } from './retry-after.js';

const CODES_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: 'auth_failed',
  402: 'permission_refused',
  403: 'permission_refused',
  404: 'model_not_found',
  408: 'timeout',
  // A conflict over a lock and "too early": both pass by themselves.
  409: 'provider_error',
  413: 'context_overflow',
  425: 'provider_error',
  429: 'rate_limited',
};

/** An answer that is not an answer: what arrived instead. */
export interface ErrorAnswer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  /** The body, or its beginning. */
  readonly body: string;
  /** Epoch milliseconds at which it arrived. */
  readonly receivedAt: number;
}

/**
 * The error that an HTTP status and its body stand for. `data` holds `status` and, where known, `providerCode`,
 * `requestId` and `retryAfterSeconds`.
 */
export function toStatusError({ status, header, body, receivedAt }: ErrorAnswer): AgentError {
  const problem = readProblem(body);
  const redirect = status >= 300 && status < 400 ? header('location') : undefined;
  const message = redirect === undefined ? problem.message : `it redirects to ${redirect}; use that as base URL`;
  return build({
    problem: { ...problem, message },
    status,
    retryAfterSeconds: readRetryAfter(header, receivedAt) ?? problem.retryAfterSeconds,
    requestId: header('x-request-id'),
  });
}

/** The error that a provider sends in the middle of a stream whose status was 200. */
export function toStreamError(payload: unknown): AgentError {
  const problem = problemOf(payload);
  const limited = /rate.?limit|too many requests|resource.?exhausted/i.test(`${problem.code} ${problem.message}`);
  return build({
    problem,
    status: problem.status ?? (limited ? 429 : 500),
    retryAfterSeconds: problem.retryAfterSeconds,
    requestId: undefined,
  });
}

function build(facts: {
  readonly problem: Problem;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly requestId: string | undefined;
}): AgentError {
  const { problem, status, retryAfterSeconds, requestId } = facts;
  const code = codeOfWording(status, `${problem.code ?? ''} ${problem.message}`) ?? codeOfStatus(status);
  return new AgentError(code, `The provider answered ${status}: ${problem.message}`, {
    data: {
      status,
      ...(problem.code !== undefined && { providerCode: problem.code }),
      ...(requestId !== undefined && { requestId }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    },
  });
}

function codeOfStatus(status: number): ErrorCode {
  return CODES_BY_STATUS[status] ?? (status >= 500 ? 'provider_error' : 'invalid_request');
}
