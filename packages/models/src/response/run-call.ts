import { AgentError, type ErrorCode, type Usage } from '@qwen/protocol';
import type { ModelClock } from '../clock.js';
import { openResponse } from '../http/open-response.js';
import { type ProxyRules, proxyFor } from '../http/proxy.js';
import { ResponseBody } from '../http/response-body.js';
import { endpointOf, type HttpRequest } from '../http/send-request.js';
import { toThrownError } from '../http/thrown-error.js';
import type { ModelLimits } from '../model.js';
import type { ModelPart, ModelRequest } from '../parts.js';
import { Deadline } from './deadline.js';
import { interruptedError, type Provider, type ResponseProgress, type ResponseReader } from './provider.js';

/** Wait for usage after the finish reason, in milliseconds. */
const CLOSING_MS = 2_000;

export interface Call {
  readonly provider: Provider;
  readonly request: ModelRequest;
  readonly limits: ModelLimits;
  readonly clock: ModelClock;
  readonly signal: AbortSignal;
  readonly proxy?: ProxyRules | undefined;
  readonly leavesOutReason?: boolean;
  readonly leavesOutMarker?: boolean;
  readonly onUsage?: ((usage: Usage) => void) | undefined;
}

export interface CallFailure {
  readonly error: AgentError;
  /** Content was emitted, so a retry would repeat it. */
  readonly emitted: boolean;
  readonly usage: Usage | undefined;
  /** Where the request went; undefined if it was not built. */
  readonly url: string | undefined;
}

/**
 * Yields the parts, or returns the failure. `start` waits for content, so that earlier failures can be retried
 * unnoticed.
 */
export async function* runCall(call: Call): AsyncGenerator<ModelPart, CallFailure | undefined> {
  const reader = call.provider.createReader({
    leavesOutReason: call.leavesOutReason === true,
    leavesOutMarker: call.leavesOutMarker === true,
  });
  using deadline = new Deadline(call.clock, call.signal);
  let url: string | undefined;
  let body: ResponseBody | undefined;
  const counts = new UsageReport(call.onUsage);
  let emitted = false;
  let finished = false;
  try {
    limitTimes(call.limits, deadline);
    const prepared = await prepare(call, deadline);
    url = prepared.url;
    body = await openBody(prepared, call, deadline);
    while (!isClosed(reader)) {
      const batch = await nextBatch(body, reader, deadline);
      if (batch === undefined) break;
      const before = reader.progress;
      // The consumer's time does not count.
      if (batch.length > 0 && before === 'streaming') deadline.disarm();
      for (const payload of batch) {
        if (isClosed(reader)) break;
        for (const part of reader.read(payload)) {
          if (!emitted) yield { type: 'start', ...reader.head };
          emitted = true;
          yield part;
          if (deadline.reason !== undefined) throw deadline.reason;
        }
        counts.report(reader);
      }
      if (before === 'streaming' || reader.progress !== before) armFor(reader.progress, deadline, call.limits);
    }
    deadline.disarm();
    const last = endOf(reader, emitted ? undefined : body);
    if (!emitted) yield { type: 'start', ...reader.head };
    emitted = true;
    finished = true;
    yield* last;
    return undefined;
  } catch (thrown) {
    return { error: deadline.reason ?? toThrownError(thrown), emitted, usage: reader.usage, url };
  } finally {
    if (!finished) deadline.end(new AgentError('aborted', 'The response was not read to its end.'));
    body?.release(call.clock);
  }
}

/** Throws what the body contains if it is no answer. */
function endOf(reader: ResponseReader, body: ResponseBody | undefined): readonly ModelPart[] {
  try {
    return reader.end();
  } catch (thrown) {
    throw body?.problem() ?? thrown;
  }
}

function isClosed({ progress }: ResponseReader): boolean {
  return progress === 'closed';
}

