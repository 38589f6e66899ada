import { AgentError, defined, type ErrorCode } from '@qwen/protocol';
import { type Problem, problemOf, readProblem } from './error-text.js';
import { delayInText, readReset, readRetryAfter } from './retry-after.js';

const CODES_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: 'auth_failed',
  402: 'permission_refused',
  403: 'permission_refused',
  404: 'model_not_found',
  408: 'timeout',
  // 409 (lock conflict) and 425 (too early) are transient.
  409: 'provider_error',
  413: 'context_overflow',
  // A wrong or full backend, or a request that a proxy gave up.
  421: 'provider_error',
  424: 'provider_error',
  425: 'provider_error',
  498: 'provider_error',
  499: 'provider_error',
  429: 'rate_limited',
};

export interface ErrorResponse {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: string;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

/**
 * `data` has `status` and, if known, `providerCode`, `requestId`, `retryAfterSeconds` and `resetSeconds`, a time that
 * is only mentioned.
 */
export function toStatusError({ status, header, body, receivedAt }: ErrorResponse): AgentError {
  const problem = readProblem(body);
  const redirect = status >= 300 && status < 400 ? header('location') : undefined;
  const message =
    redirect === undefined
      ? problem.message
      : `redirect to ${redirect}, which is not followed. If the API is there, correct the base URL`;
  return build({
    problem: { ...problem, message },
    status,
    retryAfterSeconds: readRetryAfter(header, receivedAt) ?? problem.retryAfterSeconds,
    resetSeconds: status === 429 ? (readReset(header, receivedAt) ?? delayInText(message)) : undefined,
    requestId: header('x-request-id'),
  });
}

const STATUS_BY_TYPE: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['invalid_argument', 400],
  ['failed_precondition', 400],
  ['invalid_prompt', 400],
  ['authentication_error', 401],
  ['unauthenticated', 401],
  ['invalid_api_key', 401],
  ['invalidapikey', 401],
  ['incorrect_api_key_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['permission_denied', 403],
  ['not_found_error', 404],
  ['not_found', 404],
  ['model_not_found', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['resource_exhausted', 429],
  ['overloaded_error', 529],
  ['unavailable', 503],
]);

/** An error in the body of a response with status 200. `data.isUnclear`: only its text says what it is. */
export function toStreamError(payload: unknown): AgentError {
  const problem = problemOf(payload);
  const known = STATUS_BY_TYPE.get(problem.code?.toLowerCase() ?? '');
  const limited =
    known === 429 || /rate.?limit|too many requests|resource.?exhausted/i.test(`${problem.code} ${problem.message}`);
  const isRefusal = codeOfWording(400, `${problem.code ?? ''} ${problem.message}`) !== undefined;
  const guessed = limited ? 429 : /overloaded/i.test(`${problem.code}`) ? 529 : isRefusal ? 400 : 500;
  return build({
    problem,
    status: problem.status ?? known ?? guessed,
    isUnclear: (problem.status ?? known) === undefined && guessed === 500,
    retryAfterSeconds: problem.retryAfterSeconds,
    resetSeconds: limited ? delayInText(problem.message) : undefined,
    requestId: undefined,
  });
}

function build(facts: {
  readonly problem: Problem;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly resetSeconds: number | undefined;
  readonly requestId: string | undefined;
  readonly isUnclear?: boolean;
}): AgentError {
  const { problem, status, isUnclear = false, retryAfterSeconds, resetSeconds, requestId } = facts;
  const code = codeOfWording(status, `${problem.code ?? ''} ${problem.message}`) ?? codeOfStatus(status);
  const said = isUnclear ? 'The provider sent an error' : `The provider returned ${status}`;
  return new AgentError(code, `${said}: ${problem.message}`, {
    data: {
      status,
      ...(isUnclear && { isUnclear }),
      ...defined({ providerCode: problem.code, requestId, retryAfterSeconds, resetSeconds }),
    },
  });
}

function codeOfStatus(status: number): ErrorCode {
  return CODES_BY_STATUS[status] ?? (status >= 500 ? 'provider_error' : 'invalid_request');
}

interface Wording {
  readonly code: ErrorCode;
  readonly statuses: readonly number[];
  /** Matched against the provider's code and message. */
  readonly words: RegExp;
}

/** Waiting does not help: the account needs money. */
const QUOTA =
  /insufficient_(quota|user_quota|balance|funds)|arrearage|insufficient.(balance|credit|funds)|exceeded_current_quota|(credit|account) balance is too low|billing_(not_active|hard_limit)|余额不足|欠费|spend(ing)?[ _]limit|used all available credits|specified API usage limits|account is suspended/i;

/**
 * Errors that only the provider's text distinguishes. The first match wins. Collected from OpenAI, Azure, DashScope,
 * DeepSeek, vLLM, llama.cpp, Mistral, OpenRouter and Gemini.
 */
const WORDINGS: readonly Wording[] = [
  {
    code: 'context_overflow',
    statuses: [400, 413, 422, 500],
    words:
      /context_length_exceeded|exceed_context_size|context.?window.?exceeded|max_prompt_tokens|request_too_large|context (length|size|window|limit)|(prompt|input|request) is too long|too many (input |total )?tokens|range of input length|exceeds the maximum number of tokens|reduce the length of the (messages|prompt|input)|maximum (prompt|model|input|sequence) length|(prompt|input|request|message)s?\b[^.]{0,60}\bexceed(s|ed)?\b(?![^.]{0,60}\b(daily|monthly|minute|day|concurrent|quota|account)\b)[^.]{0,40}(token|limit|length)|inputs. tokens \+|input token count is \d+ but|input is too large to process|prompt 超长|must have less than \d+ tokens|tokens[ _]too[ _]long|exceed max message tokens|exceeds max_context|more than max tokens|'(messages|input)\b(?![^']*\b(id|name)')[^']*': string too long|(prompt|input)\b[^.]{0,30}\b(too long|(greater|longer) than)|\b(max_model_len|max_seq_len|session_len|n_ctx)\b|max_tokens must be at least 1, got -|expected maxLength: \d|request body too large|sequence length \d+ exceeds|token limit exceeded|exceeds? (the )?(model('s)? )?context\b|max input characters|conversation (is )?too long|(输入|请求|上下文)[^。]{0,12}(长度)?[^。]{0,6}超|context[_ ]overflow|(prompt|input|request|conversation)_too_(long|large)|reduce your (prompt|input|messages)|\btokens\b.{0,40}\bonly supports\b|input_tokens\b.{0,20}\+ ?max_tokens|\btokens limit exceeded|exceeds? (the )?max(imum)? (context|input)|limited to \d{4,} tokens|does not fit (in|into) (the )?(context|kv)|kv.?cache is full|maximum number of (input|prompt) tokens|(eingabe|anfrage|prompt) (ist )?zu lang/i,
  },
  // More tokens than the limit per minute allows at all: waiting does not help.
  { code: 'context_overflow', statuses: [400, 413, 429], words: /request too large for/i },
  {
    code: 'content_filtered',
    statuses: [400, 403, 500],
    words: /content_filter|data_?inspection_?failed|content management policy|flagged for moderation/i,
  },
  { code: 'permission_refused', statuses: [400, 403, 412, 429, 500], words: QUOTA },
  {
    code: 'auth_failed',
    statuses: [400],
    words: /api_key_invalid|api key not valid|(invalid|incorrect).api.?key|missing (authorization|api.?key)/i,
  },
  {
    code: 'model_not_found',
    statuses: [400],
    words: /model_not_found|model\b.{0,120}\b(does not exist|not found|not exist)|unknown model|not a valid model/i,
  },
];

function codeOfWording(status: number, words: string): ErrorCode | undefined {
  return WORDINGS.find((wording) => wording.statuses.includes(status) && wording.words.test(words))?.code;
}