/** Reports each new count once. */
class UsageReport {
  readonly #onUsage: Call['onUsage'];
  #last: Usage | undefined;

  constructor(onUsage: Call['onUsage']) {
    this.#onUsage = onUsage;
  }

  report({ usage, progress }: ResponseReader): void {
    if (this.#onUsage === undefined || usage === undefined || progress === 'closed') return;
    const { input_tokens: input, output_tokens: output } = this.#last ?? {};
    if (usage.input_tokens === input && usage.output_tokens === output) return;
    this.#last = usage;
    this.#onUsage(usage);
  }
}

function limitTimes({ firstByteTimeoutMs, totalTimeoutMs }: ModelLimits, deadline: Deadline): void {
  deadline.arm(firstByteTimeoutMs, () =>
    limitError('timeout', `No response within ${seconds(firstByteTimeoutMs)}.`, 'firstByte'),
  );
  deadline.limitTotal(totalTimeoutMs, () =>
    limitError('timeout', `The answer did not end within ${seconds(totalTimeoutMs)}.`, 'total'),
  );
}

async function prepare({ provider, request }: Call, deadline: Deadline): Promise<HttpRequest> {
  if (deadline.reason !== undefined) throw deadline.reason;
  return await deadline.guard(provider.prepare(request));
}

async function openBody(
  request: HttpRequest,
  { clock, limits, proxy }: Call,
  deadline: Deadline,
): Promise<ResponseBody> {
  try {
    const sending = { signal: deadline.signal, clock, connectTimeoutMs: limits.connectTimeoutMs, proxy };
    return new ResponseBody(await deadline.guard(openResponse(request, sending)));
  } catch (thrown) {
    throw toThrownError(thrown, endpointOf(request.url), proxyFor(request.url, proxy)?.host);
  }
}

/** A broken end is ignored after the finish reason. */
async function nextBatch(
  body: ResponseBody,
  reader: ResponseReader,
  deadline: Deadline,
): Promise<readonly string[] | undefined> {
  try {
    const batch = await body.read();
    if (deadline.reason !== undefined) throw deadline.reason;
    return batch;
  } catch (thrown) {
    if (deadline.reason?.code === 'aborted') throw deadline.reason;
    if (reader.progress === 'closing') return undefined;
    if (AgentError.is(thrown)) throw thrown;
    if (isWronglyCompressed(thrown)) {
      const problem = 'The response is not compressed as its header Content-Encoding says.';
      throw new AgentError('bad_model_response', problem, { data: { willRepeat: true } });
    }
    const { data, message } = toThrownError(thrown);
    const { systemCode } = data;
    throw interruptedError(typeof systemCode === 'string' ? systemCode : message);
  }
}

/** By the codes of zlib, Brotli and Zstandard; the end of a broken connection has its own. */
function isWronglyCompressed(thrown: unknown): boolean {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return /^(?:Z_|ZSTD_|ERR__)/.test(code) && code !== 'Z_BUF_ERROR';
}

/** Every read resets the timer, also one of comments only. */
function armFor(progress: ResponseProgress, deadline: Deadline, { idleTimeoutMs }: ModelLimits): void {
  const ms = progress === 'streaming' ? idleTimeoutMs : CLOSING_MS;
  deadline.arm(ms, () => limitError('stream_stalled', `The response stalled: no data for ${seconds(ms)}.`, 'idle'));
}

const LIMIT_SETTINGS = { firstByte: 'first-byte-timeout', idle: 'idle-timeout', total: 'answer-timeout' } as const;

function limitError(code: ErrorCode, problem: string, limit: keyof typeof LIMIT_SETTINGS): AgentError {
  const message = `${problem} Set --${LIMIT_SETTINGS[limit]} to wait longer.`;
  // Another try would take as long again.
  return new AgentError(code, message, { data: { limit, ...(limit === 'total' && { permanent: true }) } });
}

function seconds(ms: number): string {
  return `${ms / 1_000} s`;
}
